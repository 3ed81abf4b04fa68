import { WHOLE_MESH } from '@meshwork/contract';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findRelay } from './find-relay.ts';

export function deleteRelay(call: Call<'relays.delete'>): Promise<Reply<'relays.delete'>> {
  return call.transact((tx) => {
    const { id, ...relay } = findRelay(tx, call.params.name);
    ensureMatches(relay, call.if_match);
    const released = release(tx, id);
    tx.delete('relay', id);
    tx.record({
      target: { kind: 'relay', id },
      detail: released === 0 ? null : `took it back as the choice for ${released} node(s)`,
    });
    tx.emit({ type: 'relay.deleted', subject: { kind: 'relay', id }, scope: WHOLE_MESH, data: {} });
    return { body: undefined };
  });
}

/**
 * In the same commit: a choice must not come to life again when another relay gets the name. All nodes are looked at,
 * also those that were given the choice a moment ago in the same batch of changes. Returns how many had it.
 */
function release(tx: Transaction, name: string): number {
  const pinned = [...tx.all('node')].filter(({ body }) => body.pinned_relay === name);
  for (const { id, body } of pinned) tx.put('node', id, { ...body, pinned_relay: null });
  return pinned.length;
}
