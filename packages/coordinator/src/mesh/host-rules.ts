import type { NodeRule } from '@meshwork/contract';
import type { FirewallRule } from '@meshwork/policy';
import type { FirewallDocument } from '../kinds/firewall.ts';
import type { NodeDocument } from '../kinds/nodes.ts';
import { HoldingRules } from './holding-rules.ts';
import type { View } from './model.ts';

/** The id of the one document with all host rules. */
export const FIREWALL_ID = 'mesh';

type StoredRule = FirewallDocument['rules'][number];

interface Read {
  readonly rules: readonly FirewallRule[];
  readonly holding: HoldingRules;
}

const NONE: Read = { rules: [], holding: new HoldingRules([]) };
const known = new WeakMap<FirewallDocument, Read>();

function readRules(view: View): Read {
  const stored = view.get('firewall', FIREWALL_ID)?.body;
  if (stored === undefined) return NONE;
  let read = known.get(stored);
  if (read === undefined) {
    const rules = stored.rules.map(asPolicyRule);
    read = { rules, holding: new HoldingRules(rules) };
    known.set(stored, read);
  }
  return read;
}

/** All host rules in order, as the policy package knows them. */
export function allHostRules(view: View): readonly FirewallRule[] {
  return readRules(view).rules;
}

export function asPolicyRule({
  note,
  created_at: _,
  created_by: __,
  revision: ___,
  ...rule
}: StoredRule): FirewallRule {
  return note === null ? rule : { ...rule, note };
}

/** Those that hold for a node. Nodes with the same rules get the same list. */
export function hostRulesFor(view: View, node: NodeDocument): readonly FirewallRule[] {
  return readRules(view).holding.of(node);
}

const sent = new WeakMap<readonly FirewallRule[], readonly NodeRule[]>();

/** What nodes with this list are sent: neither which other nodes a rule holds for, nor its note. */
export function nodeRules(list: readonly FirewallRule[]): readonly NodeRule[] {
  let rules = sent.get(list);
  if (rules === undefined) {
    // What is optional is absent, never undefined: it was read from JSON.
    rules = list.map(({ note: _, enabled: __, nodes: ___, ...rule }) => rule as NodeRule);
    sent.set(list, rules);
  }
  return rules;
}
