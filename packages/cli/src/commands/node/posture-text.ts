import type { Posture, RolledBack } from '@meshwork/contract';
import type { Output } from '../../output.ts';
import { fields, table } from '../../table.ts';
import { when } from '../../when.ts';

export function postureText(posture: Posture, out: Output): string {
  const { desired, observed } = posture.relay;
  const { repaired } = posture;
  const head = fields([
    ['node', posture.node],
    ['state', posture.state],
    ['heartbeat', posture.heartbeat === null ? 'never' : when(posture.heartbeat)],
    ['drifts', posture.drift_since === null ? 'no' : `since ${when(posture.drift_since)}`],
    ['relay', desired === observed ? (desired ?? 'none') : `should be ${desired ?? 'none'}, is ${observed ?? 'none'}`],
    ...Object.entries(posture.sections).flatMap(([name, { observed: found }]) =>
      found?.rolled_back === undefined ? [] : [['rolled back', rollbackText(name, found.rolled_back)] as const],
    ),
    ...(repaired === null ? [] : [['repaired', repairedText(repaired)] as const]),
    ...Object.entries(posture.telemetry ?? {}).map(([name, value]) => [name, String(value)] as const),
  ]);
  const rows = Object.entries(posture.sections).map(([name, section]) => [
    name,
    section.carried ? (section.in_sync ? 'yes' : 'NO') : '-',
    String(section.desired.revision),
    section.observed === null ? '-' : String(section.observed.revision),
    section.drift_since ?? '-',
    section.carried ? (section.reason ?? '') : 'not supported by this agent',
  ]);
  const headings = ['SECTION', 'IN SYNC', 'SHOULD BE AT', 'IS AT', 'DRIFTS SINCE', 'HOW'];
  return `${head}\n\n${table(headings, rows, (text) => out.strong(text))}`;
}

function rollbackText(section: string, { revision, after_s, at }: RolledBack): string {
  return `${section}, ${when(at)}: no heartbeat was answered within ${after_s} s after revision ${revision}`;
}

/** Another program changes what is ours: worth finding out which. */
function repairedText({ at, sections, found }: NonNullable<Posture['repaired']>): string {
  return `${sections.join(', ')} on ${when(at)}, after another program had changed it: ${found}`;
}
