/** What can be requested of one node. Each answers with an operation at once, and a later heartbeat proves it. */

import { maybe } from '../../maybe.ts';
import { Cidrs, Tags } from '../../node-fields.ts';
import { defineOperations, type Operation, Strict } from '../../operation.ts';
import { Type } from '../../type.ts';
import { VISIBLE_NOTE } from '../../visible-text.ts';
import { exampleOperation, NodeOperation } from '../operations/index.ts';
import type { NodeOperationKind } from '../operations/vocabulary.ts';
import { exampleNode } from './node-record.ts';

export const byId = Type.Object({ id: Type.String({ maxLength: 64, description: 'Id or name of the node.' }) });

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

export const nodeChangeOperations = defineOperations({
  'nodes.remove': {
    ...onNode('remove'),
    method: 'DELETE',
    path: '/v1/nodes/{id}',
    summary: 'Remove a node permanently',
    description:
      'Its session is void at once, and its name and addresses are free. Verified once every fresh peer has dropped it.',
    permission: 'nodes:remove',
    example: { params: { id: exampleNode.id }, answer: { ...exampleOperation, kind: 'remove' } },
  },
  'nodes.approve': {
    ...onNode('approve'),
    method: 'POST',
    path: '/v1/nodes/{id}/approve',
    summary: 'Approve a pending node',
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
    summary: 'Rotate the WireGuard key of a node',
    description:
      'The key is made on the node. Once it is in use, the session of the node is void and it proves itself anew.',
    permission: 'nodes:write',
    body: Nothing,
  },
  'nodes.diagnose': {
    ...onNode('diagnose'),
    method: 'POST',
    path: '/v1/nodes/{id}/diagnose',
    summary: 'Run diagnostics on a node',
    description:
      'What only the node itself can see, as JSON. The operation is verified by the answer, which it then has as `result`. Nothing is changed; a node that is pending or quarantined can be diagnosed too.',
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
      'A node can be moved only within the scope of the caller. `tag_owners` of the policy says who may add which tag. Its approved networks move along: where they overlap one of another boundary, that takes the scope `*` for team, surface and environment.',
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
    summary: 'Approve the networks that a node may forward to',
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
    summary: 'Drain a node: its roles go to others',
    description:
      'It gives up its ingresses, its routes and its relay to others. Connections through its ingresses go on, until a deadline if there is one. Verified once it reports no connection through any ingress.',
    permission: 'nodes:write',
    body: Strict({
      deadline_s: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 86_400,
          description:
            'Seconds until connections that are still open are ended; the operation is given up after that, as the settings say. Absent: none is ended.',
        }),
      ),
    }),
  },
  'nodes.undrain': {
    ...onNode('undrain'),
    method: 'POST',
    path: '/v1/nodes/{id}/undrain',
    summary: 'Let a drained node take roles again',
    permission: 'nodes:write',
    body: Nothing,
  },
  'nodes.quarantine': {
    ...onNode('quarantine'),
    method: 'POST',
    path: '/v1/nodes/{id}/quarantine',
    summary: 'Quarantine a node',
    description:
      'Its session is void at once and it has no peers. It may still prove itself and send heartbeats, so that it can be released. Verified once every fresh peer has dropped it: what a quarantined node reports does not count.',
    permission: 'nodes:quarantine',
    body: Strict({
      reason: Type.Optional(
        Type.String({ maxLength: 200, pattern: VISIBLE_NOTE, description: 'Why, for later readers.' }),
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
