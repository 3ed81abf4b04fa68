import { type Attention, MAX_ATTENTION, type OperationId } from '@meshwork/contract';
import { type Facts, mayAsk } from './facts.ts';
import { findingsOfRules } from './firewall-attention.ts';
import { unservedIngresses } from './ingress-attention.ts';
import { MostUrgent } from './most-urgent.ts';
import {
  driftingNodes,
  pendingNodes,
  quarantinedNodes,
  rolledBackNodes,
  skewedNodes,
  staleNodes,
  unreachableNodes,
} from './node-attention.ts';
import { failedOperations } from './operation-attention.ts';
import { expiringGrants } from './policy-attention.ts';
import { relaysDown } from './relay-attention.ts';
import { overlappingRoutes, refusedRoutes, routesDown, unapprovedRoutes } from './route-attention.ts';
import { expiringTokens } from './token-attention.ts';

interface Rule {
  /** Whoever may not ask for it there is not told of it here. */
  readonly told_by: OperationId;
  readonly find: (facts: Facts) => Iterable<Attention>;
}

/** Everything that needs a person. A new rule adds its line here, and its kind in the contract. */
const RULES: readonly Rule[] = [
  { told_by: 'nodes.list', find: unreachableNodes },
  { told_by: 'nodes.list', find: staleNodes },
  { told_by: 'nodes.list', find: rolledBackNodes },
  { told_by: 'nodes.list', find: driftingNodes },
  { told_by: 'nodes.list', find: skewedNodes },
  { told_by: 'nodes.list', find: pendingNodes },
  { told_by: 'nodes.list', find: quarantinedNodes },
  { told_by: 'nodes.list', find: routesDown },
  { told_by: 'nodes.list', find: overlappingRoutes },
  { told_by: 'nodes.list', find: refusedRoutes },
  { told_by: 'nodes.list', find: unapprovedRoutes },
  { told_by: 'operations.list', find: failedOperations },
  { told_by: 'relays.list', find: relaysDown },
  { told_by: 'ingress.list', find: unservedIngresses },
  { told_by: 'tokens.list', find: expiringTokens },
  { told_by: 'acls.show', find: expiringGrants },
  { told_by: 'firewall.list', find: findingsOfRules },
];

export function attentionOf(facts: Facts): { attention: Attention[]; attention_total: number } {
  const urgent = new MostUrgent(MAX_ATTENTION);
  for (const { told_by, find } of RULES) {
    if (mayAsk(facts.actor, told_by)) for (const one of find(facts)) urgent.add(one);
  }
  return { attention: [...urgent.kept], attention_total: urgent.total };
}
