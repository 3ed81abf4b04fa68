/** What can be asked of a node: who may, of which nodes it makes sense, and what follows from it, said before it is done. */
import type { Node, NodeOperationKind, NodeState, Permission } from '@meshwork/contract';

/** An enrolment is asked for by the node itself. */
export type NodeAskKind = Exclude<NodeOperationKind, 'enroll'>;

export interface NodeAsk {
  readonly kind: NodeAskKind;
  /** On its button, as a command. */
  readonly label: string;
  readonly permission: Permission;
  readonly states: readonly NodeState[];
  readonly consequence: (node: Pick<Node, 'name'>) => string;
  /** True: it takes something away from somebody. */
  readonly danger?: boolean;
}

const THERE: readonly NodeState[] = ['pending', 'quarantined', 'unreachable', 'stale', 'joining', 'draining', 'active'];
const HEARD: readonly NodeState[] = ['stale', 'draining', 'active'];

/** In the order of the menu. */
export const NODE_ASKS: readonly NodeAsk[] = [
  {
    kind: 'approve',
    label: 'Approve',
    permission: 'nodes:approve',
    states: ['pending'],
    consequence: ({ name }) =>
      `${name} gets the peers that the policy gives it. Compare its keys with those on the machine first.`,
  },
  {
    kind: 'release',
    label: 'Release from quarantine',
    permission: 'nodes:quarantine',
    states: ['quarantined'],
    consequence: ({ name }) => `${name} gets back the peers that the policy gives it.`,
  },
  {
    kind: 'diagnose',
    label: 'Diagnose',
    permission: 'nodes:diagnose',
    states: ['pending', 'quarantined', ...HEARD],
    consequence: ({ name }) => `${name} says how it stands. Nothing is changed.`,
  },
  {
    kind: 'retag',
    label: 'Change tags',
    permission: 'nodes:write',
    states: THERE,
    consequence: ({ name }) => `Who may reach ${name}, and whom it may reach, follows its tags.`,
  },
  {
    kind: 'move_relay',
    label: 'Move to another relay',
    permission: 'nodes:write',
    states: ['unreachable', ...HEARD],
    consequence: ({ name }) => `Traffic of ${name} that goes by relay moves. What goes directly is not touched.`,
  },
  {
    kind: 'approve_routes',
    label: 'Approve routes',
    permission: 'nodes:write',
    states: THERE,
    consequence: ({ name }) => `Peers reach the approved networks through ${name}, as far as the policy lets them.`,
  },
  {
    kind: 'rekey',
    label: 'Re-key',
    permission: 'nodes:write',
    states: HEARD,
    consequence: ({ name }) =>
      `${name} makes a new WireGuard key, and its session ends. Links to its peers break off for a moment, until they have the new key.`,
  },
  {
    kind: 'drain',
    label: 'Drain',
    permission: 'nodes:write',
    states: ['stale', 'active'],
    consequence: ({ name }) =>
      `${name} gives up its ingresses, its routes and its relay to others. Nobody is cut off, and it stays in the mesh.`,
  },
  {
    kind: 'undrain',
    label: 'End the drain',
    permission: 'nodes:write',
    states: ['draining'],
    consequence: ({ name }) => `${name} may be a relay, a gateway or a provider of routes again.`,
  },
  {
    kind: 'quarantine',
    label: 'Quarantine',
    permission: 'nodes:quarantine',
    states: ['unreachable', 'joining', ...HEARD],
    consequence: ({ name }) =>
      `${name} is cut off at once: its session is void, it has no peers, and everything open through it breaks. It can be released again.`,
    danger: true,
  },
  {
    kind: 'remove',
    label: 'Remove',
    permission: 'nodes:remove',
    states: THERE,
    consequence: ({ name }) =>
      `${name} is gone for good: its session is void at once, its peers let go of it, and its name and addresses are free for others. To come back, the machine has to be enrolled anew.`,
    danger: true,
  },
];

export function askOf(kind: NodeAskKind): NodeAsk {
  const found = NODE_ASKS.find((ask) => ask.kind === kind);
  if (found === undefined) throw new Error(`${kind} is not in the table`);
  return found;
}

/** What is offered for a node in this state to somebody who may do this. */
export function asksFor(state: NodeState, may: (permission: Permission) => boolean): readonly NodeAsk[] {
  return NODE_ASKS.filter((ask) => ask.states.includes(state) && may(ask.permission));
}
