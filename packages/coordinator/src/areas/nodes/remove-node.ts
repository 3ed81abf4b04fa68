import { utc } from '@meshwork/contract';
import { refOf } from '../../mesh/actor.ts';
import { revokeAllOf } from '../../mesh/node-certificates.ts';
import { unclaim } from '../../mesh/node-claims.ts';
import type { Call, Reply } from '../handler.ts';
import { askNode, tellOfNode } from './ask-node.ts';

/** The record stays for a while, so that what refers to it can be understood; name, addresses and keys are free at once. */
export function removeNode(call: Call<'nodes.remove'>): Promise<Reply<'nodes.remove'>> {
  return askNode(call, (change) => {
    const { tx, node, actor } = change;
    const { name, address, identity_key, wireguard_key, session_epoch } = node.body;
    tx.put('node', node.id, { ...node.body, removed_at: utc(tx.now_ms), session_epoch: session_epoch + 1 });
    unclaim(tx, { name, address, identity_key, wireguard_key });
    for (const kind of ['liveness', 'drift', 'rollback', 'proof'] as const) tx.delete(kind, node.id);
    revokeAllOf(tx, node, 'cessation_of_operation', refOf(actor));
    tellOfNode(change, 'node.removed');
    return { kind: 'remove' };
  });
}
