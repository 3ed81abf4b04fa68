import { type FirewallFinding, MeshError, WHOLE_MESH } from '@meshwork/contract';
import { allHostRules, asPolicyRule, FIREWALL_ID } from '../../mesh/host-rules.ts';
import type { View } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { NodeNeeds } from '../../node-status/agent-needs.ts';
import { type Cut, isCertain, newCuts } from './agent-guard.ts';
import { ofRefusal } from './findings.ts';
import { presentNodes, type StoredRule, storedRules } from './stored-rules.ts';

interface Change {
  /** The rule that is made, changed or deleted. */
  readonly id: string;
  readonly isNew?: boolean;
  /** What else the trail should say. */
  readonly detail?: string | null;
  readonly force: boolean;
  /** As of the transaction. */
  readonly needsIn: (view: View) => NodeNeeds;
}

/**
 * The one way to change the list. Refused when it takes from agents what they need and had, unless that is meant. Answers
 * with what it takes or may take from them.
 */
export function replaceRules(
  tx: Transaction,
  rules: readonly StoredRule[],
  change: Change,
): readonly FirewallFinding[] {
  const { id, detail = null, force, needsIn } = change;
  const lists = { before: allHostRules(tx), after: rules.map(asPolicyRule) };
  const found = newCuts(lists, presentNodes(tx), needsIn(tx));
  const cuts = found.filter(isCertain);
  if (cuts.length > 0 && !force) throw refusal(cuts, change);
  const forced = cuts.length === 0 ? [] : [`forced: ${said(cuts)}`];
  const words = [...(detail === null ? [] : [detail]), ...forced];
  const ruleIn = (list: readonly StoredRule[]) => list.find((rule) => rule.id === id) ?? null;
  tx.record({
    target: { kind: 'firewall', id },
    detail: words.length === 0 ? null : words.join('; '),
    // The one rule: the whole list, before and after, would be most of the trail.
    changes: [{ kind: 'firewall', id, before: ruleIn(storedRules(tx)), after: ruleIn(rules) }],
  });
  tx.put('firewall', FIREWALL_ID, { rules });
  tx.emit({ type: 'firewall.changed', subject: { kind: 'firewall', id }, scope: WHOLE_MESH, data: {} });
  return found.map((cut) => ofRefusal(cut, cut.nodes));
}

/** A rule that was refused has no id that anybody could look up. */
function refusal(cuts: readonly Cut[], { id, isNew = false }: Change): MeshError {
  const text = isNew ? said(cuts).replaceAll(id, 'new-rule') : said(cuts);
  return new MeshError('firewall_cuts_off', `${text} Send \`force\` if that is meant.`);
}

/** Sentences about the same nodes stand together. */
function said(cuts: readonly Cut[]): string {
  const byPlace = Map.groupBy(cuts, ({ nodes, example }) =>
    nodes === 1 ? example : `${example} and ${nodes - 1} more`,
  );
  return [...byPlace]
    .map(([place, some]) => `${some.map(({ detail }) => detail).join(' ')} That is so on ${place}.`)
    .join(' ');
}
