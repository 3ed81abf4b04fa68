import type { FirewallFinding } from '@meshwork/contract';
import {
  type AgentNeeds,
  type Finding,
  type FirewallRule,
  guardAgent,
  hostRules,
  type Refusal,
  reviewRules,
} from '@meshwork/policy';
import { NODE_TABLE } from '../../node-status/agent-needs.ts';

/** What is dangerous or odd about the rules of one node, as it holds for so many nodes. */
export function findingsOf(
  rules: readonly FirewallRule[],
  needs: AgentNeeds,
  nodes: number,
): readonly FirewallFinding[] {
  const ready = hostRules(rules, NODE_TABLE.meshInterface);
  return [
    ...guardAgent(ready, needs).map((refusal) => ofRefusal(refusal, nodes)),
    ...reviewRules(ready).map((finding) => ofFinding(finding, nodes)),
  ];
}

export function ofFinding({ kind, rule, by, detail }: Finding, nodes: number): FirewallFinding {
  return { kind, rule, by: by ?? null, detail, nodes };
}

/** Where several rules do it together, the first stands for them, and the sentence names them all. */
export function ofRefusal({ certainty, rules, detail }: Refusal, nodes: number): FirewallFinding {
  const kind = certainty === 'cuts' ? 'cuts_off' : 'may_cut_off';
  return { kind, rule: rules[0] ?? '', by: null, detail, nodes };
}

/** Equal ones become one, for all their nodes together. In order of the rules that they are about. */
export function mergeFindings(findings: readonly FirewallFinding[], rules: readonly FirewallRule[]): FirewallFinding[] {
  const merged = new Map<string, FirewallFinding>();
  for (const finding of findings) {
    const { nodes, ...rest } = finding;
    const key = JSON.stringify(rest);
    merged.set(key, { ...finding, nodes: nodes + (merged.get(key)?.nodes ?? 0) });
  }
  const places = new Map(rules.map(({ id }, place) => [id, place]));
  const placeOf = ({ rule }: FirewallFinding) => places.get(rule) ?? rules.length;
  return [...merged.values()].sort((a, b) => placeOf(a) - placeOf(b));
}
