/** `mesh ingress check`: how an ingress looks from outside, finding by finding. */
import type { OutsideCheck, OutsideFinding } from '@meshwork/contract';
import { EXIT_CODES, type Exit } from '../../exit-codes.ts';
import type { Output, Tint } from '../../output.ts';
import { fields } from '../../table.ts';
import { printable } from '../../terminal-text.ts';
import type { CommandWords } from '../../words/command-words.ts';

const EXITS: Readonly<Record<OutsideCheck['verdict'], Exit>> = {
  reached: 'done',
  partly: 'outside_faults',
  unreached: 'outside_faults',
  unproven: 'outside_unproven',
};

const VERDICTS: Readonly<Record<OutsideCheck['verdict'], readonly [Tint, string]>> = {
  reached: ['good', 'people outside reach it'],
  partly: ['doubtful', 'people outside reach it at some addresses, and not at others'],
  unreached: ['bad', 'people outside do not reach it'],
  unproven: ['doubtful', 'it is not proven that people outside reach it'],
};

const MARKS: Readonly<Record<OutsideFinding['level'], readonly [Tint, string]>> = {
  problem: ['bad', 'problem'],
  notice: ['doubtful', 'notice'],
  good: ['good', 'good'],
};

export const checkOutside: CommandWords<OutsideCheck> = {
  summary: 'Check from outside whether people reach an ingress',
  help: `A node that is no gateway of it looks the host name up by its own resolvers, and connects to what DNS says and to the
public addresses of the gateways, which prove there that they are the ones.

Examples:
  mesh ingress check shop
  mesh ingress check shop --node laptop-3

Exits with ${EXIT_CODES.done.code} when every address of DNS leads to it, with ${EXIT_CODES.outside_faults.code} when one does not, and with ${EXIT_CODES.outside_unproven.code} when what
answers there cannot be proven to be it.`,
  parameters: { node: { help: 'the node that tries it (default: one the coordinator chooses)', completes: 'node' } },
  async run({ send, out }) {
    const check = await send();
    await out.result(check, () => checkText(check, out));
    process.exitCode = EXIT_CODES[EXITS[check.verdict]].code;
  },
};

function checkText(check: OutsideCheck, out: Pick<Output, 'tinted'>): string {
  const [tint, verdict] = VERDICTS[check.verdict];
  return [
    out.tinted(tint, verdict),
    fields([
      ['host name', check.hostname],
      ['in DNS', check.addresses.join(', ') || 'no address'],
      ['checked by', `${check.name}, by ${check.resolvers.join(', ') || 'no resolver'}`],
    ]),
    ...check.findings.map((finding) => findingText(finding, out)),
  ].join('\n\n');
}

function findingText({ level, summary, remedy }: OutsideFinding, out: Pick<Output, 'tinted'>): string {
  const [tint, mark] = MARKS[level];
  const todo = remedy === null ? [] : [`  ${printable(remedy)}`];
  return [`${out.tinted(tint, mark)}: ${printable(summary)}`, ...todo].join('\n');
}
