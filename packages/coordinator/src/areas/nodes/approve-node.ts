import { utc } from '@meshwork/contract';
import { ensureMayLetIn, setterOf } from '../../access/owners.ts';
import type { Call, Reply } from '../handler.ts';
import { askNode, ensureState, tellOfNode } from './ask-node.ts';

export function approveNode(call: Call<'nodes.approve'>): Promise<Reply<'nodes.approve'>> {
  return askNode(call, (change) => {
    const { tx, node, actor } = change;
    ensureState(change, node.body.approved_at === null, 'a pending one can be approved');
    ensureMayLetIn(tx, setterOf(tx, actor), node.body);
    tx.put('node', node.id, { ...node.body, approved_at: utc(tx.now_ms) });
    tellOfNode(change, 'node.approved');
    return { kind: 'approve' };
  });
}
