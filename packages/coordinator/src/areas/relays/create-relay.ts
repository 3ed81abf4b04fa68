import {
  DEFAULT_RELAY_CAPACITY,
  DEFAULT_RELAY_PORT,
  DEFAULT_RELAY_TLS_PORT,
  invalid,
  utc,
  WHOLE_MESH,
} from '@meshwork/contract';
import { relaySealedFor } from '../../mesh/envelopes.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Call, Reply } from '../handler.ts';
import { runningNode } from './find-relay.ts';
import { type RelaySources, relayRecord } from './relay-record.ts';
import { ensureSoundHost } from './sound-host.ts';

export function createRelay(
  call: Call<'relays.create'>,
  mesh: Pick<Mesh, 'seal'>,
  sources: RelaySources,
): Promise<Reply<'relays.create'>> {
  const { name, node, secret, ...given } = call.body;
  if ((node === undefined) === (secret === undefined)) {
    throw invalid('/node', 'is for a relay that a node runs, and secret for an external one: name one of them');
  }
  if (secret !== undefined && given.certificate === 'mesh') {
    throw invalid('/certificate', 'cannot be mesh: an external relay has no certificate of the mesh');
  }
  return call.transact((tx) => {
    ensureSoundHost(tx, given.host);
    const relay = tx.create('relay', name, {
      port: DEFAULT_RELAY_PORT,
      tls_port: secret === undefined ? DEFAULT_RELAY_TLS_PORT : null,
      certificate: secret === undefined ? 'mesh' : 'public',
      capacity: DEFAULT_RELAY_CAPACITY,
      ...given,
      node: node === undefined ? null : runningNode(tx, node, name),
      draining: false,
      created_at: utc(tx.now_ms),
      ...(secret === undefined ? {} : { secret: mesh.seal(Buffer.from(secret), relaySealedFor(name)) }),
    });
    tx.record({ target: { kind: 'relay', id: name } });
    tx.emit({ type: 'relay.created', subject: { kind: 'relay', id: name }, scope: WHOLE_MESH, data: {} });
    return { body: relayRecord(tx, relay, sources), revision: relay.revision, location: `/v1/relays/${name}` };
  });
}
