/**
 * Everything that can be heard of while it happens. The table is the truth: the stream, webhooks and the docs read it.
 * An event says what happened, in the past tense, and is written in the same commit as the change it tells of.
 */

import { NODE_OPERATION_KINDS, NODE_OPERATION_STATES } from './areas/operations/index.ts';
import { maybe } from './maybe.ts';
import { named } from './named.ts';
import { NodeStateText } from './node-fields.ts';
import { Strict } from './operation.ts';
import { Timestamp } from './time.ts';
import { type Static, type TObject, Type } from './type.ts';

const Name = (what: string) => Type.String({ description: `Name of the ${what}.` });
const node = { name: Name('node') };
const Nothing = Strict({});
const OnNode = Strict(node);
const stateChange = Strict({ ...node, state: NodeStateText, heartbeat: maybe(Timestamp('The last one.')) });
const token = Strict({ name: Name('token'), expires: Timestamp('When it stops being good.') });

export const EVENTS = {
  'node.joined': {
    summary: 'A node was enrolled',
    data: Strict({ ...node, address: Type.String({ description: 'Its address.' }), state: NodeStateText }),
  },
  'node.approved': { summary: 'A pending node was let in', data: OnNode },
  'node.retagged': {
    summary: 'The tags of a node were replaced',
    data: Strict({ ...node, tags: Type.Array(Type.String(), { description: 'Its tags now.' }) }),
  },
  'node.left': { summary: 'A node was moved to another boundary', data: OnNode },
  'node.rekeyed': {
    summary: 'A node uses a new WireGuard key',
    data: Strict({ ...node, wireguard_key: Type.String({ description: 'Its key now.' }) }),
  },
  'node.reported': {
    summary: 'A node reported other endpoints, services or routes',
    data: Strict({ ...node, changed: Type.Array(Type.String(), { description: 'Which of them.' }) }),
  },
  'node.stale': { summary: 'The heartbeat of a node is overdue', data: stateChange },
  'node.unreachable': { summary: 'The heartbeat of a node has been overdue for long', data: stateChange },
  'node.recovered': { summary: 'A node is heard of again', data: stateChange },
  'node.drifted': {
    summary: 'A node is not what it should be',
    data: Strict({
      ...node,
      sections: Type.Array(Type.String(), { description: 'In which sections.' }),
      reason: Type.String({ description: 'How.' }),
    }),
  },
  'node.drift_repaired': {
    summary: 'A node put back what somebody else had changed',
    data: Strict({
      ...node,
      sections: Type.Array(Type.String(), { description: 'In which sections.' }),
      reason: Type.String({ description: 'What it found there.' }),
      count: Type.Integer({ description: 'How often since this was last told: once a minute at most.' }),
    }),
  },
  'node.rolled_back': {
    summary: 'A node rolled back a change that had cut it off from the coordinator',
    data: Strict({
      ...node,
      sections: Type.Array(Type.String(), { description: 'In which sections.' }),
      reason: Type.String({ description: 'Why, and which revision.' }),
    }),
  },
  'node.rollback_cleared': {
    summary: 'What a node had rolled back was changed, and is in effect',
    data: Strict({ ...node, sections: Type.Array(Type.String(), { description: 'In which sections.' }) }),
  },
  'node.settled': { summary: 'A node is again what it should be', data: OnNode },
  'node.draining': { summary: 'A node gives up its roles', data: OnNode },
  'node.undrained': { summary: 'A node may have roles again', data: OnNode },
  'node.quarantined': {
    summary: 'A node was cut off',
    data: Strict({ ...node, reason: maybe(Type.String(), 'Why. Null: nobody said.') }),
  },
  'node.released': { summary: 'A node was released from quarantine', data: OnNode },
  'node.removed': { summary: 'A node was removed', data: OnNode },
  'operation.changed': {
    summary: 'An operation on a node went on or ended',
    data: Strict({
      kind: Type.Enum(NODE_OPERATION_KINDS, { description: 'Which.' }),
      state: Type.Enum(NODE_OPERATION_STATES, { description: 'Its state now.' }),
      node: Type.String({ description: 'Id of the node.' }),
      node_name: Name('node'),
      reason: maybe(Type.String(), 'Why it did not succeed. Null: it did, or is under way.'),
    }),
  },
  'policy.changed': {
    summary: 'The policy was replaced',
    data: Strict({
      version: Type.Integer({ description: 'Of the policy now.' }),
      restored_from: maybe(Type.Integer(), 'The version it was restored from. Null: it is new.'),
    }),
  },
  'policy.grant_expired': {
    summary: 'A grant of the policy has expired',
    data: Strict({ grant: Type.String({ description: 'Which: `developers -> git-servers`.' }) }),
  },
  'firewall.changed': { summary: 'The host rules were changed', data: Nothing },
  'relay.created': { summary: 'A node was made a relay', data: Nothing },
  'relay.changed': { summary: 'A relay was changed, drained or undrained', data: Nothing },
  'relay.deleted': { summary: 'A relay was deleted', data: Nothing },
  'relay.assigned': {
    summary: 'A node was assigned to another relay',
    data: Strict({
      ...node,
      from: maybe(Type.String(), 'The old one. Null: none.'),
      to: maybe(Type.String(), 'The new one. Null: none.'),
    }),
  },
  'route.moved': {
    summary: 'A network is reached through another node',
    data: Strict({
      cidr: Type.String({ description: 'The network.' }),
      from: maybe(Type.String(), 'Name of the old node. Null: none.'),
      to: maybe(Type.String(), 'Name of the new node. Null: none.'),
    }),
  },
  'route.overlapped': {
    summary: 'A network overlaps one that is approved in another boundary',
    data: Strict({
      cidr: Type.String({ description: 'The network, as it is approved in this boundary.' }),
      nodes: Type.Array(Type.String(), { description: 'Names of the nodes of this boundary that have it.' }),
    }),
  },
  'route.overlap_ended': {
    summary: 'A network no longer overlaps one of another boundary',
    data: Strict({ cidr: Type.String({ description: 'The network.' }) }),
  },
  'ingress.created': { summary: 'An ingress was created', data: Nothing },
  'ingress.changed': { summary: 'An ingress was changed, drained or undrained', data: Nothing },
  'ingress.deleted': { summary: 'An ingress was deleted', data: Nothing },
  'ingress.placed': {
    summary: 'An ingress is served by other gateways',
    data: Strict({ gateways: Type.Array(Type.String(), { description: 'Names of the gateways now.' }) }),
  },
  'token.created': { summary: 'A token was created', data: token },
  'token.rotated': {
    summary: 'A token was rotated',
    data: Strict({ name: Name('token'), successor: Type.String({ description: 'Id of the successor.' }) }),
  },
  'token.revoked': { summary: 'A token was revoked', data: Strict({ name: Name('token') }) },
  'token.expiring': { summary: 'A token expires within a week', data: token },
  'settings.changed': { summary: 'The settings were changed', data: Nothing },
} as const satisfies Record<`${string}.${string}`, { readonly summary: string; readonly data: TObject }>;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];
export type EventData<T extends EventType> = Static<(typeof EVENTS)[T]['data']>;

export const EventRecord = named(
  'Event',
  Type.Object(
    {
      seq: Type.Integer({ description: 'Its place in the stream, rising. Also the `id` of the server-sent event.' }),
      type: Type.Enum(EVENT_TYPES, { description: 'What happened.' }),
      at: Type.String({ format: 'date-time', description: 'To the millisecond.' }),
      subject: Type.Object(
        {
          kind: Type.Enum(
            ['node', 'operation', 'relay', 'route', 'ingress', 'policy', 'firewall', 'token', 'settings'],
            {
              description: 'What kind of thing.',
            },
          ),
          id: Type.String({ description: 'Which one.' }),
        },
        { additionalProperties: false, description: 'What it happened to.' },
      ),
      revision: Type.Integer({ description: 'The revision of the mesh that came with it.' }),
      data: Type.Record(Type.String(), Type.Unknown(), { description: 'More, by type.' }),
    },
    { additionalProperties: false },
  ),
);
export type EventRecord = Static<typeof EventRecord>;
