import { aclOperations } from './areas/acls/index.ts';
import { agentOperations } from './areas/agents/index.ts';
import { auditOperations } from './areas/audit/index.ts';
import { delegationOperations } from './areas/delegations/index.ts';
import { eventOperations } from './areas/events/index.ts';
import { firewallOperations } from './areas/firewall/index.ts';
import { ingressOperations } from './areas/ingress/index.ts';
import { metaOperations } from './areas/meta/index.ts';
import { nodeOperations } from './areas/nodes/index.ts';
import { nodeOperationOperations } from './areas/operations/index.ts';
import { overviewOperations } from './areas/overview/index.ts';
import { peerGraphOperations } from './areas/peers/peer-graph.ts';
import { peerOperations } from './areas/peers/links.ts';
import { relayOperations } from './areas/relays/index.ts';
import { roleOperations } from './areas/roles/index.ts';
import { selfOperations } from './areas/self/index.ts';
import { settingsOperations } from './areas/settings/index.ts';
import { tokenOperations } from './areas/tokens/index.ts';
import type { Operation } from './operation.ts';

/** The one table of operations. A new area adds its file under `areas/` and its line here. */
export const OPERATIONS = {
  ...tokenOperations,
  ...delegationOperations,
  ...roleOperations,
  ...selfOperations,
  ...overviewOperations,
  ...nodeOperations,
  ...agentOperations,
  ...nodeOperationOperations,
  ...peerOperations,
  ...peerGraphOperations,
  ...aclOperations,
  ...firewallOperations,
  ...relayOperations,
  ...ingressOperations,
  ...eventOperations,
  ...auditOperations,
  ...settingsOperations,
  ...metaOperations,
} as const satisfies Record<`${string}.${string}`, Operation>;

export type Operations = typeof OPERATIONS;
/** `thing.verb`: also the action in the audit trail and the label in metrics. */
export type OperationId = keyof Operations;
export const OPERATION_IDS = Object.keys(OPERATIONS) as readonly OperationId[];

/** The areas as people know them, in the order that reference pages show them. */
export const AREAS: Readonly<Record<string, { readonly title: string; readonly description: string }>> = {
  tokens: { title: 'Tokens', description: 'Scoped credentials for automation.' },
  delegations: {
    title: 'Delegations',
    description: 'Short-lived tokens through which people speak who are signed in.',
  },
  roles: { title: 'Roles', description: 'Named sets of permissions.' },
  self: { title: 'Identity', description: 'Who the caller is and what it may do.' },
  overview: { title: 'Overview', description: 'How the mesh is, and what needs a person.' },
  nodes: { title: 'Nodes', description: 'The hosts of the mesh: what they are, should be, and can be asked to do.' },
  agents: { title: 'Agents', description: 'What the agent on a node speaks with the coordinator.' },
  operations: { title: 'Operations', description: 'What was asked of nodes, until a heartbeat proves it.' },
  peers: { title: 'Peers', description: 'The links between nodes, as both ends see them.' },
  acls: { title: 'Access', description: 'The policy: who may reach what, and why somebody cannot.' },
  firewall: { title: 'Firewall', description: 'Host rules beside the policy, in order, for the nodes they select.' },
  relays: { title: 'Relays', description: 'Nodes that carry the traffic of those who cannot reach each other.' },
  ingress: { title: 'Ingress', description: 'Ways into the mesh from outside, through gateway nodes.' },
  events: { title: 'Events', description: 'What happens, while it happens.' },
  audit: { title: 'Audit', description: 'Who did what, in a chain that shows when it was tampered with.' },
  settings: { title: 'Settings', description: 'What operators tune while the mesh runs.' },
  meta: { title: 'Meta', description: 'Health, metrics and this description itself.' },
};

export function areaOf(id: OperationId): string {
  return id.slice(0, id.indexOf('.'));
}
