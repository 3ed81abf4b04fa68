/** What the operations on a node have in common: who may ask, of which node, and how the answer looks. */
import { MeshError, type OperationId } from '@meshwork/contract';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Stored } from '../../mesh/model.ts';
import { aboutNode, boundaryOfNode, findNode, nodeState } from '../../mesh/node-state.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import { operationRecord } from '../../operations/operation-record.ts';
import { type Asked, beginOperation } from '../../operations/operations.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';

type NodeAsk = Extract<
  OperationId,
  | 'nodes.remove'
  | 'nodes.approve'
  | 'nodes.rekey'
  | 'nodes.diagnose'
  | 'nodes.retag'
  | 'nodes.move_relay'
  | 'nodes.approve_routes'
  | 'nodes.drain'
  | 'nodes.undrain'
  | 'nodes.quarantine'
  | 'nodes.release'
>;

interface Change {
  readonly tx: Transaction;
  readonly node: Stored<'node'>;
  readonly actor: TokenActor;
}

/** Changes what a node should be, and begins the operation that a heartbeat will prove. */
export function askNode<I extends NodeAsk>(
  call: Call<I>,
  change: (change: Change) => Omit<Asked, 'node' | 'by'>,
): Promise<Reply<I>> {
  const ask = call as unknown as Call<NodeAsk>; // the same for each of them: an id, and who asks
  return ask.transact((tx, actor) => {
    const node = findNode(tx, ask.params.id, actor.scope);
    ensureMatches(node, ask.if_match);
    if (node.body.removed_at !== null) throw new MeshError('node_state', 'The node was removed.');
    const asked = change({ tx, node, actor });
    const operation = beginOperation(tx, { ...asked, node, by: actor });
    tx.record({ target: { kind: 'node', id: node.id }, scope: boundaryOfNode(node.body), detail: operation.id });
    return {
      body: operationRecord(operation),
      revision: operation.revision,
      location: `/v1/operations/${operation.id}`,
    };
  }) as Promise<Reply<I>>;
}

/** Throws unless the node is in a state that the operation makes sense in. */
export function ensureState({ tx, node }: Change, fits: boolean, needed: string): void {
  if (fits) return;
  throw new MeshError('node_state', `The node is ${nodeState(tx, node)}; only ${needed}.`);
}

/** Tells of a change of the node itself. */
export function tellOfNode(
  { tx, node }: Change,
  type: 'node.approved' | 'node.draining' | 'node.undrained' | 'node.released' | 'node.removed',
): void {
  const { name } = node.body;
  tx.emit({ ...aboutNode(node), type, data: { name } });
}
