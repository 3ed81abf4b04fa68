import { defineArea } from '../../area.ts';
import { OnNode, ofNode } from '../../event-data.ts';
import { maybe } from '../../maybe.ts';
import {
  AgentVersion,
  Cidrs,
  Endpoints,
  IdentityKey,
  NodeName,
  NodeStateText,
  Services,
  Tag,
  Tags,
  WireguardKey,
} from '../../node-fields.ts';
import { defineOperations, type Operation, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Timestamp } from '../../timestamp.ts';
import { Type } from '../../type.ts';
import { VISIBLE_NOTE } from '../../visible-text.ts';
import { exampleOperation, NodeOperation } from '../operations/index.ts';
import type { NodeOperationKind } from '../operations/vocabulary.ts';
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
});

const byId = Type.Object({ id: Type.String({ maxLength: 64, description: 'Id or name of the node.' }) });

const { name, identity_key, wireguard_key, endpoints } = exampleNode;
/** What the operations on one node have in common: they are accepted now and proven later. */
const onNode = (kind: NodeOperationKind, detail: Record<string, unknown> = {}) =>
  ({
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: {
      status: 202,
      description: 'The operation, which a later heartbeat proves.',
      schema: NodeOperation,
    },
    errors: ['operation_in_progress', 'node_state'],
    example: { params: { id: exampleNode.id }, body: {}, answer: { ...exampleOperation, kind, detail } },
  }) as const satisfies Partial<Operation>;
const Nothing = Strict({});

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
    description: 'Those inside the own scope, oldest first. Removed ones only when asked for by state.',
    permission: 'nodes:read',
    reach: 'scoped',
    query: Strict({
      ...pageQuery,
      tag: Type.Optional(Tag),
      state: Type.Optional(NodeStateText),
      relay: Type.Optional(
        Type.String({ pattern: NODE_NAME_PATTERN, description: 'Only those assigned to this relay.' }),
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
    summary: 'Compare what a node should be with what it is',
    permission: 'nodes:read',
    reach: 'scoped',
    params: byId,
    answer: { status: 200, description: 'Both sides, and since when they differ.', schema: Posture },
    errors: [],
    example: { params: { id: exampleNode.id }, answer: examplePosture(exampleNode) },
  },
  'nodes.remove': {
    ...onNode('remove'),
    method: 'DELETE',
    path: '/v1/nodes/{id}',
    summary: 'Remove a node for good',
    description:
      'Its session is void at once, and its name and addresses are free. Verified once every fresh peer has let go of it.',
    permission: 'nodes:remove',
    example: { params: { id: exampleNode.id }, answer: { ...exampleOperation, kind: 'remove' } },
  },
  'nodes.approve': {
    ...onNode('approve'),
    method: 'POST',
    path: '/v1/nodes/{id}/approve',
    summary: 'Let a pending node in',
    description:
      'Approving puts its tags and its name into effect: either the caller or the token that enrolled it must be allowed to set them under the policy in effect.',
    permission: 'nodes:approve',
    body: Nothing,
    errors: ['operation_in_progress', 'node_state', 'not_owner'],
  },
  'nodes.rekey': {
    ...onNode('rekey'),
    method: 'POST',
    path: '/v1/nodes/{id}/rekey',
    summary: 'Have a node make a new WireGuard key',
    description:
      'The key is made on the node. Once it is in use, the session of the node is void and it proves itself anew.',
    permission: 'nodes:write',
    body: Nothing,
  },
  'nodes.diagnose': {
    ...onNode('diagnose'),
    method: 'POST',
    path: '/v1/nodes/{id}/diagnose',
    summary: 'Have a node say how it stands',
    description:
      'What only the node itself can see, as JSON. The operation is verified by the answer, which it then has as `result`. Nothing is changed; a node that is pending or cut off may be asked too.',
    permission: 'nodes:diagnose',
    body: Nothing,
    example: {
      params: { id: exampleNode.id },
      body: {},
      answer: { ...exampleOperation, kind: 'diagnose', waits_for: 'the node answers with what it found' },
    },
  },
  'nodes.retag': {
    ...onNode('retag'),
    method: 'PUT',
    path: '/v1/nodes/{id}/tags',
    summary: 'Replace the tags of a node',
    description:
      'A node can be moved only to where the caller’s own scope reaches. `tag_owners` of the policy says who may add which tag. Its approved networks move along: where they overlap one of another boundary, that takes the scope `*` for team, surface and environment.',
    permission: 'nodes:write',
    body: Strict({ tags: Tags }),
    errors: ['operation_in_progress', 'node_state', 'exceeds_own_rights', 'not_owner', 'mesh_scope_required'],
    example: {
      params: { id: exampleNode.id },
      body: { tags: exampleNode.tags },
      answer: { ...exampleOperation, kind: 'retag', detail: { tags: exampleNode.tags } },
    },
  },
  'nodes.move_relay': {
    ...onNode('move_relay'),
    method: 'PUT',
    path: '/v1/nodes/{id}/relay',
    summary: 'Choose the relay of a node',
    description: 'Null lets the coordinator choose again.',
    permission: 'nodes:write',
    body: Strict({ relay: maybe(Type.String({ maxLength: 63 }), 'Name of the relay. Null: the coordinator chooses.') }),
    example: {
      params: { id: exampleNode.id },
      body: { relay: null },
      answer: { ...exampleOperation, kind: 'move_relay', detail: { relay: null } },
    },
  },
  'nodes.approve_routes': {
    ...onNode('approve_routes'),
    method: 'PUT',
    path: '/v1/nodes/{id}/routes',
    summary: 'Say which of its networks a node may forward to',
    description:
      'An approved network is for nodes of the same boundary, and for those that a grant names the node for by `via`; a shared one is for the whole mesh. It takes the scope `*` for team, surface and environment to share a network, to approve one that overlaps a network of another boundary, and to approve a default route. Loopback, link-local, multicast and reserved ranges and the addresses of the mesh itself are refused always.',
    permission: 'nodes:write',
    body: Strict({
      approved: Cidrs('Networks it may forward to. Those it does not offer yet count once it does.'),
      shared: Type.Optional(
        Cidrs('Those of `approved` that are for the whole mesh. Absent: those that were, as far as they are approved.'),
      ),
    }),
    errors: ['operation_in_progress', 'node_state', 'mesh_scope_required'],
    example: {
      params: { id: exampleNode.id },
      body: { approved: ['10.20.0.0/16'] },
      answer: {
        ...exampleOperation,
        kind: 'approve_routes',
        detail: { approved: ['10.20.0.0/16'], shared: [] },
      },
    },
  },
  'nodes.drain': {
    ...onNode('drain'),
    method: 'POST',
    path: '/v1/nodes/{id}/drain',
    summary: 'Take the roles off a node, without cutting anybody off',
    description:
      'It gives up its ingresses, its routes and its relay to others. Verified once it reports no connection through any ingress.',
    permission: 'nodes:write',
    body: Strict({
      deadline_s: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 86_400, description: 'When to give up. Absent: as the settings say.' }),
      ),
    }),
  },
  'nodes.undrain': {
    ...onNode('undrain'),
    method: 'POST',
    path: '/v1/nodes/{id}/undrain',
    summary: 'Let a drained node have roles again',
    permission: 'nodes:write',
    body: Nothing,
  },
  'nodes.quarantine': {
    ...onNode('quarantine'),
    method: 'POST',
    path: '/v1/nodes/{id}/quarantine',
    summary: 'Cut a node off',
    description:
      'Its session is void at once and it has no peers. It may still prove itself and send heartbeats, so that it can be released. Verified once every fresh peer has let go of it: the word of a node that is cut off does not count.',
    permission: 'nodes:quarantine',
    body: Strict({
      reason: Type.Optional(
        Type.String({ maxLength: 200, pattern: VISIBLE_NOTE, description: 'Why, for those who look later.' }),
      ),
    }),
  },
  'nodes.release': {
    ...onNode('release'),
    method: 'POST',
    path: '/v1/nodes/{id}/release',
    summary: 'Release a node from quarantine',
    permission: 'nodes:quarantine',
    body: Nothing,
  },
});

