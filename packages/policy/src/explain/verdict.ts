import { rateWords } from './check-firewall.ts';
import type { Condition, Explanation, ExplanationStep, Verdict } from './explanation.ts';
import { isSilent, type NodeState } from './facts.ts';
import { combineFixes } from './fixes.ts';
import { type Finding, reaching, starting, type Way } from './way.ts';

/**
 * What the findings come to.
 *
 * What is in effect outweighs what should be: where an end is offline, or has not applied what it was sent, the verdict is
 * `unknown`, whatever the policy says. That goes for a quarantined node, too: until the other end has dropped it, the two may
 * still talk. Only a node that was never approved is denied for certain. After that, one obstacle is enough to deny.
 */
export function judge(
  way: Way,
  findings: readonly Finding[],
  conditions: readonly Condition[],
): Pick<Explanation, 'verdict' | 'reason' | 'fix' | 'steps' | 'conditions'> {
  const { verdict, reason } = decide(way, findings);
  const isAllowed = verdict === 'allowed';
  return {
    verdict,
    reason: `${starting(way, isAllowed ? `${reason}${upTo(conditions)}` : reason)}.`,
    steps: findings.map(({ check, outcome, detail }): ExplanationStep => ({ check, outcome, detail })),
    fix: isAllowed ? [] : combineFixes(findings),
    conditions: isAllowed ? conditions : [],
  };
}

const SECONDS = { second: 1, minute: 60, hour: 3600 } as const;

/** The tightest of the rates, with a colon before it. */
function upTo(conditions: readonly Condition[]): string {
  const [tightest] = conditions
    .map(({ up_to }) => up_to)
    .toSorted((a, b) => a.count / SECONDS[a.per] - b.count / SECONDS[b.per]);
  return tightest === undefined ? '' : `: allowed up to ${rateWords(tightest)}`;
}

interface Decision {
  readonly verdict: Verdict;
  /** Without a capital letter and without a full stop. */
  readonly reason: string;
}

function decide(way: Way, findings: readonly Finding[]): Decision {
  if (way.target === undefined) return decideOutside(findings);
  const cut = decideCut(way, findings);
  if (cut !== undefined) return cut;
  const uncertain = firstUncertain(findings);
  if (uncertain !== undefined) {
    return { verdict: 'unknown', reason: `${intended(findings)}, but ${uncertain.clause}` };
  }
  const failed = findings.find(({ outcome }) => outcome === 'fail');
  const opened = findings.find(({ may_open }) => may_open === true);
  if (failed !== undefined && opened === undefined) return { verdict: 'denied', reason: failed.clause };
  const open = opened ?? findings.find(({ outcome }) => outcome === 'unknown');
  if (open !== undefined) return { verdict: 'unknown', reason: `${intended(findings)}, but ${open.clause}` };
  return { verdict: 'allowed', reason: `${way.source.name} may ${reaching(way)}` };
}

/** What does not go through the mesh is not decided by it, unless a rule of the source drops it whichever way it goes. */
function decideOutside(findings: readonly Finding[]): Decision {
  const found = (check: Finding['check']) => findings.find((finding) => finding.check === check);
  const [route, firewall] = [found('route'), found('firewall')];
  if (firewall?.outcome !== 'fail') return { verdict: 'unknown', reason: route?.clause ?? '' };
  const uncertain = firstUncertain(findings);
  if (uncertain === undefined && found('source')?.outcome === 'pass') {
    return { verdict: 'denied', reason: firewall.clause };
  }
  return { verdict: 'unknown', reason: `${firewall.clause}, but ${(uncertain ?? found('source'))?.clause}` };
}

/** An end that is pending, quarantined, or dropped by its peers. Undefined: both are members. */
function decideCut({ source, target }: Way, findings: readonly Finding[]): Decision | undefined {
  const ends = [
    { state: source.node.state, finding: findings.find(({ check }) => check === 'source') },
    { state: target?.node.state, finding: findings.find(({ check }) => check === 'destination') },
  ];
  const cut = ends.filter(({ state, finding }) => finding?.outcome === 'fail' && !isPresent(state));
  const [first, second] = cut.map(({ finding }) => finding);
  if (first === undefined) return undefined;
  const denied: Decision = { verdict: 'denied', reason: first.clause };
  if (cut.some(({ state }) => state === 'pending')) return denied;
  // Both were dropped, and neither can have received that the other was.
  if (second !== undefined && cut.every(({ state }) => isSilent(state))) {
    return { verdict: 'unknown', reason: `${first.clause}, but neither end can have received that change` };
  }
  const unaware = second === undefined ? firstUncertain(findings) : undefined;
  if (unaware === undefined) return denied;
  return { verdict: 'unknown', reason: `${first.clause}, but ${unaware.clause}` };
}

function isPresent(state: NodeState | undefined): boolean {
  return state === undefined || state === 'active' || state === 'draining';
}

/** The first end whose state, or whose applied sections, are not known. */
function firstUncertain(findings: readonly Finding[]): Finding | undefined {
  return findings.find(
    ({ check, outcome, moot }) =>
      outcome === 'unknown' && moot !== true && (check === 'source' || check === 'destination' || check === 'applied'),
  );
}

function intended(findings: readonly Finding[]): string {
  const fails = (...checks: readonly Finding['check'][]) =>
    findings.some(({ check, outcome }) => outcome === 'fail' && checks.includes(check));
  if (fails('boundary', 'grant')) return 'the policy denies it';
  if (fails('route')) return 'no route leads there';
  return fails('firewall') ? 'a firewall rule forbids it' : 'the policy allows it';
}
