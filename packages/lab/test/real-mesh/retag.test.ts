/** A node with other tags is in other groups: what it reaches and who reaches it changes with them, both ways. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Scene } from '../lab-scene.ts';
import { setGrants } from './grants.ts';
import { assertVerified } from './operations.ts';
import { assertDropped, assertReached, untilDropped, untilReached } from './reach.ts';
import { untilInSync } from './standing.ts';
import { machineTime, Streams } from './stream.ts';

const GRANTS = [
  { from: 'web', to: 'db', allow: ['tcp:80', 'tcp:7001'] },
  { from: 'ops', to: 'db', allow: ['tcp:81'] },
  { from: 'db', to: 'web', allow: ['tcp:80'] },
  { from: 'db', to: 'ops', allow: ['tcp:81'] },
];

describe('a node whose tags are changed', () => {
  let scene: Scene;
  let streams: Streams;
  let address: { readonly a: string; readonly b: string };

  before(async () => {
    scene = await Scene.start({
      nodes: [
        { name: 'a', tags: ['role:web'] },
        { name: 'b', tags: ['role:db'] },
      ],
    });
    streams = new Streams();
    await setGrants(scene, GRANTS, ['web', 'db', 'ops']);
    await untilInSync(scene, ['a', 'b']);
    address = { a: await scene.addressOf('a'), b: await scene.addressOf('b') };
    for (const name of ['a', 'b']) for (const port of [80, 81]) await scene.prober(name).listen(port);
    await untilReached(scene.prober('a'), { host: address.b, port: 80 });
  });
  after(async () => {
    await streams?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  test('loses what it had by the old ones and gains what the new ones give, in both directions', async () => {
    await assertOnly(80);
    await retag('role:ops');
    await assertOnly(81);
    await retag('role:web');
    await assertOnly(80);
  });

  test('without any, is reached by no node and reaches none', async () => {
    const stream = await streams.open(scene.lab.node('a'), scene.lab.node('b'), { host: address.b, port: 7001 });
    const answered_ms = await retag();
    for (const { last_ms } of await stream.untilQuiet(3_000)) {
      const after_ms = Math.round(last_ms - answered_ms);
      assert.ok(after_ms < 2_000, `what was open went on for ${after_ms} ms`);
    }
    const unreached = { timeout_ms: 800 };
    for (const port of [80, 81]) {
      assert.notEqual((await scene.prober('a').connect(address.b, port, unreached)).outcome, 'connected');
      assert.notEqual((await scene.prober('b').connect(address.a, port, unreached)).outcome, 'connected');
    }
  });

  /** Resolves when a heartbeat has proven it, with the time when it was answered that it will be. */
  async function retag(...tags: string[]): Promise<number> {
    const { id } = await scene.node('a');
    const { body } = await scene.client.call('nodes.retag', { params: { id }, body: { tags } });
    const answered_ms = machineTime();
    await assertVerified(scene, body);
    assert.deepEqual((await scene.node('a')).tags, tags);
    return answered_ms;
  }

  /** Of the two ports, one is open both from a to b and from b to a. */
  async function assertOnly(port: number): Promise<void> {
    const other = port === 80 ? 81 : 80;
    const [a, b] = [scene.prober('a'), scene.prober('b')];
    await Promise.all([
      untilReached(a, { host: address.b, port }),
      untilReached(b, { host: address.a, port }),
      untilDropped(a, { host: address.b, port: other }),
      untilDropped(b, { host: address.a, port: other }),
    ]);
    await Promise.all([
      assertReached(a, { host: address.b, port }),
      assertReached(b, { host: address.a, port }),
      assertDropped(a, { host: address.b, port: other }),
      assertDropped(b, { host: address.a, port: other }),
    ]);
  }
});
