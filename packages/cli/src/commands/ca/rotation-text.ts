import type { Rotation } from '@meshwork/contract';
import { fields } from '../../table.ts';
import { printable } from '../../terminal-text.ts';
import { when } from '../../when.ts';
import { counted } from '../../wording.ts';

const SHOWN = 10;

/** How far a rotation is, and whom it waits for. */
export function rotationText(rotation: Rotation): string {
  const { what, nodes, waiting, absent, switched_at } = rotation;
  const unproven = nodes.fresh - nodes.proven;
  return fields([
    ['rotation of the', what],
    ['started', `${when(rotation.started_at)} by ${printable(rotation.started_by.name)}`],
    ['proven by', `${nodes.proven} of ${counted(nodes.fresh, 'node')}`],
    ...(unproven === 0 ? [] : [['waits for', namesOf(waiting, unproven)] as const]),
    ...(nodes.absent === 0 ? [] : [['not waited for', `${namesOf(absent, nodes.absent)} (overdue)`] as const]),
    ['new ones in use', switched_at === null ? switchText(rotation) : `since ${when(switched_at)}`],
    ['still to renew', counted(nodes.renewing, 'certificate')],
  ]);
}

function switchText({ deadline, not_before }: Rotation): string {
  const latest = deadline === null ? 'when every fresh node has proven it' : `at ${when(deadline)} at the latest`;
  return not_before === null ? latest : `${latest}, and not before ${when(not_before)}`;
}

/** `total`: with those that the answer does not name. */
function namesOf(nodes: Rotation['waiting'], total: number): string {
  const shown = nodes.slice(0, SHOWN).map(({ name }) => name);
  const others = total - shown.length;
  if (shown.length === 0) return counted(others, 'node');
  return `${shown.join(', ')}${others > 0 ? ` and ${others.toLocaleString('en')} more` : ''}`;
}
