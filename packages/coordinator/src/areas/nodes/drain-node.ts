import { utc } from '@meshwork/contract';
import type { Call, Reply } from '../handler.ts';
import { askNode, ensureState, tellOfNode } from './ask-node.ts';

/** The node gives its roles to others, without cutting anybody off. The duties of relays, routes and ingress move them. */
export function drainNode(call: Call<'nodes.drain'>): Promise<Reply<'nodes.drain'>> {
  return askNode(call, (change) => {
    const { tx, node } = change;
    ensureState(change, node.body.draining_since === null, 'one that is not draining yet can be drained');
    tx.put('node', node.id, { ...node.body, draining_since: utc(tx.now_ms) });
    tellOfNode(change, 'node.draining');
    return { kind: 'drain', deadline_s: call.body.deadline_s };
  });
}

export function undrainNode(call: Call<'nodes.undrain'>): Promise<Reply<'nodes.undrain'>> {
  return askNode(call, (change) => {
    const { tx, node } = change;
    ensureState(change, node.body.draining_since !== null, 'a draining one can be undrained');
    tx.put('node', node.id, { ...node.body, draining_since: null });
    tellOfNode(change, 'node.undrained');
    return { kind: 'undrain' };
  });
}
