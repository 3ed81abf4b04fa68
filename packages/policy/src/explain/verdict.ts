import type { Explanation, ExplanationStep, Verdict } from './explanation.ts';
import { isSilent, type NodeState } from './facts.ts';
import { type Finding, reaching, type Way } from './way.ts';
import { capital } from './wording.ts';

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
): Pick<Explanation, 'verdict' | 'reason' | 'fix' | 'steps'> {
  const { verdict, decisive, reason } = decide(way, findings);
  const fixes = [decisive, ...findings].flatMap((finding) => finding?.fix ?? []);
  return {
    verdict,
    reason: opening(way, reason),
    steps: findings.map(({ check, outcome, detail }): ExplanationStep => ({ check, outcome, detail })),
    fix: verdict === 'allowed' ? [] : [...new Set(fixes)],
  };
}

interface Decision {
  readonly verdict: Verdict;
  readonly decisive: Finding | undefined;
  /** Without a capital letter and without a full stop. */
  readonly reason: string;
}

function decide(way: Way, findings: readonly Finding[]): Decision {
  const cut = decideCut(way, findings);
  if (cut !== undefined) return cut;
  const uncertain = firstUncertain(findings);
  if (uncertain !== undefined) {
    return { verdict: 'unknown', decisive: uncertain, reason: `${intended(findings)}, but ${uncertain.clause}` };
  }
  const failed = firstFailed(way, findings);
  if (failed !== undefined) return { verdict: 'denied', decisive: failed, reason: failed.clause };
  const open = findings.find(({ outcome }) => outcome === 'unknown');
  if (open !== undefined) {
    return { verdict: 'unknown', decisive: open, reason: `${intended(findings)}, but ${open.clause}` };
  }
  return { verdict: 'allowed', decisive: undefined, reason: `${way.source.name} may ${reaching(way)}` };
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
  const denied: Decision = { verdict: 'denied', decisive: first, reason: first.clause };
  if (cut.some(({ state }) => state === 'pending')) return denied;
  // Both were dropped, and neither can have received that the other was.
  if (second !== undefined && cut.every(({ state }) => isSilent(state))) {
    return {
      verdict: 'unknown',
      decisive: first,
      reason: `${first.clause}, but neither end can have received that change`,
    };
  }
  const unaware = second === undefined ? firstUncertain(findings) : undefined;
  if (unaware === undefined) return denied;
  return { verdict: 'unknown', decisive: first, reason: `${first.clause}, but ${unaware.clause}` };
}

function isPresent(state: NodeState | undefined): boolean {
  return state === undefined || state === 'active' || state === 'draining';
}

/** Where no node forwards to an address, that is the reason, and a missing grant only comes on top. */
function firstFailed({ target }: Way, findings: readonly Finding[]): Finding | undefined {
  const failed = findings.filter(({ outcome }) => outcome === 'fail');
  return (target === undefined ? failed.find(({ check }) => check === 'route') : undefined) ?? failed[0];
}

/** The first end whose state, or whose applied sections, are not known. */
function firstUncertain(findings: readonly Finding[]): Finding | undefined {
  return findings.find(
    ({ check, outcome }) =>
      outcome === 'unknown' && (check === 'source' || check === 'destination' || check === 'applied'),
  );
}

function intended(findings: readonly Finding[]): string {
  const fails = (...checks: readonly Finding['check'][]) =>
    findings.some(({ check, outcome }) => outcome === 'fail' && checks.includes(check));
  if (fails('boundary', 'grant')) return 'the policy denies it';
  if (fails('route')) return 'no route leads there';
  return fails('firewall') ? 'a firewall rule forbids it' : 'the policy allows it';
}

/** Names of nodes and grants keep their small letters, everything else gets a capital. */
function opening({ source, target }: Way, reason: string): string {
  const names = [source.name, target === undefined || target.hidden ? undefined : target.name];
  const startsWithName = names.some((name) => name !== undefined && reason.startsWith(`${name} `));
  return `${startsWithName ? reason : capital(reason)}.`;
}