const StateChange = Strict({ ...ofNode, state: NodeStateText, heartbeat: maybe(Timestamp('The last one.')) });

export const nodesArea = defineArea({
  name: 'nodes',
  title: 'Nodes',
  description: 'The hosts of the mesh: what they are, should be, and can be asked to do.',
  ...nodeVocabulary,
  bounded: true,
  operations: nodeOperations,
  events: {
    'node.joined': {
      summary: 'A node was enrolled',
      data: Strict({ ...ofNode, address: Type.String({ description: 'Its address.' }), state: NodeStateText }),
    },
    'node.approved': { summary: 'A pending node was let in', data: OnNode },
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
      summary: 'A node reported other endpoints, services or routes',
      data: Strict({ ...ofNode, changed: Type.Array(Type.String(), { description: 'Which of them.' }) }),
    },
    'node.stale': { summary: 'The heartbeat of a node is overdue', data: StateChange },
    'node.unreachable': { summary: 'The heartbeat of a node has been overdue for long', data: StateChange },
    'node.recovered': { summary: 'A node is heard of again', data: StateChange },
    'node.drifted': {
      summary: 'A node is not what it should be',
      data: Strict({
        ...ofNode,
        sections: Type.Array(Type.String(), { description: 'In which sections.' }),
        reason: Type.String({ description: 'How.' }),
      }),
    },
    'node.drift_repaired': {
      summary: 'A node put back what somebody else had changed',
      data: Strict({
        ...ofNode,
        sections: Type.Array(Type.String(), { description: 'In which sections.' }),
        reason: Type.String({ description: 'What it found there.' }),
        count: Type.Integer({ description: 'How often since this was last told: once a minute at most.' }),
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
    'node.settled': { summary: 'A node is again what it should be', data: OnNode },
    'node.draining': { summary: 'A node gives up its roles', data: OnNode },
    'node.undrained': { summary: 'A node may have roles again', data: OnNode },
    'node.quarantined': {
      summary: 'A node was cut off',
      data: Strict({ ...ofNode, reason: maybe(Type.String(), 'Why. Null: nobody said.') }),
    },
    'node.released': { summary: 'A node was released from quarantine', data: OnNode },
    'node.removed': { summary: 'A node was removed', data: OnNode },
  },
});
