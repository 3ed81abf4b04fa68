import { type AgentNeeds, type FirewallRule, guardAgent, hostRules, type Refusal } from '@meshwork/policy';
import type { NodeDocument } from '../../kinds/nodes.ts';
import { HoldingRules } from '../../mesh/holding-rules.ts';
import type { Stored } from '../../mesh/model.ts';
import { NODE_TABLE, type NodeNeeds } from '../../node-status/agent-needs.ts';

/** Something that agents would lose, or may. */
export interface Cut extends Refusal {
  /** On how many nodes. */
  readonly nodes: number;
  /** The name of one of them, the first in order. */
  readonly example: string;
}

/**
 * What agents have with the one list and not with the other. What they had lost before (an operator forced it) is not
 * reported again.
 */
export function newCuts(
  rules: { readonly before: readonly FirewallRule[]; readonly after: readonly FirewallRule[] },
  nodes: readonly Stored<'node'>[],
  needs: NodeNeeds,
): readonly Cut[] {
  const guards = new Map<AgentNeeds, readonly [before: AgentGuard, after: AgentGuard]>();
  const cuts = new Map<string, Cut>();
  for (const { id, body } of nodes) {
    const own = needs.of(id);
    const [before, after] = guards.get(own) ?? [new AgentGuard(rules.before, own), new AgentGuard(rules.after, own)];
    guards.set(own, [before, after]);
    for (const refusal of after.of(body)) {
      if (before.of(body).some((other) => isAsBad(other, refusal))) continue;
      const known = cuts.get(refusal.detail);
      const example = known === undefined || body.name < known.example ? body.name : known.example;
      cuts.set(refusal.detail, { ...refusal, nodes: (known?.nodes ?? 0) + 1, example });
    }
  }
  return [...cuts.values()];
}

/** One that may cut by other rules than before is worth another word. */
function isAsBad(before: Refusal, after: Refusal): boolean {
  if (before.need !== after.need) return false;
  return isCertain(before) || (!isCertain(after) && before.detail === after.detail);
}

/** What a list of rules takes from the agent of each node. Judged once for all nodes where the same rules matter. */
class AgentGuard {
  readonly #needs: AgentNeeds;
  readonly #holding: HoldingRules;
  readonly #judged = new Map<readonly FirewallRule[], readonly Refusal[]>();

  constructor(rules: readonly FirewallRule[], needs: AgentNeeds) {
    this.#needs = needs;
    this.#holding = new HoldingRules(rules.filter((rule) => concernsAgents(rule, needs)));
  }

  of(node: NodeDocument): readonly Refusal[] {
    const rules = this.#holding.of(node);
    let refusals = this.#judged.get(rules);
    if (refusals === undefined) {
      refusals = guardAgent(hostRules(rules, NODE_TABLE.meshInterface), this.#needs);
      this.#judged.set(rules, refusals);
    }
    return refusals;
  }
}

export function isCertain({ certainty }: Refusal): boolean {
  return certainty === 'cuts';
}

/**
 * Whether the guard would look at the rule at all. It does so exactly if the rule, as a `drop` and alone, would touch one
 * of the ways by which an agent gets what it needs. Most rules do not, and so few lists are left to be judged.
 */
export function concernsAgents(rule: FirewallRule, needs: AgentNeeds): boolean {
  if (!rule.enabled || rule.action === 'log') return false;
  const { rate: _, ...rest } = rule;
  const alone = hostRules([{ ...rest, action: 'drop' }], NODE_TABLE.meshInterface);
  return waysOf(needs).some((way) => guardAgent(alone, way).length > 0);
}

/** Each address by itself: where there are several, a rule about one of them takes nothing yet, but does count. */
function waysOf(needs: AgentNeeds): readonly AgentNeeds[] {
  const { coordinator, resolvers, relays = [] } = needs;
  const oneByOne = (addresses: readonly string[]) =>
    addresses.length < 2 ? [addresses] : addresses.map((one) => [one]);
  const perRelay = relays.length < 2 ? [] : relays.map((relay) => ({ ...needs, relays: [relay] }));
  const others = oneByOne(coordinator.addresses).flatMap((addresses) => {
    const way = { ...needs, coordinator: { ...coordinator, addresses } };
    return resolvers === undefined ? [way] : oneByOne(resolvers).map((some) => ({ ...way, resolvers: some }));
  });
  return [...others, ...perRelay];
}
