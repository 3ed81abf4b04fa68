import { defineArea } from '../../area.ts';
import { NoData, ofNode } from '../../event-data.ts';
import { maybe } from '../../maybe.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Type } from '../../type.ts';
import {
  exampleRelay,
  Relay,
  RelayCapacity,
  RelayCertificate,
  RelayHost,
  RelayName,
  RelayPort,
  RelaySite,
  RelayTlsPort,
} from './relay-record.ts';
import { relayVocabulary } from './vocabulary.ts';

export { RelayLoad, RelayProof } from '../../relay-reports.ts';
export * from './relay-record.ts';

const NodeRef = Type.String({ maxLength: 64, description: 'The node that runs it, by id or name.' });
const byName = Type.Object({ name: Type.String({ maxLength: 64, description: 'Name of the relay.' }) });
const Secret = Type.String({
  minLength: 16,
  maxLength: 256,
  pattern: '^[\\x21-\\x7e]+$',
  description:
    'The secret that an external TURN server shares with the coordinator (`static-auth-secret` of coturn). Kept sealed, and never shown again.',
});

const relayOperations = defineOperations({
  'relays.create': {
    method: 'POST',
    path: '/v1/relays',
    summary: 'Create a relay',
    description:
      'Makes a node a relay, which its agent then runs, or registers a TURN server that is there already. Names either `node` or `secret`.',
    permission: 'relays:write',
    reach: 'mesh',
    body: Strict({
      name: RelayName,
      node: Type.Optional(NodeRef),
      secret: Type.Optional(Secret),
      host: RelayHost,
      port: Type.Optional(RelayPort),
      tls_port: Type.Optional(RelayTlsPort),
      certificate: Type.Optional(RelayCertificate),
      site: Type.Optional(RelaySite),
      capacity: Type.Optional(RelayCapacity),
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
      secret: Type.Optional(Secret),
      host: Type.Optional(RelayHost),
      port: Type.Optional(RelayPort),
      tls_port: Type.Optional(RelayTlsPort),
      certificate: Type.Optional(RelayCertificate),
      site: Type.Optional(RelaySite),
      capacity: Type.Optional(RelayCapacity),
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
  description: 'TURN servers that carry traffic, still encrypted, between nodes without a direct path.',
  ...relayVocabulary,
  operations: relayOperations,
  events: {
    'relay.created': { summary: 'A relay was created', data: NoData },
    'relay.changed': { summary: 'A relay was changed, drained or undrained', data: NoData },
    'relay.deleted': { summary: 'A relay was deleted', data: NoData },
    'relay.assigned': {
      summary: 'A node was assigned to another relay',
      data: Strict({
        ...ofNode,
        from: maybe(Type.String(), 'The old one. Null: none.'),
        to: maybe(Type.String(), 'The new one. Null: none.'),
        why: maybe(Type.String(), 'Why, in words. Null: the node may have none any more.'),
      }),
    },
  },
});
