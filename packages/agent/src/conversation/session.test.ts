import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@meshwork/client';
import { json, loopbackServer, problem, problemOf } from '@meshwork/client/testing';
import { newId } from '@meshwork/contract';
import { decodeJwt } from 'jose';
import { scriptedCoordinator } from '../../test/scripted-coordinator.ts';
import { newIdentityKey } from '../identity/keys.ts';
import { Session } from './session.ts';

async function setUp(seen_as?: (number: number) => string) {
  const node = newId('node', Date.now());
  const key = newIdentityKey();
  const nodes = new Map([[node, key.public]]);
  const coordinator = await scriptedCoordinator(seen_as === undefined ? { nodes } : { nodes, seen_as });
  const seen: (string | null)[] = [];
  const session = new Session({
    identity: { node, key },
    now: () => Date.now(),
    random: () => 0.5,
    seen: (address) => void seen.push(address),
  });
  const client = createClient({ url: coordinator.url });
  const bearer = () => session.bearer(client, AbortSignal.timeout(10_000));
  return { coordinator, session, seen, bearer };
}

test('a session knows where the coordinator saw the node, and asks anew once it is dropped', async () => {
  const { coordinator, session, seen, bearer } = await setUp((number) => `192.0.2.${number}`);
  await using _ = coordinator;
  assert.equal(session.seen_as, null);
  const first = await bearer();
  assert.equal(await bearer(), first);
  assert.deepEqual([session.seen_as, coordinator.proofs.length], ['192.0.2.1', 1]);
  session.drop();
  assert.equal(session.seen_as, '192.0.2.1', 'until the next session says otherwise');
  assert.notEqual(await bearer(), first);
  assert.equal(session.seen_as, '192.0.2.2');
  assert.deepEqual(seen, ['192.0.2.1', '192.0.2.2']);
});

test('a coordinator may not know where a node comes from', async () => {
  const { coordinator, session, seen, bearer } = await setUp();
  await using _ = coordinator;
  await bearer();
  assert.deepEqual([session.seen_as, seen], [null, [null]]);
});

/** A session against a coordinator that takes only these audiences, and says which one is its own. */
async function audienceScene(taken: readonly string[], says: string | undefined, learned?: () => Promise<void>) {
  const node = newId('node', Date.now());
  const audiences: string[] = [];
  const server = await loopbackServer((request, response) => {
    const { aud } = decodeJwt((JSON.parse(request.body) as { proof: string }).proof);
    audiences.push(String(aud));
    if (!taken.includes(String(aud))) return problem(response, problemOf('proof_invalid'));
    const session = { node, bearer: `meshnode_${audiences.length}`, expires: '2099-01-01T00:00:00Z', interval_s: 15 };
    json(response, { ...session, seen_as: null, ...(says === undefined ? {} : { audience: says }) }, 201);
  });
  const open = (audience?: string) =>
    new Session({
      identity: { node, key: newIdentityKey(), audience },
      now: () => Date.now(),
      random: () => 0.5,
      learned,
    });
  const client = createClient({ url: server.url });
  return { server, audiences, open, prove: (session: Session) => session.bearer(client, AbortSignal.timeout(10_000)) };
}
const OLD = 'mesh-node-session';

test('a node that was enrolled by 0.1.0 learns the id of its mesh, keeps it, and uses it from then on', async () => {
  const kept: string[] = [];
  const scene = await audienceScene([OLD, 'mesh_a'], 'mesh_a', async () => void kept.push('kept'));
  await using _ = scene.server;
  const session = scene.open();
  await scene.prove(session);
  session.drop();
  await scene.prove(session);
  assert.deepEqual([scene.audiences, kept], [[OLD, 'mesh_a'], ['kept']]);
});

test('an id that cannot be kept is not used: after a restart it would not be known', async () => {
  const scene = await audienceScene([OLD, 'mesh_a'], 'mesh_a', () => Promise.reject(new Error('disk full')));
  await using _ = scene.server;
  const session = scene.open();
  await scene.prove(session);
  session.drop();
  await scene.prove(session);
  assert.deepEqual(scene.audiences, [OLD, OLD]);
});

test('a coordinator of 0.1.0 is asked once more as it knows it, before a refusal counts', async () => {
  const older = await audienceScene([OLD], undefined);
  await using _ = older.server;
  await older.prove(older.open('mesh_a'));
  assert.deepEqual(older.audiences, ['mesh_a', OLD]);
  const gone = await audienceScene([], undefined);
  await using __ = gone.server;
  await assert.rejects(gone.prove(gone.open('mesh_a')), { code: 'proof_invalid' });
  assert.deepEqual(gone.audiences, ['mesh_a', OLD]);
});
