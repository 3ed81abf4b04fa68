import { type FirewallRule, MeshError } from '@meshwork/contract';
import type { FirewallDocument } from '../../kinds/firewall.ts';
import { FIREWALL_ID } from '../../mesh/host-rules.ts';
import type { Stored, View } from '../../mesh/model.ts';

export type StoredRule = FirewallDocument['rules'][number];

const NONE: readonly StoredRule[] = [];

/** All of them, in order. */
export function storedRules(view: View): readonly StoredRule[] {
  return view.get('firewall', FIREWALL_ID)?.body.rules ?? NONE;
}

export function placeOfRule(rules: readonly StoredRule[], id: string): number {
  const place = rules.findIndex((rule) => rule.id === id);
  if (place < 0) throw new MeshError('not_found', `There is no host rule "${id}".`);
  return place;
}

export function ruleAt(rules: readonly StoredRule[], place: number): StoredRule {
  const rule = rules[place];
  if (rule === undefined) throw new Error(`There is no host rule in place ${place}.`);
  return rule;
}

export function ruleRecord(rules: readonly StoredRule[], position: number): FirewallRule {
  return { ...ruleAt(rules, position), position };
}

/**
 * Nodes that can be sent rules: also those that are pending or in quarantine, since neither lifts what a host must not
 * do.
 */
export function presentNodes(view: View): readonly Stored<'node'>[] {
  return [...view.all('node')].filter(({ body }) => body.removed_at === null);
}
