/** What a policy makes of a recorded request when exclusions leave matches of it out. Pure: nothing is read and nothing is asked. */
import type { WafEvent, WafExclusionRules, WafMatch, WafRules } from '@meshwork/contract';

/** What refuses requests, of all that a policy says. */
export type Judging = Pick<WafRules, 'thresholds' | 'rules'>;

/** Numbers of the rule set. What is outside of it is a rule of the operator, or of the policy itself. */
const FIRST_OF_SET = 100_000;
const LAST_OF_SET = 999_999;
/** Rules of the Core Rule Set that look at answers. */
const FIRST_OF_ANSWERS = 950_000;
const LAST_OF_ANSWERS = 979_999;

export function isOfRuleSet({ rule, name }: WafMatch): boolean {
  return name === null && rule >= FIRST_OF_SET && rule <= LAST_OF_SET;
}

export function isOfAnswer({ rule }: WafMatch): boolean {
  return rule >= FIRST_OF_ANSWERS && rule <= LAST_OF_ANSWERS;
}

/** Whether an exclusion would have left a match of an event out. */
export function leavesOut(
  exclusion: WafExclusionRules,
  event: Pick<WafEvent, 'host' | 'path'>,
  match: WafMatch,
): boolean {
  return isOfRuleSet(match) && isAt(exclusion, event) && isAboutRule(exclusion, match) && isAboutPart(exclusion, match);
}

function isAt({ host, path, below }: WafExclusionRules, event: Pick<WafEvent, 'host' | 'path'>): boolean {
  if (host !== event.host.toLowerCase()) return false;
  if (path === event.path) return true;
  return below && event.path.startsWith(path.endsWith('/') ? path : `${path}/`);
}

function isAboutRule({ rule, tag }: WafExclusionRules, match: WafMatch): boolean {
  return rule === null ? tag !== null && match.tags.includes(tag) : rule === match.rule;
}

/** Without a parameter the rules do not run at all. With one, a match that is not known to be in it stays. */
function isAboutPart({ parameter }: WafExclusionRules, match: WafMatch): boolean {
  if (parameter === null) return true;
  if (match.parameter === null || match.parameter.part !== parameter.part) return false;
  const { name } = match.parameter;
  if (parameter.name === null || name === parameter.name) return true;
  return parameter.part === 'header' && name?.toLowerCase() === parameter.name.toLowerCase();
}

/** The rule of the operator or of the policy itself that refuses a request whatever its score is. */
export function refusingRule({ rules }: Judging, { matches, verdict }: WafEvent): WafMatch | undefined {
  if (verdict === 'scored') return undefined;
  return matches.find((match) => {
    if (isOfRuleSet(match)) return false;
    const written = match.name === null ? undefined : rules.find(({ name }) => name === match.name);
    // One that is gone since, or is the policy's own, is known by this: it refused without adding anything.
    return written === undefined ? match.score === 0 : written.action === 'block';
  });
}

/** By how much a request and its answer are over what passes. 0 or less: they pass. */
export function excessOf(
  { thresholds }: Judging,
  event: WafEvent,
  exclusions: readonly WafExclusionRules[],
): { readonly of_request: number; readonly of_answer: number } {
  let { score_in, score_out } = event;
  for (const match of event.matches) {
    if (!match.counts || !exclusions.some((exclusion) => leavesOut(exclusion, event, match))) continue;
    if (isOfAnswer(match)) score_out -= match.score;
    else score_in -= match.score;
  }
  return { of_request: score_in - thresholds.inbound + 1, of_answer: score_out - thresholds.outbound + 1 };
}

/** Whether a request is refused, in the mode `block`. */
export function isRefused(policy: Judging, event: WafEvent, exclusions: readonly WafExclusionRules[]): boolean {
  const { of_request, of_answer } = excessOf(policy, event, exclusions);
  return of_request > 0 || of_answer > 0 || refusingRule(policy, event) !== undefined;
}
