import { isDeepStrictEqual } from 'node:util';
import { invalid, type NodeId, type Relay, WHOLE_MESH } from '@meshwork/contract';
import type { RelayDocument } from '../../kinds/relays.ts';
import { relaySealedFor } from '../../mesh/envelopes.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findRelay, runningNode } from './find-relay.ts';
import { type RelaySources, relayRecord } from './relay-record.ts';
import { ensureSoundHost } from './sound-host.ts';

export function updateRelay(
  call: Call<'relays.update'>,
  mesh: Pick<Mesh, 'seal'>,
  sources: RelaySources,
): Promise<Reply<'relays.update'>> {
  const { node, secret, ...given } = call.body;
  return call.transact((tx) => {
    const old = findRelay(tx, call.params.name);
    ensureMatches(old, call.if_match);
    if (given.host !== undefined) ensureSoundHost(tx, given.host);
    ensureOfKind(old, call.body);
    const change = {
      ...given,
      ...(node === undefined ? {} : takenOver(old, runningNode(tx, node, old.id))),
      ...(secret === undefined ? {} : { secret: mesh.seal(Buffer.from(secret), relaySealedFor(old.id)) }),
    };
    return shown(tx, changed(tx, old, change), sources);
  });
}

/** A relay of the mesh stays one, and so does an external one. */
function ensureOfKind({ id, body }: Stored<'relay'>, given: Call<'relays.update'>['body']): void {
  if (body.node === null) {
    if (given.node !== undefined)
      throw invalid('/node', `cannot be set: ${id} is external; delete it and create another`);
    if (given.certificate === 'mesh') throw invalid('/certificate', `cannot be mesh: ${id} is external`);
  } else if (given.secret !== undefined) {
    throw invalid('/secret', `is for external relays, and a node runs ${id}`);
  }
}

/** The node that had it knows its secret, so that it gets another one. */
function takenOver({ body }: Stored<'relay'>, node: NodeId): Pick<RelayDocument, 'node' | 'epoch'> {
  return node === body.node ? { node } : { node, epoch: (body.epoch ?? 0) + 1 };
}

/** Drained, it is given no node, and those that it had move to others. */
export function drainRelay(
  call: Call<'relays.drain'> | Call<'relays.undrain'>,
  draining: boolean,
  sources: RelaySources,
): Promise<{ body: Relay; revision: number }> {
  return call.transact((tx) => {
    const old = findRelay(tx, call.params.name);
    ensureMatches(old, call.if_match);
    return shown(tx, changed(tx, old, { draining }), sources);
  });
}

/** What stays as it was is no change: neither a new revision nor an entry. */
function changed(tx: Transaction, old: Stored<'relay'>, change: Partial<RelayDocument>): Stored<'relay'> {
  const body = { ...old.body, ...change };
  if (isDeepStrictEqual(body, old.body)) return old;
  const relay = tx.put('relay', old.id, body);
  tx.record({ target: { kind: 'relay', id: old.id } });
  tx.emit({ type: 'relay.changed', subject: { kind: 'relay', id: old.id }, scope: WHOLE_MESH, data: {} });
  return relay;
}

function shown(tx: Transaction, relay: Stored<'relay'>, sources: RelaySources): { body: Relay; revision: number } {
  return { body: relayRecord(tx, relay, sources), revision: relay.revision };
}
