import { isSelected, parseSelector, type Selectable } from '../document/selector.ts';
import type { FirewallRule } from './rule.ts';
import { type Traffic, trafficOf } from './traffic.ts';

/** A rule as it holds on one node. */
export interface HostRule {
  readonly rule: FirewallRule;
  readonly traffic: Traffic;
}

/** The rules that hold on a node, in order. */
export function rulesFor(node: Selectable, rules: readonly FirewallRule[]): readonly FirewallRule[] {
  return rules.filter((rule) => rule.enabled && selects(rule, node));
}

export function selects({ nodes }: FirewallRule, node: Selectable): boolean {
  return nodes.some((text) => matches(text, node));
}

/** Those of the rules that are enabled, made ready to be compared. All of them have been checked. */
export function hostRules(rules: readonly FirewallRule[], meshInterface: string): readonly HostRule[] {
  return rules.filter(({ enabled }) => enabled).map((rule) => ({ rule, traffic: trafficOf(rule, meshInterface) }));
}

function matches(text: string, node: Selectable): boolean {
  const selector = parseSelector(text);
  if (selector === undefined || selector.kind === 'group') {
    throw new Error(`${text} selects no nodes: the firewall was compiled without being checked.`);
  }
  return isSelected(selector, node);
}
