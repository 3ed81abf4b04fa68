import { DEFAULT_RELAY_CAPACITY, DEFAULT_RELAY_PORT, utc, WHOLE_MESH } from '@meshwork/contract';
import type { Call, Reply } from '../handler.ts';
import { runningNode } from './find-relay.ts';
import { type RelaySources, relayRecord } from './relay-record.ts';
import { ensureSoundHost } from './sound-host.ts';

export function createRelay(call: Call<'relays.create'>, sources: RelaySources): Promise<Reply<'relays.create'>> {
  const { name, node, host, port = DEFAULT_RELAY_PORT, capacity = DEFAULT_RELAY_CAPACITY } = call.body;
  return call.transact((tx) => {
    ensureSoundHost(tx, host);
    const relay = tx.create('relay', name, {
      node: runningNode(tx, node),
      host,
      port,
      capacity,
      draining: false,
      created_at: utc(tx.now_ms),
    });
    tx.record({ target: { kind: 'relay', id: name } });
    tx.emit({ type: 'relay.created', subject: { kind: 'relay', id: name }, scope: WHOLE_MESH, data: {} });
    return { body: relayRecord(tx, relay, sources), revision: relay.revision, location: `/v1/relays/${name}` };
  });
}
