/** How often, over time and by what. */
import type { WafSummary } from '@meshwork/contract';
import type { Output } from '../../output.ts';
import { fields, table } from '../../table.ts';

type Counts = Pick<WafSummary, 'blocked' | 'detected' | 'scored'>;

export function summaryText(summary: WafSummary, out: Pick<Output, 'strong'>): string {
  const { from, to, left_out, whole } = summary;
  const facts = fields([
    ['from', from],
    ['to', to],
    ['blocked', countText('blocked', summary, left_out)],
    ['detected', countText('detected', summary, left_out)],
    ['scored', countText('scored', summary, left_out)],
    ...(whole ? [] : [['note', 'there were too many events to read: the newest are counted'] as const]),
  ]);
  const strong = (text: string) => out.strong(text);
  const top = (heading: string, items: WafSummary['rules'], named = false) =>
    items.length === 0
      ? []
      : [
          table(
            [heading, 'BLOCKED', 'DETECTED', 'SCORED', ...(named ? ['MESSAGE'] : [])],
            items.map((item) => [item.value, ...countCells(item), ...(named ? [item.label] : [])]),
            strong,
          ),
        ];
  return [
    facts,
    ...top('RULE', summary.rules, true),
    ...top('ADDRESS', summary.addresses),
    ...top('PLACE', summary.places),
  ].join('\n\n');
}

function countText(verdict: keyof Counts, counts: Counts, left_out: Counts): string {
  const only = left_out[verdict];
  return only === 0 ? String(counts[verdict]) : `${counts[verdict]}, of which gateways only counted ${only}`;
}

function countCells({ blocked, detected, scored }: Counts): string[] {
  return [blocked, detected, scored].map(String);
}
