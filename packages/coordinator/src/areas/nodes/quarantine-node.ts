import { utc } from '@meshwork/contract';
import { refOf } from '../../mesh/actor.ts';
import { revokeAllOf } from '../../mesh/node-certificates.ts';
import { aboutNode } from '../../mesh/node-state.ts';
import type { Call, Reply } from '../handler.ts';
import { askNode, ensureState, tellOfNode } from './ask-node.ts';

/** Its session is void at once: what it says from now on it says as a node that is cut off. */
export function quarantineNode(call: Call<'nodes.quarantine'>): Promise<Reply<'nodes.quarantine'>> {
  return askNode(call, (change) => {
    const { tx, node, actor } = change;
    ensureState(change, node.body.quarantined === null, 'one that is not cut off yet can be');
    const reason = call.body.reason ?? null;
    const { session_epoch, name } = node.body;
    const quarantined = { at: utc(tx.now_ms), reason };
    tx.put('node', node.id, { ...node.body, quarantined, session_epoch: session_epoch + 1 });
    revokeAllOf(tx, node, 'privilege_withdrawn', refOf(actor));
    tx.emit({ ...aboutNode(node), type: 'node.quarantined', data: { name, reason } });
    return { kind: 'quarantine', detail: { reason } };
  });
}

export function releaseNode(call: Call<'nodes.release'>): Promise<Reply<'nodes.release'>> {
  return askNode(call, (change) => {
    const { tx, node } = change;
    ensureState(change, node.body.quarantined !== null, 'a quarantined one can be released');
    tx.put('node', node.id, { ...node.body, quarantined: null });
    tellOfNode(change, 'node.released');
    return { kind: 'release' };
  });
}
