import { REALITIES, type SelfCheck, VERDICTS } from '@meshwork/contract';
import type { Output } from '../../output.ts';
import { table } from '../../table.ts';
import { hanging, printable } from '../../terminal-text.ts';
import { when } from '../../when.ts';
import { counted } from '../../wording.ts';

const WIDTH = 80;

/** How often explanations were what happened: the counts, then the last that were not. */
export function selfCheckText(check: SelfCheck, out: Pick<Output, 'strong' | 'tinted'>): string {
  const { since, total, disagreements } = check;
  if (total === 0) return `no explanation has been checked since ${when(since)}`;
  return [
    `${summary(check)}\nsince ${when(since)}`,
    countsTable(check, out),
    ...disagreements.map((one) => disagreementText(one, out)),
  ].join('\n\n');
}

function summary({ total, disagreed, unknown }: SelfCheck): string {
  return `${counted(total, 'explanation')} checked, ${disagreed} disagreed, ${unknown} unknown (${percent(unknown, total)})`;
}

/** One decimal: a few in thousands are not none. */
function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

function countsTable({ checks }: SelfCheck, out: Pick<Output, 'strong'>): string {
  const count = (verdict: string, reality: string) =>
    checks.find((one) => one.verdict === verdict && one.reality === reality)?.count ?? 0;
  const rows = VERDICTS.map((verdict) => [verdict, ...REALITIES.map((reality) => String(count(verdict, reality)))]);
  return table(['EXPLAINED', 'PASSED', 'BLOCKED', 'NOT KNOWN'], rows, (text) => out.strong(text));
}

function disagreementText(
  { at, from, to, port, report, command }: SelfCheck['disagreements'][number],
  out: Pick<Output, 'tinted'>,
): string {
  const { reality, reason, explanation } = report;
  return [
    `${out.tinted('bad', 'DISAGREEMENT')}  ${printable(`${from} to ${to} on ${port}, ${when(at)}`)}`,
    ...hanging('  explained  ', `${explanation.verdict}: ${explanation.reason}`, WIDTH),
    ...hanging('  tried      ', `${reality}: ${reason}`, WIDTH),
    printable(`  again      ${command}`),
  ].join('\n');
}
