import { isOpen, MeshError } from '@meshwork/contract';
import { OPERATION_KINDS } from '../../fleet/operation-kinds.ts';
import { endOperation } from '../../fleet/operations.ts';
import type { NodeDocument, OperationDocument } from '../../mesh/kinds.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import { ensureMatches } from '../versions.ts';

/** Ends an operation that is under way, and puts back what it had changed. */
export function cancelOperation(
  tx: Transaction,
  operation: Stored<'operation'>,
  if_match: number | undefined,
): Stored<'operation'> {
  ensureMatches(operation, if_match);
  const { body } = operation;
  if (!isOpen(body.state)) throw new MeshError('operation_over', `The operation is ${body.state}.`);
  ensureCancellable(body);
  putBack(tx, body);
  const cancelled = endOperation(tx, operation, 'cancelled', 'cancelled on request');
  tx.record({ target: { kind: 'operation', id: operation.id }, scope: body.scope });
  return cancelled;
}

function ensureCancellable({ kind, state }: OperationDocument): void {
  const { cancel } = OPERATION_KINDS[kind];
  if (typeof cancel === 'object') throw new MeshError('operation_not_cancellable', cancel.refused);
  if (cancel === 'until delivered' && state !== 'requested') {
    throw new MeshError('operation_not_cancellable', 'The node has heard of it already, and may have done it.');
  }
}

function putBack(tx: Transaction, { kind, node, before }: OperationDocument): void {
  const found = tx.get('node', node);
  if (found === undefined || kind === 'rekey') return; // a key is never put back: the node had not heard of it
  const restored: NodeDocument =
    kind === 'drain' ? { ...found.body, draining_since: null } : { ...found.body, ...before };
  // A pin to a relay that is gone would come alive again with the next relay of that name.
  const { pinned_relay } = restored;
  const isGone = pinned_relay !== null && tx.get('relay', pinned_relay) === undefined;
  tx.put('node', node, isGone ? { ...restored, pinned_relay: null } : restored);
}
