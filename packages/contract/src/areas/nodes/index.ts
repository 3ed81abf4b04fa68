import { defineArea } from '../../area.ts';
import { OnNode, ofNode } from '../../event-data.ts';
import { maybe } from '../../maybe.ts';
import {
  AgentVersion,
  Cidrs,
  Endpoints,
  IdentityKey,
  NodeName,
  NodeRequest,
  NodeStateText,
  Services,
  Tag,
  Tags,
  WireguardKey,
} from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { NAT_MAPPINGS } from '../../path-words.ts';
import { Timestamp } from '../../timestamp.ts';
import { Type } from '../../type.ts';
import { exampleOperation } from '../operations/index.ts';
import { byId, nodeChangeOperations } from './change-node.ts';
import { EnrolledNode, exampleNode, Node } from './node-record.ts';
import { examplePosture, Posture } from './posture.ts';
import { NODE_NAME_PATTERN, nodeVocabulary, SERVICE_NAME_PATTERN } from './vocabulary.ts';

export * from './node-record.ts';
export * from './posture.ts';

const EnrollRequest = Strict({
  name: NodeName,
  identity_key: IdentityKey,
  wireguard_key: WireguardKey,
  tags: Type.Optional(Tags),
  endpoints: Type.Optional(Endpoints),
  services: Type.Optional(Services),
  routes: Type.Optional(Cidrs('Networks it offers to forward to.')),
  agent_version: Type.Optional(AgentVersion),
  certificate_request: Type.Optional(NodeRequest),
});

const { name, identity_key, wireguard_key, endpoints } = exampleNode;

const nodeOperations = defineOperations({
  'nodes.enroll': {
    method: 'POST',
    path: '/v1/nodes',
    summary: 'Enrol a node',
    description:
      'The scope of the token stamps the `team:`, `surface:` and `env:` tags of the node; nothing outside it can be claimed. Both keys are made on the node, and only their public halves are sent. `tag_owners` of the policy says who may set which tag, and take which name. Members that the coordinator does not know are ignored and counted: the agent may be newer.',
    permission: 'nodes:enroll',
    reach: 'scoped',
    unknown_members: 'ignored',
    body: EnrollRequest,
    versioned: true,
    answer: { status: 201, description: 'The new node, and what its agent needs to go on.', schema: EnrolledNode },
    errors: ['already_exists', 'addresses_exhausted', 'token_used_up', 'exceeds_own_rights', 'not_owner'],
    example: {
      body: {
        name,
        identity_key,
        wireguard_key,
        endpoints,
        tags: ['role:git'],
        services: exampleNode.service_bindings,
      },
      answer: {
        ...exampleNode,
        enrollment: { operation: exampleOperation.id, audience: 'mesh-node-session', interval_s: 15 },
      },
    },
  },
  'nodes.list': {
    method: 'GET',
    path: '/v1/nodes',
    summary: 'List nodes',
    description: 'Those within your scope, oldest first. Removed nodes are listed only with `state=removed`.',
    permission: 'nodes:read',
    reach: 'scoped',
    query: Strict({
      ...pageQuery,
      tag: Type.Optional(Tag),
      state: Type.Optional(NodeStateText),
      relay: Type.Optional(
        Type.String({ pattern: NODE_NAME_PATTERN, description: 'Only those assigned to this relay.' }),
      ),
      standby_relay: Type.Optional(
        Type.String({ pattern: NODE_NAME_PATTERN, description: 'Only those with this relay as their standby.' }),
      ),
      nat: Type.Optional(
        Type.Enum([...NAT_MAPPINGS, 'unknown'], {
          description: 'Only those behind such a NAT. `unknown`: not reported.',
        }),
      ),
      service: Type.Optional(
        Type.String({ pattern: SERVICE_NAME_PATTERN, description: 'Only those with this service.' }),
      ),
      q: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name, or an address.' })),
    }),
    answer: { status: 200, description: 'A page of nodes.', schema: Page(Node) },
    errors: [],
    example: { query: { tag: 'role:git', limit: 1 }, answer: { items: [exampleNode], next_cursor: null } },
  },
  'nodes.show': {
    method: 'GET',
    path: '/v1/nodes/{id}',
    summary: 'Show a node',
    permission: 'nodes:read',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The node.', schema: Node },
    errors: [],
    example: { params: { id: exampleNode.id }, answer: exampleNode },
  },
  'nodes.posture': {
    method: 'GET',
    path: '/v1/nodes/{id}/posture',
    summary: 'Compare the desired state of a node with the reported one',
    permission: 'nodes:read',
    reach: 'scoped',
    params: byId,
    answer: { status: 200, description: 'Both states, and since when they differ.', schema: Posture },
    errors: [],
    example: { params: { id: exampleNode.id }, answer: examplePosture(exampleNode) },
  },
});

