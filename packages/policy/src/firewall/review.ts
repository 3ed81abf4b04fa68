import type { Selectable } from '../document/selector.ts';
import { type HostRule, selects } from './host-rules.ts';
import type { FirewallRule } from './rule.ts';
import { coversTraffic, trafficOverlaps } from './traffic.ts';

/**
 * Warnings about a rule. Nothing here is refused: it may be intended.
 *
 * - `duplicate`: an earlier rule does the same.
 * - `shadowed`: an earlier rule decides everything that this one matches, so it is never evaluated.
 * - `conflict`: of a part that both match, an earlier rule does the opposite. Where the earlier one is an exception from
 *   this one (all that it matches, this one matches too), that is how exceptions are written, and no conflict.
 * - `no_effect`: an `accept` after which no rule would drop anything of it. It does not admit peers.
 * - `no_node`: it selects none of the nodes that there are.
 */
export interface Finding {
  readonly kind: 'duplicate' | 'shadowed' | 'conflict' | 'no_effect' | 'no_node';
  readonly rule: string;
  /** The earlier rule. */
  readonly by?: string;
  readonly detail: string;
}

/** The rules of one node, in order. */
export function reviewRules(rules: readonly HostRule[]): readonly Finding[] {
  return rules.flatMap((rule, index) => {
    const never = neverEvaluated(rules.slice(0, index), rule);
    if (never !== undefined) return [never];
    return [...conflicts(rules.slice(0, index), rule), ...withoutEffect(rule, rules.slice(index + 1))];
  });
}

export function findUnused(rules: readonly FirewallRule[], nodes: readonly Selectable[]): readonly Finding[] {
  return rules
    .filter((rule) => rule.enabled && !nodes.some((node) => selects(rule, node)))
    .map(({ id, nodes: selectors }) => ({
      kind: 'no_node',
      rule: id,
      detail: `Rule ${id} applies to no node: none matches ${selectors.join(' or ')}.`,
    }));
}

function neverEvaluated(earlier: readonly HostRule[], { rule, traffic }: HostRule): Finding | undefined {
  const same = earlier.find((other) => doesTheSame(other, { rule, traffic }));
  if (same !== undefined) {
    const detail = `Rule ${rule.id} repeats rule ${same.rule.id}.`;
    return { kind: 'duplicate', rule: rule.id, by: same.rule.id, detail };
  }
  const over = earlier.find((other) => isFinal(other.rule) && coversTraffic(other.traffic, traffic));
  if (over === undefined) return undefined;
  const detail = `Rule ${rule.id} is never evaluated: rule ${over.rule.id} before it ${VERBS[over.rule.action]} all that it matches.`;
  return { kind: 'shadowed', rule: rule.id, by: over.rule.id, detail };
}

const VERBS = { accept: 'accepts', drop: 'drops', log: 'logs' } as const;

function doesTheSame(a: HostRule, b: HostRule): boolean {
  const [one, other] = [a.rule.rate, b.rule.rate];
  return (
    a.rule.action === b.rule.action &&
    one?.count === other?.count &&
    one?.per === other?.per &&
    one?.burst === other?.burst &&
    coversTraffic(a.traffic, b.traffic) &&
    coversTraffic(b.traffic, a.traffic)
  );
}

/** Whether nothing that it matches goes on to the next rule. */
function isFinal({ action, rate }: FirewallRule): boolean {
  return action !== 'log' && rate === undefined;
}

function conflicts(earlier: readonly HostRule[], { rule, traffic }: HostRule): readonly Finding[] {
  if (rule.action === 'log') return [];
  return earlier
    .filter((other) => other.rule.action !== 'log' && other.rule.action !== rule.action)
    .filter((other) => trafficOverlaps(other.traffic, traffic))
    .filter((other) => !coversTraffic(traffic, other.traffic) && !coversTraffic(other.traffic, traffic))
    .map(({ rule: { id, action, rate } }) => {
      const limit = rate === undefined ? '' : ', up to its rate';
      const detail = `Rules ${id} and ${rule.id} overlap: rule ${id} ${VERBS[action]} the common part first${limit}; rule ${rule.id} would ${rule.action} it.`;
      return { kind: 'conflict', rule: rule.id, by: id, detail };
    });
}

function withoutEffect({ rule, traffic }: HostRule, later: readonly HostRule[]): readonly Finding[] {
  if (rule.action !== 'accept') return [];
  if (later.some((other) => other.rule.action !== 'accept' && trafficOverlaps(other.traffic, traffic))) return [];
  const reason = 'no later rule would drop or log any of it';
  const mesh = rule.direction === 'out' ? '' : ' Only a grant of the policy admits traffic from the mesh.';
  return [{ kind: 'no_effect', rule: rule.id, detail: `Rule ${rule.id} changes nothing: ${reason}.${mesh}` }];
}
