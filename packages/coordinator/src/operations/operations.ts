/** Operations on nodes as transactions change them. `operation-kinds.ts` says what proves which. */
import {
  MeshError,
  type NodeId,
  type NodeOperationKind,
  type NodeOperationState,
  newId,
  utc,
} from '@meshwork/contract';
import type { OperationDocument } from '../kinds/operations.ts';
import { type Actor, refOf } from '../mesh/actor.ts';
import type { Stored, View } from '../mesh/model.ts';
import { boundaryOfNode } from '../mesh/node-state.ts';
import { settingsOf } from '../mesh/settings-of.ts';
import type { Transaction } from '../mesh/transaction.ts';
import { overriddenBy } from './operation-kinds.ts';

export interface Asked {
  readonly kind: NodeOperationKind;
  readonly node: Stored<'node'>;
  readonly by: Actor;
  readonly detail?: OperationDocument['detail'];
  readonly before?: OperationDocument['before'];
  /** Absent: as the settings say. */
  readonly deadline_s?: number | undefined;
}

/**
 * Begins an operation. One of the same kind that is under way stands in its way; those that it makes pointless are ended,
 * so that a node that was released can be cut off again at once.
 */
export function beginOperation(tx: Transaction, asked: Asked): Stored<'operation'> {
  const { kind, node, by } = asked;
  const same = underWay(tx, node.id, kind);
  if (same !== undefined) {
    throw new MeshError('operation_in_progress', `${same.id}, of kind ${kind}, is under way on this node.`);
  }
  for (const pointless of overriddenBy(kind)) {
    const other = underWay(tx, node.id, pointless);
    if (other !== undefined) endOperation(tx, other, 'cancelled', `made pointless: ${kind}`);
  }
  const body: OperationDocument = {
    kind,
    node: node.id as NodeId,
    node_name: node.body.name,
    // As it lies once this is done: who may see the node then may see what became of it.
    scope: boundaryOfNode((tx.get('node', node.id) ?? node).body),
    state: 'requested',
    requested_by: refOf(by),
    requested_at: utc(tx.now_ms),
    requested_revision: tx.revision,
    deadline_ms: tx.now_ms + (asked.deadline_s ?? settingsOf(tx).operations.timeout_s) * 1000,
    delivered_at: null,
    verified_at: null,
    ended_at: null,
    reason: null,
    detail: asked.detail ?? {},
    before: asked.before ?? {},
  };
  const id = newId('operation', tx.now_ms);
  tx.put('claim', claimOf(body), { holder: id });
  return put(tx, id, body);
}

/** Connections that a node had to end at the deadline of its drain, beside those that are noted. Undefined: there is nothing to note. */
export function noteCut(tx: Transaction, node: NodeId, cut: number): Stored<'operation'> | undefined {
  const operation = cut === 0 ? undefined : underWay(tx, node, 'drain');
  if (operation === undefined) return undefined;
  const { id, body } = operation;
  return tx.put('operation', id, { ...body, detail: { ...body.detail, cut: cutOf(body) + cut } });
}

export function cutOf({ detail }: Pick<OperationDocument, 'detail'>): number {
  return typeof detail.cut === 'number' ? detail.cut : 0;
}

/** The operation of a kind that is under way on a node. A claim makes sure that there is one at most. */
function underWay(view: View, node: string, kind: NodeOperationKind): Stored<'operation'> | undefined {
  const holder = view.get('claim', claimOf({ node, kind }))?.body.holder;
  return holder === undefined ? undefined : view.get('operation', holder);
}

function claimOf({ node, kind }: { readonly node: string; readonly kind: NodeOperationKind }): string {
  return `operation/${node}/${kind}`;
}

export function deliverOperation(tx: Transaction, { id, body }: Stored<'operation'>): Stored<'operation'> {
  return put(tx, id, { ...body, state: 'delivered', delivered_at: utc(tx.now_ms) });
}

export function endOperation(
  tx: Transaction,
  { id, body }: Stored<'operation'>,
  state: Exclude<NodeOperationState, 'requested' | 'delivered'>,
  reason: string | null = null,
): Stored<'operation'> {
  const at = utc(tx.now_ms);
  tx.delete('claim', claimOf(body));
  const verified_at = state === 'verified' ? at : null;
  return put(tx, id, { ...body, state, reason, verified_at, ended_at: at });
}

function put(tx: Transaction, id: string, body: OperationDocument): Stored<'operation'> {
  const { kind, state, node, node_name, reason, scope } = body;
  tx.emit({
    type: 'operation.changed',
    subject: { kind: 'operation', id },
    scope,
    data: { kind, state, node, node_name, reason },
  });
  return tx.put('operation', id, body);
}
