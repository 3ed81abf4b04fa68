import { parseSelector } from '../document/selector.ts';
import type { PolicyNode } from '../policy-node.ts';
import type { FirewallRule } from './rule.ts';
import { type Traffic, trafficOf } from './traffic.ts';

/** A rule as it holds on one node. */
export interface HostRule {
  readonly rule: FirewallRule;
  readonly traffic: Traffic;
}

export type Selectable = Pick<PolicyNode, 'name' | 'tags' | 'boundary'>;

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

function matches(text: string, { name, tags, boundary }: Selectable): boolean {
  const selector = parseSelector(text);
  switch (selector?.kind) {
    case 'all':
      return true;
    case 'tag':
      return tags.includes(selector.tag);
    case 'node':
      return selector.name === name;
    case 'scope':
      return (['team', 'surface', 'environment'] as const).every(
        (part) => selector[part] === '*' || selector[part] === boundary[part],
      );
    default:
      throw new Error(`${text} selects no nodes: the firewall was compiled without being checked.`);
  }
}
