/** What duties tell and remove of tokens, operations and nodes, on a real store. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type EventRecord, type NodeId, newId, utc } from '@meshwork/contract';
import { PLATFORM, TestClock } from '../test/harness.ts';
import { type MeshOnDisk, meshOnDisk } from '../test/mesh-on-disk.ts';
import { newToken } from './access/new-token.ts';
import { forgetNodes } from './areas/nodes/forget-nodes.ts';
import { forgetOperations } from './areas/operations/forget-operations.ts';
import { announceExpiry } from './areas/tokens/announce-expiry.ts';
import type { NodeDocument } from './kinds/nodes.ts';
import type { OperationDocument } from './kinds/operations.ts';
import type { TokenDocument } from './kinds/tokens.ts';
import { COORDINATOR, refOf } from './mesh/actor.ts';
import { EVENTS_LOG } from './mesh/event-entry.ts';
import type { Mesh } from './mesh/mesh.ts';
import type { Transaction } from './mesh/transaction.ts';
import { keepResult, resultOf } from './operations/operation-results.ts';

const DAY_S = 24 * 3600;
const BY = refOf(COORDINATOR);

describe('retention', () => {
  let opened: MeshOnDisk;
  let mesh: Mesh;
  const clock = new TestClock();
  const change = (run: (tx: Transaction) => void) =>
    mesh.transact({ actor: COORDINATOR, action: 'test.change' }, (tx) => {
      run(tx);
      tx.record({ target: null });
    });

  beforeEach(async () => {
    opened = await meshOnDisk(clock);
    ({ mesh } = opened);
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const events = async () => {
    const entries = await mesh.journal.range({ log: EVENTS_LOG, order: 'oldest_first', limit: 100 });
    return entries.map(({ body }) => JSON.parse(body) as EventRecord).map(({ type, subject }) => [type, subject.id]);
  };
  const token = (days: number, more: Partial<TokenDocument> = {}): TokenDocument => {
    const expires = utc(clock.now() + days * DAY_S * 1000);
    const given = { name: 'x', scope: PLATFORM, role: 'viewer', expires, created_by: BY, secret_sha256: '' };
    return { ...newToken(given, clock.now()), ...more };
  };

  it('writes one event for each token that expires within a week', async () => {
    const now = utc(clock.now());
    await change((tx) => {
      tx.put('token', 'soon', token(10));
      tx.put('token', 'late', token(30));
      tx.put('token', 'revoked', token(10, { revoked_at: now }));
      tx.put('token', 'rotated', token(10, { retires_at: utc(clock.now() + 20 * DAY_S * 1000) }));
    });
    await announceExpiry(mesh);
    assert.deepEqual(await events(), []);
    clock.advance(4 * DAY_S);
    await announceExpiry(mesh);
    await announceExpiry(mesh);
    assert.deepEqual(await events(), [['token.expiring', 'soon']]);
    assert.equal(mesh.model.get('token', 'soon')?.body.expiry_announced, true);
  });

  it('keeps an operation for as long as the settings say, and one that is under way for ever', async () => {
    const operation = (ended_at: string | null): OperationDocument => ({
      kind: 'rekey',
      node: newId('node', clock.now()),
      node_name: 'git-1',
      scope: PLATFORM,
      state: ended_at === null ? 'requested' : 'verified',
      requested_by: BY,
      requested_at: utc(clock.now()),
      requested_revision: 1,
      deadline_ms: clock.now(),
      delivered_at: null,
      verified_at: ended_at,
      ended_at,
      reason: null,
      detail: {},
      before: {},
    });
    const ended = operation(utc(clock.now()));
    await change((tx) => {
      for (let count = 0; count < 150; count++) tx.put('operation', `ended-${count}`, ended);
      tx.put('operation', 'open', operation(null));
      tx.put('operation', 'ended-0', keepResult(tx, { id: 'ended-0', revision: 1, body: ended }, '{}').body);
    });
    const answer = () => resultOf(mesh.journal, { id: 'ended-0', revision: 1, body: { ...ended, result_bytes: 2 } });
    clock.advance(29 * DAY_S);
    await forgetOperations(mesh);
    assert.deepEqual([mesh.model.count('operation'), await answer()], [151, '{}']);
    clock.advance(2 * DAY_S);
    await forgetOperations(mesh);
    assert.deepEqual(
      [...mesh.model.all('operation')].map(({ id }) => id),
      ['open'],
    );
    assert.equal(await answer(), null, 'what the node answered goes with it');
  });

  it('forgets a removed node with all that is kept beside it, once nothing is under way on it', async () => {
    const id = newId('node', clock.now()) as NodeId;
    const other = newId('node', clock.now()) as NodeId;
    const node = (removed_at: string | null): NodeDocument => ({
      name: 'git-1',
      identity_key: '',
      wireguard_key: '',
      tags: [],
      address: '100.64.0.7',
      address6: 'fd00::7',
      routes_approved: [],
      pinned_relay: null,
      created_at: utc(clock.now()),
      created_by: BY,
      approved_at: null,
      quarantined: null,
      draining_since: null,
      removed_at,
      session_epoch: 1,
    });
    const removal = (state: 'delivered' | 'verified') =>
      change((tx) =>
        tx.put('operation', 'removal', {
          kind: 'remove',
          node: id,
          node_name: 'git-1',
          scope: PLATFORM,
          state,
          requested_by: BY,
          requested_at: utc(clock.now()),
          requested_revision: 1,
          deadline_ms: clock.now(),
          delivered_at: null,
          verified_at: null,
          ended_at: null,
          reason: null,
          detail: {},
          before: {},
        }),
      );
    await change((tx) => {
      tx.put('node', id, node(utc(clock.now())));
      tx.put('liveness', id, { state: 'stale', since: utc(clock.now()) });
      tx.put('proof', id, { used: [] });
      tx.put('repair', id, { told_ms: 0, at: utc(clock.now()), sections: ['acl'], found: '', known: [] });
      tx.put('node', other, node(null));
      tx.put('proof', other, { used: [] });
    });
    await removal('delivered');
    clock.advance(6 * DAY_S);
    await forgetNodes(mesh);
    clock.advance(2 * DAY_S);
    await forgetNodes(mesh);
    assert.equal(mesh.model.count('node'), 2);
    await removal('verified');
    await forgetNodes(mesh);
    const left = (['node', 'liveness', 'proof', 'repair'] as const).map((kind) =>
      [...mesh.model.all(kind)].map((stored) => stored.id),
    );
    assert.deepEqual(left, [[other], [], [other], []]);
  });
});
