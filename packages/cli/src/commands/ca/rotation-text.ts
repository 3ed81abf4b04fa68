import type { Rotation } from '@meshwork/contract';
import { fields } from '../../table.ts';
import { printable } from '../../terminal-text.ts';
import { when } from '../../when.ts';
import { counted } from '../../wording.ts';

/** How far a rotation is, and whom it waits for. */
export function rotationText(rotation: Rotation): string {
  const { what, nodes, waiting, absent, switched_at } = rotation;
  const names = (list: Rotation['waiting'], total: number) =>
    [...list.slice(0, 10).map(({ name }) => name), ...(total > 10 ? [`and ${total - 10} more`] : [])].join(', ');
  const unproven = nodes.fresh - nodes.proven;
  return fields([
    ['rotation of the', what],
    ['started', `${when(rotation.started_at)} by ${printable(rotation.started_by.name)}`],
    ['proven by', `${nodes.proven} of ${counted(nodes.fresh, 'node')}`],
    ...(unproven === 0 ? [] : [['waits for', names(waiting, unproven)] as const]),
    ...(absent.length === 0 ? [] : [['not waited for', `${names(absent, absent.length)} (overdue)`] as const]),
    ['new ones in use', switched_at === null ? switchText(rotation) : `since ${when(switched_at)}`],
    ['still to renew', counted(nodes.renewing, 'certificate')],
  ]);
}

function switchText({ deadline, not_before }: Rotation): string {
  const latest = deadline === null ? 'when every fresh node has proven it' : `at ${when(deadline)} at the latest`;
  return not_before === null ? latest : `${latest}, and not before ${when(not_before)}`;
}
