/** What can be asked of a node: who may, of which nodes it makes sense, and what follows from it, said before it is done. */
import type { Node, NodeOperationKind, NodeState, Permission } from '@meshwork/contract';

/** An enrolment is requested by the node itself. */
export type NodeAskKind = Exclude<NodeOperationKind, 'enroll'>;

export interface NodeAsk {
  readonly kind: NodeAskKind;
  /** On its button, as a command. */
  readonly label: string;
  readonly permission: Permission;
  readonly states: readonly NodeState[];
  readonly consequence: (node: Pick<Node, 'name'>) => string;
  /** True: it is destructive. */
  readonly danger?: boolean;
}

const THERE: readonly NodeState[] = ['pending', 'quarantined', 'unreachable', 'stale', 'joining', 'draining', 'active'];
const REPORTING: readonly NodeState[] = ['stale', 'draining', 'active'];

/** In the order of the menu. */
export const NODE_ASKS: readonly NodeAsk[] = [
  {
    kind: 'approve',
    label: 'Approve',
    permission: 'nodes:approve',
    states: ['pending'],
    consequence: ({ name }) =>
      `${name} joins the mesh and gets its peers from the policy. Compare its keys with those on the machine first.`,
  },
  {
    kind: 'release',
    label: 'Release from quarantine',
    permission: 'nodes:quarantine',
    states: ['quarantined'],
    consequence: ({ name }) => `${name} gets its peers back.`,
  },
  {
    kind: 'diagnose',
    label: 'Diagnose',
    permission: 'nodes:diagnose',
    states: ['pending', 'quarantined', ...REPORTING],
    consequence: ({ name }) => `${name} runs its diagnostics and reports the result. Nothing changes.`,
  },
  {
    kind: 'retag',
    label: 'Change tags',
    permission: 'nodes:write',
    states: THERE,
    consequence: ({ name }) => `Access to and from ${name} depends on its tags.`,
  },
  {
    kind: 'move_relay',
    label: 'Move to another relay',
    permission: 'nodes:write',
    states: ['unreachable', ...REPORTING],
    consequence: ({ name }) => `Relayed traffic of ${name} moves. Direct connections are not affected.`,
  },
  {
    kind: 'approve_routes',
    label: 'Approve routes',
    permission: 'nodes:write',
    states: THERE,
    consequence: ({ name }) => `Peers can reach the approved networks through ${name}, if the policy allows it.`,
  },
  {
    kind: 'rekey',
    label: 'Re-key',
    permission: 'nodes:write',
    states: REPORTING,
    consequence: ({ name }) =>
      `${name} generates a new WireGuard key and starts a new session. Its links are down for a moment, until peers have the new key.`,
  },
  {
    kind: 'drain',
    label: 'Drain',
    permission: 'nodes:write',
    states: ['stale', 'active'],
    consequence: ({ name }) =>
      `${name} hands its ingresses, routes and relayed nodes over to other nodes. It stays in the mesh, and its own connections are not affected.`,
  },
  {
    kind: 'undrain',
    label: 'Undrain',
    permission: 'nodes:write',
    states: ['draining'],
    consequence: ({ name }) => `${name} can be a relay, gateway or route provider again.`,
  },
  {
    kind: 'quarantine',
    label: 'Quarantine',
    permission: 'nodes:quarantine',
    states: ['unreachable', 'joining', ...REPORTING],
    consequence: ({ name }) =>
      `${name} is cut off immediately: its session ends, it loses all peers, and connections through it break. You can release it later.`,
    danger: true,
  },
  {
    kind: 'remove',
    label: 'Remove',
    permission: 'nodes:remove',
    states: THERE,
    consequence: ({ name }) =>
      `${name} is removed permanently: its session ends immediately, peers drop it, and its name and addresses become available. To return, the machine must enrol again.`,
    danger: true,
  },
];

export function askOf(kind: NodeAskKind): NodeAsk {
  const found = NODE_ASKS.find((ask) => ask.kind === kind);
  if (found === undefined) throw new Error(`${kind} is not in the table`);
  return found;
}

/** What is offered for a node in this state, with these permissions. */
export function asksFor(state: NodeState, may: (permission: Permission) => boolean): readonly NodeAsk[] {
  return NODE_ASKS.filter((ask) => ask.states.includes(state) && may(ask.permission));
}
