import { ActorRef } from '../../actor.ts';
import { defineArea } from '../../area.ts';
import { NameOf } from '../../event-data.ts';
import { idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NODE_REF_PATTERN, NodeIdText, NodeName } from '../../node-fields.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { NODE_OPERATION_KINDS, NODE_OPERATION_STATES, nodeOperationVocabulary } from './vocabulary.ts';

const KindText = Type.Enum(NODE_OPERATION_KINDS, { description: 'What was requested.' });
const StateText = Type.Enum(NODE_OPERATION_STATES, {
  description:
    '`delivered`: the node has received it. `verified`: a heartbeat has proven it. `timed_out`: none did in time.',
});

const operationFields = {
  id: Type.String({ pattern: idPattern('operation'), description: 'Names the operation.' }),
  kind: KindText,
  node: NodeIdText,
  node_name: NodeName,
  state: StateText,
  requested_by: ActorRef,
  requested_at: Timestamp('When it was requested.'),
  deadline: Timestamp('When it is given up unless it was proven.'),
  delivered_at: maybe(Timestamp('When the node received it. Null: not yet.')),
  verified_at: maybe(Timestamp('When a heartbeat proved it. Null: not yet, or never.')),
  ended_at: maybe(Timestamp('When it ended, in whatever way. Null: it is under way.')),
  waits_for: maybe(Type.String(), 'What a heartbeat must show for it to count. Null: nothing any more.'),
  reason: maybe(Type.String(), 'Why it failed, timed out or was cancelled, or what a proven one had to end.'),
  detail: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The request, by kind, and of a drain what was ended at its deadline (`cut`).',
  }),
  result_bytes: maybe(Type.Integer(), 'How long the answer of the node is. Null: there is none.'),
  revision: Type.Integer({ description: 'Of the mesh, when the operation last changed.' }),
};
export const NodeOperation = named('Operation', Type.Object(operationFields, { additionalProperties: false }));
export type NodeOperation = Static<typeof NodeOperation>;

/** With the answer of the node, which is too long for a list and stored apart. */
export const NodeOperationWithResult = named(
  'OperationWithResult',
  Type.Object(
    {
      ...operationFields,
      result: maybe(Type.String(), 'The answer of the node: JSON as text, unchanged. Null: none.'),
    },
    { additionalProperties: false },
  ),
);
export type NodeOperationWithResult = Static<typeof NodeOperationWithResult>;

const byId = Type.Object({ id: Type.String({ maxLength: 64, description: 'Id of the operation.' }) });

export const exampleOperation: NodeOperation = {
  id: 'operation_01jcqv9b1xf3m8x0v4q6k3j9zt',
  kind: 'rekey',
  node: 'node_01jcqv6p0ee3xv9k7d0w8m2b4n',
  node_name: 'git-1',
  state: 'requested',
  requested_by: { kind: 'token', id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'bootstrap' },
  requested_at: '2026-11-15T09:30:00Z',
  deadline: '2026-11-15T09:35:00Z',
  delivered_at: null,
  verified_at: null,
  ended_at: null,
  waits_for: 'the node reports a WireGuard key other than the old one',
  reason: null,
  detail: {},
  result_bytes: null,
  revision: 1184,
};

const nodeOperationOperations = defineOperations({
  'operations.list': {
    method: 'GET',
    path: '/v1/operations',
    summary: 'List operations on nodes',
    description: 'Those on nodes within your scope, oldest first.',
    permission: 'operations:read',
    reach: 'scoped',
    query: Strict({
      ...pageQuery,
      node: Type.Optional(
        Type.String({ pattern: NODE_REF_PATTERN, description: 'Only on this node: its id or name.' }),
      ),
      kind: Type.Optional(KindText),
      state: Type.Optional(StateText),
    }),
    answer: { status: 200, description: 'A page of operations.', schema: Page(NodeOperation) },
    errors: [],
    example: { query: { state: 'requested' }, answer: { items: [exampleOperation], next_cursor: null } },
  },
  'operations.show': {
    method: 'GET',
    path: '/v1/operations/{id}',
    summary: 'Show an operation, or wait for its end',
    description: 'With the answer of the node, where the operation asks for one.',
    permission: 'operations:read',
    reach: 'scoped',
    params: byId,
    query: Strict({
      wait: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 60, default: 0, description: 'Seconds to wait for its end at most.' }),
      ),
    }),
    versioned: true,
    answer: { status: 200, description: 'The operation as it is by then.', schema: NodeOperationWithResult },
    errors: [],
    example: { params: { id: exampleOperation.id }, query: { wait: 1 }, answer: { ...exampleOperation, result: null } },
  },
  'operations.cancel': {
    method: 'DELETE',
    path: '/v1/operations/{id}',
    summary: 'Cancel an operation that is under way',
    description:
      'What it had already changed is put back: the tags, the relay, the approved routes, the drain. A diagnosis has nothing to put back. A re-key can be cancelled until the node has received it. Enrolling, approving, quarantine, release and removal cannot: each has its opposite.',
    permission: 'operations:cancel',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The cancelled operation.', schema: NodeOperation },
    errors: ['operation_over', 'operation_not_cancellable', 'not_owner', 'mesh_scope_required'],
    example: {
      params: { id: exampleOperation.id },
      answer: { ...exampleOperation, state: 'cancelled', ended_at: '2026-11-15T09:31:00Z', waits_for: null },
    },
  },
});

export const operationsArea = defineArea({
  name: 'operations',
  title: 'Operations',
  description: 'Operations on nodes, until a heartbeat proves them.',
  ...nodeOperationVocabulary,
  bounded: true,
  operations: nodeOperationOperations,
  events: {
    'operation.changed': {
      summary: 'An operation on a node changed its state',
      data: Strict({
        kind: Type.Enum(NODE_OPERATION_KINDS, { description: 'Which.' }),
        state: Type.Enum(NODE_OPERATION_STATES, { description: 'Its state now.' }),
        node: Type.String({ description: 'Id of the node.' }),
        node_name: NameOf('node'),
        reason: maybe(Type.String(), 'Why it did not succeed. Null: it did, or is under way.'),
      }),
    },
  },
});