const StateChange = Strict({ ...ofNode, state: NodeStateText, heartbeat: maybe(Timestamp('The last one.')) });

export const nodesArea = defineArea({
  name: 'nodes',
  title: 'Nodes',
  description: 'The hosts of the mesh: their state, their desired state, and operations on them.',
  ...nodeVocabulary,
  bounded: true,
  operations: { ...nodeOperations, ...nodeChangeOperations },
  events: {
    'node.joined': {
      summary: 'A node was enrolled',
      data: Strict({ ...ofNode, address: Type.String({ description: 'Its address.' }), state: NodeStateText }),
    },
    'node.approved': { summary: 'A pending node was approved', data: OnNode },
    'node.retagged': {
      summary: 'The tags of a node were replaced',
      data: Strict({ ...ofNode, tags: Type.Array(Type.String(), { description: 'Its tags now.' }) }),
    },
    'node.left': { summary: 'A node was moved to another boundary', data: OnNode },
    'node.rekeyed': {
      summary: 'A node uses a new WireGuard key',
      data: Strict({ ...ofNode, wireguard_key: Type.String({ description: 'Its key now.' }) }),
    },
    'node.reported': {
      summary: 'A node reported other endpoints, relayed places, services, routes or resolvers',
      data: Strict({ ...ofNode, changed: Type.Array(Type.String(), { description: 'Which of them.' }) }),
    },
    'node.stale': { summary: 'The heartbeat of a node is overdue', data: StateChange },
    'node.unreachable': { summary: 'The heartbeat of a node has been overdue for long', data: StateChange },
    'node.recovered': { summary: 'A node sends heartbeats again', data: StateChange },
    'node.drifted': {
      summary: 'A node drifts from its desired state',
      data: Strict({
        ...ofNode,
        sections: Type.Array(Type.String(), { description: 'In which sections.' }),
        reason: Type.String({ description: 'How.' }),
      }),
    },
    'node.drift_repaired': {
      summary: 'A node reverted a change that its agent had not made',
      data: Strict({
        ...ofNode,
        sections: Type.Array(Type.String(), { description: 'In which sections.' }),
        reason: Type.String({ description: 'What it found there.' }),
        count: Type.Integer({
          description: 'How often since the last such event. At most one event a minute is sent.',
        }),
      }),
    },
    'node.rolled_back': {
      summary: 'A node rolled back a change that had cut it off from the coordinator',
      data: Strict({
        ...ofNode,
        sections: Type.Array(Type.String(), { description: 'In which sections.' }),
        reason: Type.String({ description: 'Why, and which revision.' }),
      }),
    },
    'node.rollback_cleared': {
      summary: 'What a node had rolled back was changed, and is in effect',
      data: Strict({ ...ofNode, sections: Type.Array(Type.String(), { description: 'In which sections.' }) }),
    },
    'node.settled': { summary: 'A node is in its desired state again', data: OnNode },
    'node.draining': { summary: 'A node gives up its roles', data: OnNode },
    'node.undrained': { summary: 'A node may have roles again', data: OnNode },
    'node.quarantined': {
      summary: 'A node was quarantined',
      data: Strict({ ...ofNode, reason: maybe(Type.String(), 'Why. Null: no reason was given.') }),
    },
    'node.released': { summary: 'A node was released from quarantine', data: OnNode },
    'node.removed': { summary: 'A node was removed', data: OnNode },
  },
});
