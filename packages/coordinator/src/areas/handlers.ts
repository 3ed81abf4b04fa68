import type { Mesh } from '../mesh/mesh.ts';
import { gatewayProofs } from '../node-status/gateway-proof.ts';
import { aclHandlers } from './acls/acls.handlers.ts';
import type { PolicyTrials } from './acls/policy-trials.ts';
import { agentHandlers } from './agents/agents.handlers.ts';
import { auditHandlers } from './audit/audit.handlers.ts';
import { delegationHandlers } from './delegations/delegations.handlers.ts';
import { eventHandlers } from './events/events.handlers.ts';
import type { EventFeed } from './events/feed.ts';
import { type AgentNeeds, firewallHandlers } from './firewall/firewall.handlers.ts';
import type { Fleet } from './fleet.ts';
import type { Handlers } from './handler.ts';
import { ingressHandlers } from './ingress/ingress.handlers.ts';
import { type MetaSources, metaHandlers } from './meta/meta.handlers.ts';
import { nodeHandlers } from './nodes/nodes.handlers.ts';
import { operationHandlers } from './operations/operations.handlers.ts';
import { overviewHandlers } from './overview/overview.handlers.ts';
import { peerHandlers } from './peers/peers.handlers.ts';
import { relayHandlers } from './relays/relays.handlers.ts';
import { roleHandlers } from './roles/roles.handlers.ts';
import { selfHandlers } from './self/self.handlers.ts';
import { settingsHandlers } from './settings/settings.handlers.ts';
import { tokenHandlers } from './tokens/tokens.handlers.ts';

/** The one list of areas. The compiler holds it to the table of operations: none missing, none too many. */
export function allHandlers(parts: {
  readonly mesh: Mesh;
  readonly fleet: Fleet;
  readonly feed: EventFeed;
  readonly meta: MetaSources;
  readonly trials: PolicyTrials;
  readonly needs?: AgentNeeds;
}): Handlers {
  const { mesh, fleet, feed, meta } = parts;
  return {
    ...tokenHandlers(mesh),
    ...delegationHandlers(mesh),
    ...roleHandlers(mesh),
    ...selfHandlers(mesh),
    ...overviewHandlers(mesh, fleet),
    ...nodeHandlers(mesh, fleet),
    ...agentHandlers(mesh, fleet),
    ...operationHandlers(mesh, fleet),
    ...peerHandlers(mesh, fleet),
    ...aclHandlers(mesh, fleet, parts.trials),
    ...firewallHandlers(mesh, fleet, parts.needs),
    ...relayHandlers(mesh, fleet.sightings.measurements),
    ...ingressHandlers(mesh, gatewayProofs(fleet)),
    ...eventHandlers(mesh, feed),
    ...auditHandlers(mesh),
    ...settingsHandlers(mesh),
    ...metaHandlers(meta),
  };
}
