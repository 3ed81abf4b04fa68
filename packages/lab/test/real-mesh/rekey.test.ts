/** A node gets another key while it talks: what is open goes on, and afterwards there is one key, the new one. */
import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { NodeOperation } from '@meshwork/contract';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { setGrants } from './grants.ts';
import { assertVerified } from './operations.ts';
import { untilReached } from './reach.ts';
import { type Stream, Streams } from './stream.ts';
import { keyInUse, peerKeys } from './wireguard.ts';

/** What WireGuard waits before it tries a handshake again. A pause as long as that would mean that the first was lost. */
const HANDSHAKE_AGAIN_MS = 5_000;
/** Crashes that came too early or too late are tried again. */
const MOST_CRASHES = 10;

describe('a node with a new key', () => {
  let scene: Scene;
  let streams: Streams;
  let stream: Stream;

  before(async () => {
    scene = await Scene.start({ nodes: [{ name: 'a' }, { name: 'b' }] });
    streams = new Streams();
    await setGrants(scene, [{ from: 'a', to: 'b', allow: ['tcp:7001', 'tcp:80'] }]);
    const host = await scene.addressOf('b');
    await scene.prober('b').listen(80);
    await untilReached(scene.prober('a'), { host, port: 80 });
    stream = await streams.open(scene.lab.node('a'), scene.lab.node('b'), { host, port: 7001 });
  });
  after(async () => {
    await streams?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  for (const name of ['b', 'a']) {
    const end = name === 'b' ? 'was connected to' : 'had connected';
    test(`goes on with what it ${end}`, async () => {
      const before = await keyInUse(scene.lab.node(name));
      await stream.mark();
      await assertVerified(scene, await rekey(name));
      await assertWentOn();
      assert.notEqual(await keyInUse(scene.lab.node(name)), before);
      await assertOneKeyEach();
    });
  }

  test('goes on when its peer gets one at the same time', async () => {
    const before = await Promise.all(['a', 'b'].map((name) => keyInUse(scene.lab.node(name))));
    await stream.mark();
    const asked = await Promise.all(['a', 'b'].map(rekey));
    for (const operation of asked) await assertVerified(scene, operation);
    await assertWentOn();
    const now = await Promise.all(['a', 'b'].map((name) => keyInUse(scene.lab.node(name))));
    assert.ok(
      now.every((key, index) => key !== before[index]),
      `${before} and ${now}`,
    );
    await assertOneKeyEach();
  });

  test('has that one key also when its agent is killed while it changes it', async () => {
    const before = await keyInUse(scene.lab.node('b'));
    const operation = await crashInTheMiddle('b');
    await scene.lab.node('b').agent.start();
    await assertVerified(scene, operation);
    await assertOneKeyEach();
    assert.notEqual(await keyInUse(scene.lab.node('b')), before);
    await stream.untilMoving();
    for (const { ended } of await stream.state()) assert.equal(ended, null);
  });

  async function rekey(name: string): Promise<NodeOperation> {
    const { id } = await scene.node(name);
    return (await scene.client.call('nodes.rekey', { params: { id }, body: {} })).body;
  }

  async function assertWentOn(): Promise<void> {
    await stream.untilMoving();
    const [from, to] = await stream.state();
    const paused = `paused for ${Math.round(from.gap_ms)} ms at one end and ${Math.round(to.gap_ms)} ms at the other`;
    assert.deepEqual([from.ended, to.ended], [null, null]);
    assert.ok(Math.max(from.gap_ms, to.gap_ms) < HANDSHAKE_AGAIN_MS, paused);
  }

  /** Each has the key on its interface that the coordinator knows, and the key of the other as its only peer. */
  async function assertOneKeyEach(): Promise<void> {
    const known = await Promise.all(['a', 'b'].map(async (name) => (await scene.node(name)).wireguard_key));
    const [a, b] = [scene.lab.node('a'), scene.lab.node('b')];
    assert.deepEqual([await keyInUse(a), await keyInUse(b)], known);
    let peers: string[][] = [];
    await until(
      async () => {
        peers = [await peerKeys(b), await peerKeys(a)];
        return JSON.stringify(peers) === JSON.stringify(known.map((key) => [key]));
      },
      () => `each is the only peer of the other: ${JSON.stringify({ peers, known })}`,
    );
  }

  /** Kills the agent as soon as the new key is on disk. Whether the coordinator knows it already decides if it was in time. */
  async function crashInTheMiddle(name: string): Promise<NodeOperation> {
    const { agent } = scene.lab.node(name);
    for (let tries = 0; tries < MOST_CRASHES; tries++) {
      const written = untilWritten(join(nodeFolder(scene.lab.plan.name, name), 'state'), 'wireguard.json');
      const operation = await rekey(name);
      await written;
      await agent.stop('SIGKILL');
      const { body } = await scene.client.call('operations.show', { params: { id: operation.id } });
      if (body.state !== 'verified') return operation;
      await agent.start();
    }
    throw new Error(`${MOST_CRASHES} crashes all came after the new key was proven`);
  }
});

async function untilWritten(folder: string, file: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const watcher = watch(folder, (_, name) => name === file && resolve());
  watcher.on('error', reject);
  try {
    await promise;
  } finally {
    watcher.close();
  }
}
