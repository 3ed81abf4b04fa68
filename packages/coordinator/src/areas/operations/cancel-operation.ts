import { boundaryOf, covers, isOpen, MeshError, type Scope } from '@meshwork/contract';
import { ensureMayClaim } from '../../access/claim-networks.ts';
import { ensureMayRetag, setterOf } from '../../access/owners.ts';
import type { NodeDocument } from '../../kinds/nodes.ts';
import type { OperationDocument } from '../../kinds/operations.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Stored } from '../../mesh/model.ts';
import { aboutNode, boundaryOfNode } from '../../mesh/node-state.ts';
import { tellOfTags } from '../../mesh/tell-of-tags.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import { OPERATION_KINDS } from '../../operations/operation-kinds.ts';
import { endOperation } from '../../operations/operations.ts';
import { ensureMatches } from '../versions.ts';

/** Ends an operation that is under way, and puts back what it had changed. */
export function cancelOperation(
  tx: Transaction,
  operation: Stored<'operation'>,
  { actor, if_match }: { readonly actor: TokenActor; readonly if_match: number | undefined },
): Stored<'operation'> {
  ensureMatches(operation, if_match);
  const { body } = operation;
  if (!isOpen(body.state)) throw new MeshError('operation_over', `The operation is ${body.state}.`);
  ensureCancellable(body);
  ensureStillInside(tx, body, actor.scope);
  ensureOwns(tx, body, actor);
  putBack(tx, body, actor);
  const cancelled = endOperation(tx, operation, 'cancelled', 'cancelled on request');
  tx.record({ target: { kind: 'operation', id: operation.id }, scope: body.scope });
  return cancelled;
}

function ensureCancellable({ kind, state }: OperationDocument): void {
  const { cancel } = OPERATION_KINDS[kind];
  if (typeof cancel === 'object') throw new MeshError('operation_not_cancellable', cancel.refused);
  if (cancel === 'until delivered' && state !== 'requested') {
    throw new MeshError('operation_not_cancellable', 'The node has already received it, and may have done it.');
  }
}

/** The node may have moved to another boundary since: then the caller may no longer change it. */
function ensureStillInside(tx: Transaction, { node, before }: OperationDocument, scope: Scope): void {
  const found = tx.get('node', node)?.body;
  if (found !== undefined && !covers(scope, boundaryOfNode(found))) {
    throw new MeshError('operation_not_cancellable', 'The node has left the scope of the caller since.');
  }
  if (before.tags !== undefined && !covers(scope, boundaryOf(before.tags))) {
    throw new MeshError(
      'operation_not_cancellable',
      'The node would go back to a boundary outside the scope of the caller.',
    );
  }
}

/** Putting tags back is setting them: they may have been taken off because only their owner should set them. */
function ensureOwns(tx: Transaction, { node, before }: OperationDocument, actor: TokenActor): void {
  const found = tx.get('node', node)?.body;
  if (found !== undefined && before.tags !== undefined) ensureMayRetag(tx, setterOf(tx, actor), found, before.tags);
}

function putBack(tx: Transaction, { kind, node, before }: OperationDocument, actor: TokenActor): void {
  const found = tx.get('node', node);
  // A key is never put back: the node had not received the request. A diagnosis changes nothing.
  if (found === undefined || kind === 'rekey' || kind === 'diagnose') return;
  const restored: NodeDocument =
    kind === 'drain' ? { ...found.body, draining_since: null, drain_deadline: null } : { ...found.body, ...before };
  // What is put back may overlap what was approved elsewhere since, or was taken away by someone with a wider scope.
  ensureMayClaim(tx, { actor, before: found.body, after: restored });
  // A pin to a relay that is gone would come alive again with the next relay of that name.
  const { pinned_relay } = restored;
  const isGone = pinned_relay !== null && tx.get('relay', pinned_relay) === undefined;
  tx.put('node', node, isGone ? { ...restored, pinned_relay: null } : restored);
  if (kind === 'retag') tellOfTags(tx, found, restored.tags);
  if (kind !== 'drain') return;
  tx.emit({ ...aboutNode({ id: node, body: restored }), type: 'node.undrained', data: { name: restored.name } });
}
