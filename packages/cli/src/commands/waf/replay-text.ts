/** What exclusions would have let through, of the events that are recorded. */
import type { WafProposal, WafReplay } from '@meshwork/contract';
import type { Output } from '../../output.ts';
import { table } from '../../table.ts';
import { printable } from '../../terminal-text.ts';
import { counted } from '../../wording.ts';
import { rulesOfEvent } from './event-text.ts';
import { exclusionFlags, exclusionText } from './exclusion-text.ts';

export function replayText(replay: WafReplay, out: Pick<Output, 'strong'>): string {
  const { examples } = replay;
  if (examples.length === 0) return replayLine(replay);
  const rows = examples.map((event) => [
    event.at,
    event.verdict,
    event.address,
    `${event.method} ${event.host}${event.path}`,
    rulesOfEvent(event),
  ]);
  const headings = ['WOULD HAVE PASSED', 'VERDICT', 'ADDRESS', 'REQUEST', 'RULES'];
  return [replayLine(replay), table(headings, rows, (text) => out.strong(text))].join('\n\n');
}

function replayLine({ events, from, whole, concerned, let_through }: WafReplay): string {
  if (events === 0) return 'No events of the policy are recorded: nothing is known of what it would let through.';
  const looked = `${counted(events, 'event')} since ${from ?? 'the first'}${whole ? '' : ' (there are older ones)'}`;
  return `Of ${looked}, it concerns ${concerned} and would have let ${counted(let_through, 'request')} through.`;
}

export function proposalText(proposal: WafProposal, out: Pick<Output, 'strong'>): string {
  const { event, policy, exclusions, replay, why_none } = proposal;
  if (exclusions.length === 0)
    return printable(`No exclusion lets the request through: ${why_none ?? 'none is known'}`);
  const lines = exclusions.flatMap((one) => [
    printable(`- ${exclusionText(one)}`),
    printable(`  ${replayLine(one.replay)}`),
    printable(`  mesh waf exclude ${policy} ${exclusionFlags(one)}`),
  ]);
  return [
    'With these exclusions the request would have passed:',
    lines.join('\n'),
    `${exclusions.length === 1 ? '' : 'Together: '}${replayText(replay, out)}`,
    `\`mesh waf exclude ${event}\` saves ${exclusions.length === 1 ? 'it as a draft' : 'them as drafts'}.`,
  ].join('\n\n');
}
