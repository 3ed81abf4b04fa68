/**
 * The fewest and narrowest exclusions with which a recorded request would have passed: rule by rule, on its host and path alone, and
 * for the part of the request that the match was in. Pure, so that cases of it are files.
 */
import {
  isScoringRule,
  WAF_PATH_PATTERN,
  type WafEvent,
  type WafExclusionRules,
  type WafMatch,
} from '@meshwork/contract';
import { excessOf, isOfAnswer, isOfRuleSet, type Judging, leavesOut, refusingRule } from './judge-event.ts';
import { faultOfPath } from './sound-exclusion.ts';

const PATH = new RegExp(WAF_PATH_PATTERN);
const LONGEST_PATH = 500;

/** The policy as it is now, with the exclusions that are in force. */
export interface JudgedPolicy extends Judging {
  readonly exclusions: readonly WafExclusionRules[];
}

type Proposal =
  | { readonly exclusions: readonly WafExclusionRules[]; readonly why_none: null }
  | { readonly exclusions: readonly []; readonly why_none: string };

/** What one exclusion takes away from the score. */
interface Candidate {
  readonly exclusion: WafExclusionRules;
  readonly score: number;
}

export function proposeExclusions(policy: JudgedPolicy, event: WafEvent): Proposal {
  if (event.verdict === 'scored') return none('The request passed: nothing refused it.');
  const refusing = refusingRule(policy, event);
  if (refusing !== undefined) return none(whyRefused(refusing));
  if (event.matches_left_out > 0) return none(whyUnknown(event));
  const { of_request, of_answer } = excessOf(policy, event, policy.exclusions);
  if (of_request <= 0 && of_answer <= 0) {
    return none('The policy would let the request pass as it is now, with the exclusions that are in force.');
  }
  const path = faultInPath(event.path);
  if (path !== undefined) return none(`No exclusion can name the path of the request: ${path}.`);
  const open = event.matches.filter(
    (match) =>
      match.counts &&
      match.score > 0 &&
      isOfRuleSet(match) &&
      !isScoringRule(match.rule) &&
      !policy.exclusions.some((exclusion) => leavesOut(exclusion, event, match)),
  );
  const forRequest = fewest(
    candidatesFor(
      event,
      open.filter((match) => !isOfAnswer(match)),
    ),
    of_request,
  );
  const forAnswer = fewest(candidatesFor(event, open.filter(isOfAnswer)), of_answer);
  if (forRequest === undefined || forAnswer === undefined) return none(whyTooMuch(event));
  return { exclusions: [...forRequest, ...forAnswer], why_none: null };
}

function none(why_none: string): Proposal {
  return { exclusions: [], why_none };
}

function whyRefused({ name, message }: WafMatch): string {
  if (name !== null) {
    return `The rule "${name}" of the policy refused it. Exclusions are about the rule set: change or remove that rule.`;
  }
  return `The policy itself refused it: ${message.replace(/\.$/, '')}. Change that part of the policy: no exclusion is about it.`;
}

/** One of them may be of a rule of the policy that refuses by itself: nothing that is proposed would be certain to help. */
function whyUnknown({ matches_left_out }: WafEvent): string {
  return `${matches_left_out} of its matches were not recorded, and any of them may refuse it. Try it on a gateway, or write an exclusion by hand.`;
}

function whyTooMuch({ matches }: WafEvent): string {
  const others = matches.filter((match) => match.counts && match.score > 0 && !isOfRuleSet(match));
  const named = [...new Set(others.flatMap(({ name }) => name ?? []))];
  if (named.length > 0) {
    return `Rules of the policy add too much to its score, which no exclusion changes: ${named.map((name) => `"${name}"`).join(', ')}.`;
  }
  return 'The matches that were recorded do not explain its score.';
}

function faultInPath(path: string): string | undefined {
  if (path.length >= LONGEST_PATH) return 'it is too long, and may be cut off';
  if (!PATH.test(path)) return `"${path}" has letters that a path of a request should have escaped`;
  return faultOfPath(path);
}

/** One for each rule and each part of the request that it matched in. Where the part is not known, the rule as a whole. */
function candidatesFor(event: WafEvent, matches: readonly WafMatch[]): Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (const { rule, parameter, score } of matches) {
    const key = JSON.stringify([rule, parameter?.part, parameter?.name]);
    const exclusion = { rule, tag: null, host: event.host.toLowerCase(), path: event.path, below: false, parameter };
    candidates.set(key, { exclusion, score: (candidates.get(key)?.score ?? 0) + score });
  }
  return [...candidates.values()];
}

/** As few as bring the score down by so much: those that take most away first, of equal ones the narrower. Undefined: none do. */
function fewest(candidates: readonly Candidate[], excess: number): WafExclusionRules[] | undefined {
  const chosen: WafExclusionRules[] = [];
  let left = excess;
  for (const { exclusion, score } of [...candidates].sort(byMerit)) {
    if (left <= 0) break;
    chosen.push(exclusion);
    left -= score;
  }
  return left <= 0 ? chosen : undefined;
}

function byMerit(a: Candidate, b: Candidate): number {
  const width = ({ exclusion: { parameter } }: Candidate) => (parameter === null ? 2 : parameter.name === null ? 1 : 0);
  return b.score - a.score || width(a) - width(b) || (a.exclusion.rule ?? 0) - (b.exclusion.rule ?? 0);
}
