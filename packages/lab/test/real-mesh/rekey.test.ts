/** A node gets another key while it talks: what is open goes on, and afterwards there is one key, the new one. */
import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { NodeOperation } from '@meshwork/contract';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { setGrants } from './grants.ts';
import { assertVerified } from './operations.ts';
import { untilReached } from './reach.ts';
import { machineTime, type Stream, Streams } from './stream.ts';
import { keyInUse, peerKeys } from './wireguard.ts';

/** What WireGuard waits before it tries a handshake again. A pause as long as that would mean that a lost one was waited for. */
const HANDSHAKE_AGAIN_MS = 5_000;
/** Of WireGuard's packets the first that begins a handshake, with its headers, and none after it. */
const ONE_INITIATION = ['udp', 'length', '156', '@th,64,8', '1', 'quota', 'until', '300', 'bytes', 'counter'];
/** The stream talks fifty times in that. */
const QUIET_MS = 1_000;
/** Crashes that came too late are tried again. On a busy machine that is every second one, or more. */
const MOST_CRASHES = 40;

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
      const operation = await rekey(name);
      await assertGoesOn(await untilReported(name, before));
      await assertVerified(scene, operation);
      assert.notEqual(await keyInUse(scene.lab.node(name)), before);
      await assertOneKeyEach();
    });
  }

  test('goes on soon when the first handshake under it is lost', async () => {
    const [a, b] = [scene.lab.node('a'), scene.lab.node('b')];
    const before = await keyInUse(b);
    await b.exec('nft', ['add', 'table', 'inet', 'lost']);
    await b.exec('nft', ['add', 'chain', 'inet', 'lost', 'in', '{ type filter hook input priority 0; }']);
    await b.exec('nft', ['add', 'rule', 'inet', 'lost', 'in', ...ONE_INITIATION, 'drop']);
    const operation = await rekey('b');
    await assertGoesOn(await untilReported('b', before));
    assert.match(
      await b.exec('nft', ['list', 'table', 'inet', 'lost']),
      /counter packets 1 /,
      'one was lost, and no other',
    );
    await b.exec('nft', ['delete', 'table', 'inet', 'lost']);
    await assertVerified(scene, operation);
    await assertOneKeyEach();
    assert.equal((await peerKeys(a)).length, 1);
  });

  test('goes on soon when its peer receives the key late', async () => {
    const before = await keyInUse(scene.lab.node('b'));
    const agent = await agentProcess('a');
    let operation: NodeOperation;
    process.kill(agent, 'SIGSTOP');
    try {
      operation = await rekey('b');
      await assertVerified(scene, operation);
      await stream.untilQuiet(QUIET_MS); // it cannot go on: the other node does not have the key
    } finally {
      process.kill(agent, 'SIGCONT');
    }
    await assertGoesOn(await untilReported('b', before));
    await assertOneKeyEach();
  });

  test('goes on when its peer gets one at the same time', async () => {
    const before = await Promise.all(['a', 'b'].map((name) => keyInUse(scene.lab.node(name))));
    const asked = await Promise.all(['a', 'b'].map(rekey));
    const reported = await Promise.all(['a', 'b'].map((name, index) => untilReported(name, before[index] ?? '')));
    await assertGoesOn(Math.max(...reported));
    for (const operation of asked) await assertVerified(scene, operation);
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

  /**
   * Waits until the other node has the new key of one. Answers with the last time at which it had not: a busy machine
   * receives it late, and how late is not tested here.
   */
  async function untilReported(name: string, before: string): Promise<number> {
    const other = scene.lab.node(name === 'a' ? 'b' : 'a');
    let unreported_ms = machineTime();
    await until(
      async () => {
        const now_ms = machineTime();
        const keys = await peerKeys(other);
        if (keys.length > 0 && !keys.includes(before)) return true;
        unreported_ms = now_ms;
        return false;
      },
      () => `the other has the new key of ${name}`,
    );
    return unreported_ms;
  }

  /** Before WireGuard would try again by itself, had the handshake been lost that began at the given time or later. */
  async function assertGoesOn(unreported_ms: number): Promise<void> {
    await stream.untilMoving();
    const paused_ms = machineTime() - unreported_ms;
    for (const { ended } of await stream.state()) assert.equal(ended, null);
    assert.ok(paused_ms < HANDSHAKE_AGAIN_MS, `paused for ${Math.round(paused_ms)} ms after both had the key`);
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

  async function agentProcess(name: string): Promise<number> {
    const file = join(nodeFolder(scene.lab.plan.name, name), 'agent.json');
    return (JSON.parse(await readFile(file, 'utf8')) as { readonly pid: number }).pid;
  }

  /** Kills the agent as soon as the new key is on disk. Whether the coordinator knows it already decides if it was in time. */
  async function crashInTheMiddle(name: string): Promise<NodeOperation> {
    const { agent } = scene.lab.node(name);
    for (let tries = 0; tries < MOST_CRASHES; tries++) {
      const pid = await agentProcess(name);
      const folder = join(nodeFolder(scene.lab.plan.name, name), 'state');
      const killed = whenWritten(folder, 'wireguard.json', () => process.kill(pid, 'SIGKILL'));
      const operation = await rekey(name);
      await killed;
      await agent.stop('SIGKILL'); // it is gone
      const { body } = await scene.client.call('operations.show', { params: { id: operation.id } });
      if (body.state !== 'verified') return operation;
      await agent.start();
    }
    throw new Error(`${MOST_CRASHES} crashes all came after the new key was proven`);
  }
});

/** Acts in the moment that it is seen, before anything else that this process may have to do. */
async function whenWritten(folder: string, file: string, act: () => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const watcher = watch(folder, (_, name) => {
    if (name !== file) return;
    watcher.close();
    act();
    resolve();
  });
  watcher.on('error', reject);
  await promise;
}
