import { utc } from '@meshwork/contract';
import { drainDeadline } from '../../mesh/drain-deadline.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Call, Reply } from '../handler.ts';
import { askNode, ensureState, tellOfNode } from './ask-node.ts';

/** The node gives its roles to others, and cuts no connection off before its deadline. The duties of relays, routes and ingress move them. */
export function drainNode(call: Call<'nodes.drain'>): Promise<Reply<'nodes.drain'>> {
  return askNode(call, (change) => {
    const { tx, node } = change;
    ensureState(change, node.body.draining_since === null, 'one that is not draining yet can be drained');
    const { deadline_s } = call.body;
    const drain_deadline = drainDeadline(tx.now_ms, deadline_s);
    tx.put('node', node.id, { ...node.body, draining_since: utc(tx.now_ms), drain_deadline });
    tellOfNode(change, 'node.draining');
    if (drain_deadline === null) return { kind: 'drain' };
    // What is ended at the deadline has to be proven after it.
    const given_up_s = drain_deadline.after_s + settingsOf(tx).operations.timeout_s;
    return { kind: 'drain', deadline_s: given_up_s, detail: { ends_connections_at: drain_deadline.at } };
  });
}

export function undrainNode(call: Call<'nodes.undrain'>): Promise<Reply<'nodes.undrain'>> {
  return askNode(call, (change) => {
    const { tx, node } = change;
    ensureState(change, node.body.draining_since !== null, 'a draining one can be undrained');
    tx.put('node', node.id, { ...node.body, draining_since: null, drain_deadline: null });
    tellOfNode(change, 'node.undrained');
    return { kind: 'undrain' };
  });
}
