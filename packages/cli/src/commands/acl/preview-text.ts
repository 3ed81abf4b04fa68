import type { PolicyFlow, Preview } from '@meshwork/contract';
import { alignedRows } from '../../table.ts';
import { printable } from '../../terminal-text.ts';
import { counted } from '../../wording.ts';
import { warningLines } from './policy-words.ts';
import { failedTestLines } from './validation-text.ts';

/** Nodes that are named; the rest are counted. */
const NAMED = 5;

/** What a policy would change, a flow a line: `opens  developers -> git-servers  tcp:22  12 pairs`. */
export function previewText({ opened, closed, nodes_touched, nodes, failed_tests, warnings }: Preview): string {
  const rows = [...opened.map((flow) => flowRow('opens', flow)), ...closed.map((flow) => flowRow('closes', flow))];
  const lines = [rows.length === 0 ? 'access does not change' : alignedRows(rows)];
  lines.push(touchedText(nodes_touched, nodes));
  lines.push(...warningLines(warnings));
  if (failed_tests.length > 0)
    lines.push('It would be refused, because these tests fail:', ...failedTestLines(failed_tests));
  return lines.join('\n');
}

function flowRow(verb: string, { from, to, allow, pairs }: PolicyFlow): string[] {
  return [verb, `${from} -> ${to}`, allow, counted(pairs, 'pair')];
}

/** How many, and the first of them by name. */
export function touchedText(count: number, nodes: readonly { readonly name: string }[]): string {
  if (count === 0) return 'no node would change';
  const names = nodes.slice(0, NAMED).map(({ name }) => name);
  const rest = count - names.length;
  return printable(`${counted(count, 'node')} would change: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`);
}
