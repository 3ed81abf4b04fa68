/** What the WAF found in a request, for people. */
import type { WafEvent, WafMatch } from '@meshwork/contract';
import type { Output, Tint } from '../../output.ts';
import { fields, table } from '../../table.ts';
import { when } from '../../when.ts';
import { counted } from '../../wording.ts';
import { parameterText } from './exclusion-text.ts';

export const VERDICTS: Readonly<Record<WafEvent['verdict'] | 'passed', string>> = {
  blocked: 'blocked: it was refused',
  detected: 'detected: it would have been refused in the mode block',
  scored: 'scored: rules matched, and it passed',
  passed: 'passed: no rule matched',
};

export const TINTS: Readonly<Record<WafEvent['verdict'] | 'passed', Tint>> = {
  blocked: 'bad',
  detected: 'doubtful',
  scored: 'good',
  passed: 'good',
};

export function eventText(event: WafEvent, out: Pick<Output, 'strong' | 'tinted'>): string {
  const { verdict, status, score_in, score_out } = event;
  const facts = fields([
    ['id', event.id],
    ['at', when(event.at)],
    ['request', `${event.method} ${event.host}${event.path}`],
    ['from', event.address],
    ['answer', String(status)],
    ['score', `${score_in} for the request${score_out === 0 ? '' : `, ${score_out} for the answer`}`],
    ['policy', event.policy],
    ['ingress', `${event.ingress} ${event.route}`],
    ['gateway', event.gateway],
    ['request id', event.request_id],
  ]);
  const said = out.tinted(TINTS[verdict], VERDICTS[verdict]);
  return [said, facts, ...matchesText(event, out)].join('\n\n');
}

type Matches = Pick<WafEvent, 'matches' | 'matches_left_out'>;

export function matchesText({ matches, matches_left_out }: Matches, out: Pick<Output, 'strong'>): string[] {
  if (matches.length === 0) return [];
  const rows = matches.map((match) => [
    ruleName(match),
    scoreText(match),
    parameterText(match.parameter),
    match.fragment === null ? 'not recorded: may be a secret' : JSON.stringify(match.fragment),
    match.message,
  ]);
  const headings = ['RULE', 'SCORE', 'PARAMETER', 'FRAGMENT', 'MESSAGE'];
  const more = matches_left_out === 0 ? [] : [`${counted(matches_left_out, 'more match')} not named`];
  return [[table(headings, rows, (text) => out.strong(text)), ...more].join('\n')];
}

/** What does not count was found only because more is recorded than blocks. */
function scoreText({ score, counts, paranoia }: WafMatch): string {
  return counts ? String(score) : `(${score}) level ${paranoia}`;
}

/** Numbers below are of the policy: its own checks, and rules of the operator by their place. */
const FIRST_OF_RULE_SET = 100_000;

function ruleName({ rule, name }: WafMatch): string {
  return name ?? (rule < FIRST_OF_RULE_SET ? 'policy' : String(rule));
}

/** In a cell: the rules that matched, the gravest first. */
export function rulesOfEvent({ matches, matches_left_out }: Matches): string {
  const rules = [...new Set(matches.map(ruleName))];
  const more = rules.length - 3 + matches_left_out;
  return `${rules.slice(0, 3).join(' ')}${more > 0 ? ` +${more}` : ''}` || '-';
}
