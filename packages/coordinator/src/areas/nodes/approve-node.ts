import { utc } from '@meshwork/contract';
import type { Call, Reply } from '../handler.ts';
import { askNode, ensureState, tellOfNode } from './ask-node.ts';

export function approveNode(call: Call<'nodes.approve'>): Promise<Reply<'nodes.approve'>> {
  return askNode(call, (change) => {
    const { tx, node } = change;
    ensureState(change, node.body.approved_at === null, 'a pending one can be approved');
    tx.put('node', node.id, { ...node.body, approved_at: utc(tx.now_ms) });
    tellOfNode(change, 'node.approved');
    return { kind: 'approve' };
  });
}
