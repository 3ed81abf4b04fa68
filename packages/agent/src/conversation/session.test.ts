import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@meshwork/client';
import { newId } from '@meshwork/contract';
import { scriptedCoordinator } from '../../test/scripted-coordinator.ts';
import { newIdentityKey } from '../identity/keys.ts';
import { Session } from './session.ts';

async function setUp(seen_as?: (number: number) => string) {
  const node = newId('node', Date.now());
  const key = newIdentityKey();
  const nodes = new Map([[node, key.public]]);
  const coordinator = await scriptedCoordinator(seen_as === undefined ? { nodes } : { nodes, seen_as });
  const told: (string | null)[] = [];
  const session = new Session({
    identity: { node, key },
    now: () => Date.now(),
    random: () => 0.5,
    seen: (address) => void told.push(address),
  });
  const client = createClient({ url: coordinator.url });
  const bearer = () => session.bearer(client, AbortSignal.timeout(10_000));
  return { coordinator, session, told, bearer };
}

test('a session knows where the coordinator saw the node, and asks anew once it is dropped', async () => {
  const { coordinator, session, told, bearer } = await setUp((number) => `192.0.2.${number}`);
  await using _ = coordinator;
  assert.equal(session.seen_as, null);
  const first = await bearer();
  assert.equal(await bearer(), first);
  assert.deepEqual([session.seen_as, coordinator.proofs.length], ['192.0.2.1', 1]);
  session.drop();
  assert.equal(session.seen_as, '192.0.2.1', 'until somebody says otherwise');
  assert.notEqual(await bearer(), first);
  assert.equal(session.seen_as, '192.0.2.2');
  assert.deepEqual(told, ['192.0.2.1', '192.0.2.2']);
});

test('a coordinator may not know where a node comes from', async () => {
  const { coordinator, session, told, bearer } = await setUp();
  await using _ = coordinator;
  await bearer();
  assert.deepEqual([session.seen_as, told], [null, [null]]);
});
