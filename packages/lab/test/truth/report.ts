/** What was found, as Markdown. */
import type { Entry, Tally } from './tally.ts';

/** As many show what to look at. */
const REASONS = 40;

/** In one line. */
export function words(tally: Tally): string {
  const { unknown, asked_again, of } = tally.settledUnknowns();
  const kinds = (['agrees', 'unknown', 'lie', 'late', 'put back'] as const).map((one) => `${tally.count(one)} ${one}`);
  return `${tally.comparisons} compared: ${kinds.join(', ')}, ${tally.unsettled} unsettled; unknown and fault-free ${share(unknown, of)}, at first ${asked_again}`;
}

export function report(tally: Tally, { seed, rounds }: { readonly seed: number; readonly rounds: number }): string {
  const lies = tally.lies.map(({ text }) => text);
  return [
    '# Explain compared with real packets',
    `Seed ${seed}, ${rounds} rounds, ${tally.comparisons} comparisons, ${lies.length} lies. ${words(tally)}.`,
    '## Verdict and reality by fault',
    'A comparison that several faults concern is counted with each of them.',
    faultTable(tally.entries),
    '## Unknown',
    unknownTable(tally),
    '## How long filters were open after another program had changed them',
    openTable(tally),
    '## Disagreements',
    lies.length === 0 ? 'None.' : lies.map(fenced).join('\n\n'),
    '## Allowed and failing within 5 s after a fault that no packet could have shown',
    tally.late.length === 0 ? 'None.' : tally.late.map(({ text }) => `- ${text.split('\n')[0]}`).join('\n'),
    '',
  ].join('\n\n');
}

const COLUMNS: readonly (readonly [title: string, counts: (entry: Entry) => boolean])[] = [
  ['allowed, passed', ({ verdict, reality }) => verdict === 'allowed' && reality === 'passed'],
  ['allowed, failed', ({ verdict, reality }) => verdict === 'allowed' && reality !== 'passed'],
  ['denied, failed', ({ verdict, reality }) => verdict === 'denied' && reality === 'failed'],
  ['denied, passed', ({ verdict, reality }) => verdict === 'denied' && reality !== 'failed'],
  ['unknown, passed', ({ verdict, reality }) => verdict === 'unknown' && reality === 'passed'],
  ['unknown, failed', ({ verdict, reality }) => verdict === 'unknown' && reality === 'failed'],
  ['unknown, by family', ({ verdict, reality }) => verdict === 'unknown' && reality === 'both'],
  ['late', ({ judgement }) => judgement === 'late'],
  ['put back', ({ judgement }) => judgement === 'put back'],
  ['**lies**', ({ judgement }) => judgement === 'lie'],
];

function faultTable(entries: readonly Entry[]): string {
  const kinds = [...new Set(entries.flatMap(({ faults }) => faults))].sort();
  const line = (name: string, of: readonly Entry[]) => [name, ...COLUMNS.map(([, counts]) => of.filter(counts).length)];
  return table(
    ['fault', ...COLUMNS.map(([title]) => title)],
    [
      line(
        'none',
        entries.filter(({ faults, phase }) => faults.length === 0 && phase !== 'mending'),
      ),
      line(
        'none, others are mended',
        entries.filter(({ faults, phase }) => faults.length === 0 && phase === 'mending'),
      ),
      ...kinds.map((kind) =>
        line(
          kind,
          entries.filter(({ faults }) => faults.includes(kind)),
        ),
      ),
      line('all', entries),
    ],
  );
}

function unknownTable(tally: Tally): string {
  const all = tally.entries.filter(({ verdict }) => verdict === 'unknown');
  const settled = tally.settledUnknowns();
  const causes = [...new Set(all.map(({ cause }) => cause ?? ''))].sort();
  const lines = causes.map((cause) => {
    const of = all.filter((entry) => entry.cause === cause);
    const isFree = ({ faults, phase, outside }: Entry) => !outside && faults.length === 0 && phase !== 'mending';
    const free = of.filter(isFree);
    const outside = of.filter((entry) => entry.outside);
    const kinds = [...new Set(of.flatMap(({ faults }) => faults))].sort();
    return [cause, of.length, free.length, outside.length, kinds.join(', ')];
  });
  return [
    `All: ${share(all.length, tally.comparisons)}. Settled and fault-free, without what lies outside of the mesh, and with what is said of each family counted as known: ${share(settled.unknown, settled.of)}.`,
    table(['check', 'all', 'fault-free', 'outside the mesh', 'faults'], lines),
    ...(settled.unknown === 0 ? [] : ['Settled and fault-free, and yet unknown:']),
    settled.reasons
      .slice(0, REASONS)
      .map((reason) => `- ${reason}`)
      .join('\n'),
  ].join('\n\n');
}

function openTable({ openTimes }: Tally): string {
  if (openTimes.length === 0) return 'None was open.';
  const lines = openTimes.map(({ round, fault, node, open_ms, reported_ms }) => [
    ...[round, fault, node, Math.round(open_ms), reported_ms === null ? 'never' : Math.round(reported_ms)],
  ]);
  return table(['round', 'fault', 'node', 'open, ms', 'reported after, ms'], lines);
}

function table(head: readonly string[], lines: readonly (readonly (string | number)[])[]): string {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n');
}

function fenced(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}

function share(part: number, of: number): string {
  return `${part} of ${of} (${of === 0 ? 0 : ((100 * part) / of).toFixed(1)} %)`;
}
