import { defineArea } from '../../area.ts';
import { NoData, ofNode } from '../../event-data.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText } from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { NODE_NAME_PATTERN } from '../nodes/vocabulary.ts';
import { relayVocabulary } from './vocabulary.ts';

const RelayName = Type.String({ pattern: NODE_NAME_PATTERN, description: 'Names it; cannot be changed.' });
/** A host name or an address. */
export const HOST_PATTERN =
  '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|[0-9a-f:]{2,39})$';
const Host = Type.String({
  maxLength: 253,
  pattern: HOST_PATTERN,
  description: 'Host name or address that nodes reach it on.',
});
const Port = Type.Integer({ minimum: 1, maximum: 65_535, description: 'UDP port that it listens on.' });
const Capacity = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'Nodes assigned to it at most. An operator can pin more nodes to it.',
});

export const Relay = named(
  'Relay',
  Type.Object(
    {
      name: RelayName,
      node: NodeIdText,
      host: Host,
      port: Port,
      capacity: Capacity,
      draining: Type.Boolean({ description: 'True: it is given no node, and those it had go elsewhere.' }),
      healthy: Type.Boolean({
        description:
          'Whether it is proven to work: a fresh node other than its own reports a STUN answer from it, and its own node is fresh, approved and stays.',
      }),
      health: Type.String({ description: 'Why it is healthy or not, in words.' }),
      nodes: Type.Integer({ description: 'Nodes assigned to it now.' }),
      created_at: Timestamp('When it was made.'),
      revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
    },
    { additionalProperties: false },
  ),
);
export type Relay = Static<typeof Relay>;

const NodeRef = Type.String({ maxLength: 64, description: 'The node that runs it, by id or name.' });
const byName = Type.Object({ name: Type.String({ maxLength: 64, description: 'Name of the relay.' }) });

const exampleRelay: Relay = {
  name: 'fra-1',
  node: exampleNode.id,
  host: 'fra-1.example.net',
  port: 3478,
  capacity: 500,
  draining: false,
  healthy: true,
  health: 'Measured by 12 nodes.',
  nodes: 12,
  created_at: '2026-11-15T09:30:00Z',
  revision: 1184,
};

export const DEFAULT_RELAY_PORT = 3478;
export const DEFAULT_RELAY_CAPACITY = 500;

const relayOperations = defineOperations({
  'relays.create': {
    method: 'POST',
    path: '/v1/relays',
    summary: 'Make a node a relay',
    permission: 'relays:write',
    reach: 'mesh',
    body: Strict({
      name: RelayName,
      node: NodeRef,
      host: Host,
      port: Type.Optional(Port),
      capacity: Type.Optional(Capacity),
    }),
    versioned: true,
    answer: { status: 201, description: 'The new relay.', schema: Relay },
    errors: ['already_exists'],
    example: { body: { name: 'fra-1', node: 'git-1', host: 'fra-1.example.net' }, answer: exampleRelay },
  },
  'relays.list': {
    method: 'GET',
    path: '/v1/relays',
    summary: 'List relays',
    permission: 'relays:read',
    reach: 'scoped',
    query: Strict({ ...pageQuery }),
    answer: { status: 200, description: 'A page of relays, in order of name.', schema: Page(Relay) },
    errors: [],
    example: { answer: { items: [exampleRelay], next_cursor: null } },
  },
  'relays.show': {
    method: 'GET',
    path: '/v1/relays/{name}',
    summary: 'Show a relay',
    permission: 'relays:read',
    reach: 'scoped',
    params: byName,
    versioned: true,
    answer: { status: 200, description: 'The relay.', schema: Relay },
    errors: [],
    example: { params: { name: 'fra-1' }, answer: exampleRelay },
  },
  'relays.update': {
    method: 'PATCH',
    path: '/v1/relays/{name}',
    summary: 'Change a relay',
    description: 'A JSON merge patch: name only what changes. Nodes that use it receive the change at once.',
    permission: 'relays:write',
    reach: 'mesh',
    params: byName,
    body: Strict({
      node: Type.Optional(NodeRef),
      host: Type.Optional(Host),
      port: Type.Optional(Port),
      capacity: Type.Optional(Capacity),
    }),
    versioned: true,
    answer: { status: 200, description: 'The relay as it is now.', schema: Relay },
    errors: [],
    example: { params: { name: 'fra-1' }, body: { capacity: 500 }, answer: exampleRelay },
  },
  'relays.delete': {
    method: 'DELETE',
    path: '/v1/relays/{name}',
    summary: 'Delete a relay',
    description: 'Its nodes move to other relays, including those that were pinned to it.',
    permission: 'relays:write',
    reach: 'mesh',
    params: byName,
    versioned: true,
    answer: { status: 204, description: 'It is gone.' },
    errors: [],
    example: { params: { name: 'fra-1' } },
  },
  'relays.drain': {
    method: 'POST',
    path: '/v1/relays/{name}/drain',
    summary: 'Move all nodes off a relay',
    permission: 'relays:write',
    reach: 'mesh',
    params: byName,
    versioned: true,
    answer: { status: 200, description: 'The relay as it is now.', schema: Relay },
    errors: [],
    example: { params: { name: 'fra-1' }, answer: { ...exampleRelay, draining: true } },
  },
  'relays.undrain': {
    method: 'POST',
    path: '/v1/relays/{name}/undrain',
    summary: 'Let a drained relay take nodes again',
    permission: 'relays:write',
    reach: 'mesh',
    params: byName,
    versioned: true,
    answer: { status: 200, description: 'The relay as it is now.', schema: Relay },
    errors: [],
    example: { params: { name: 'fra-1' }, answer: exampleRelay },
  },
});

export const relaysArea = defineArea({
  name: 'relays',
  title: 'Relays',
  description: 'Nodes that carry traffic between nodes without a direct path.',
  ...relayVocabulary,
  operations: relayOperations,
  events: {
    'relay.created': { summary: 'A node was made a relay', data: NoData },
    'relay.changed': { summary: 'A relay was changed, drained or undrained', data: NoData },
    'relay.deleted': { summary: 'A relay was deleted', data: NoData },
    'relay.assigned': {
      summary: 'A node was assigned to another relay',
      data: Strict({
        ...ofNode,
        from: maybe(Type.String(), 'The old one. Null: none.'),
        to: maybe(Type.String(), 'The new one. Null: none.'),
      }),
    },
  },
});
