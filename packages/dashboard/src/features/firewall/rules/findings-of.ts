import type { FirewallFinding } from '@meshwork/contract';

/** By the place of the rule in the list that was previewed. */
export function findingsByPlace(findings: readonly FirewallFinding[]): ReadonlyMap<number, readonly FirewallFinding[]> {
  return Map.groupBy(findings, ({ rule }) => Number(/^rule-(\d+)$/.exec(rule)?.[1] ?? -1));
}
