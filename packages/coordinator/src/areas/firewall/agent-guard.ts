import { type AgentNeeds, type FirewallRule, guardAgent, hostRules, type Refusal } from '@meshwork/policy';
import { HoldingRules } from '../../mesh/holding-rules.ts';
import type { NodeDocument } from '../../mesh/kinds.ts';
import type { Stored } from '../../mesh/model.ts';
import { NODE_TABLE } from './agent-needs.ts';

/** Something that agents would lose. */
export interface Cut {
  readonly detail: string;
  /** On how many nodes. */
  readonly nodes: number;
  /** The name of one of them, the first in order. */
  readonly example: string;
}

/**
 * What agents have with the one list and not with the other. What they had lost before (somebody forced it) stands in
 * nobody's way, and what only may be lost does not either.
 */
export function newCuts(
  rules: { readonly before: readonly FirewallRule[]; readonly after: readonly FirewallRule[] },
  nodes: readonly Stored<'node'>[],
  needs: AgentNeeds,
): readonly Cut[] {
  const [before, after] = [new AgentGuard(rules.before, needs), new AgentGuard(rules.after, needs)];
  const cuts = new Map<string, Cut>();
  for (const { body } of nodes) {
    for (const { need, detail } of after.of(body).filter(isCertain)) {
      if (before.of(body).some((other) => isCertain(other) && other.need === need)) continue;
      const known = cuts.get(detail);
      const example = known === undefined || body.name < known.example ? body.name : known.example;
      cuts.set(detail, { detail, nodes: (known?.nodes ?? 0) + 1, example });
    }
  }
  return [...cuts.values()];
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

function isCertain({ certainty }: Refusal): boolean {
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
  const { coordinator, resolvers } = needs;
  const oneByOne = (addresses: readonly string[]) =>
    addresses.length < 2 ? [addresses] : addresses.map((one) => [one]);
  return oneByOne(coordinator.addresses).flatMap((addresses) => {
    const way = { ...needs, coordinator: { ...coordinator, addresses } };
    return resolvers === undefined ? [way] : oneByOne(resolvers).map((some) => ({ ...way, resolvers: some }));
  });
}
