/** Streams go on while the path under them changes, whichever part of it ends: packets of real programs, both ways, all the time. */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { ExplainCheck, Explanation } from '@meshwork/contract';
import { untilCoordinator, untilReady } from '../real-mesh/standing.ts';
import type { Stream } from '../real-mesh/stream.ts';
import { PART_MARK } from '../real-mesh/stream-calls.ts';
import { until } from '../until.ts';
import { Capture } from './capture.ts';
import { RelayedSites, SUBNET } from './relayed-sites.ts';

/** Ours: on a machine that does much else. What it takes on one of its own is measured in the bench. */
const GOES_ON_WITHIN_MS = 20_000;

describe('streams between nodes in sites', () => {
  let sites: RelayedSites;
  /** Between two that get through to each other. */
  let near: Stream;
  /** With one that never does. */
  let far: Stream;

  before(async () => {
    sites = await RelayedSites.start();
    near = await sites.stream('one', 'two');
    far = await sites.stream('one', 'three');
    await sites.untilReported('one', 'two', 'direct');
    await sites.untilReported('one', 'three', 'relay');
  });
  after(() => sites?.[Symbol.asyncDispose]());

  /** Does it, waits until it has come about, and says how long the streams stood still meanwhile at most. */
  async function assertGoOn(
    context: TestContext,
    what: string,
    streams: Readonly<Record<string, Stream>>,
    change: () => Promise<unknown>,
  ): Promise<void> {
    for (const stream of Object.values(streams)) await stream.mark();
    await change();
    for (const [name, stream] of Object.entries(streams)) {
      await stream.untilMoving();
      const ends = await stream.state();
      const gap_ms = Math.max(...ends.map((end) => end.gap_ms));
      context.diagnostic(`${what}: the ${name} stream stood still for ${Math.round(gap_ms)} ms`);
      assert.deepEqual(
        ends.map(({ ended }) => ended),
        [null, null],
      );
      assert.ok(gap_ms < GOES_ON_WITHIN_MS, `${what}: the ${name} stream stood still for ${gap_ms} ms`);
    }
  }

  /** The direct path of `one` and `two` is lost, and comes back. */
  async function loseAndRegain(context: TestContext): Promise<void> {
    const { lab } = sites.scene;
    await sites.untilGoes('one', 'two', 'direct');
    await assertGoOn(context, 'the direct path is cut', { direct: near, relayed: far }, async () => {
      await lab.cut('site-1', 'site-2');
      await sites.untilGoes('one', 'two', 'relay');
      // At once: a direct path is looked for again within seconds, and if there is none then, in a minute.
      await lab.mend('site-1', 'site-2');
    });
    await assertGoOn(context, 'the direct path is back', { direct: near, relayed: far }, () =>
      sites.untilGoes('one', 'two', 'direct'),
    );
  }

  test('an explanation has the name, the path and the relays of a link, and a real packet agrees with it', async () => {
    const { client } = sites.scene;
    for (const [to, path, relay] of [
      ['two', /^Directly: one sends to /, /^$/],
      [
        'three',
        /; relayed by .*Of three, one tried .*\(no answer\)/,
        /^one uses the relay .*\(over (?:UDP|TCP).*, which is up\./,
      ],
    ] as const) {
      let explained: Explanation | undefined;
      const words = (check: ExplainCheck) => explained?.steps.find((step) => step.check === check)?.detail ?? '';
      await until(
        async () => {
          explained = (await client.call('acls.explain', { query: { from: 'one', to } })).body;
          return path.test(words('path'));
        },
        () => `the path to ${to} is explained: ${JSON.stringify(explained)}`,
      );
      assert.match(words('name'), new RegExp(`^On one, ${to}\\.mesh leads to \\S+ and \\S+, by `));
      assert.match(words('relay'), relay);
      const { body: tried } = await client.call('acls.probe', { body: { from: 'one', to } });
      assert.deepEqual([explained?.verdict, tried.reality, tried.agrees], ['allowed', 'passed', true], tried.reason);
    }
  });

  test('the direct path is lost and comes back while the coordinator is away: a stream goes on by relays and back', async (context) => {
    await sites.scene.mesh.end('SIGKILL');
    await loseAndRegain(context);
    await sites.scene.mesh.startAgain();
    await sites.untilReported('one', 'two', 'direct');
  });

  test('the session with a subnet router is kept, by the node that uses it alone', async () => {
    const pairs = [
      ['one', 'two'],
      ['two', 'one'],
      ['one', 'three'],
      ['three', 'two'],
    ] as const;
    const keepalives = await Promise.all(pairs.map(([from, to]) => sites.keepalive(from, to)));
    assert.deepEqual(keepalives, ['25', 'off', 'off', 'off']);
  });

  test('what a relay carries says nothing to it', async () => {
    const { lab } = sites.scene;
    const wanted = { text: PART_MARK, bytes: 1000 };
    const [relay = ''] = await sites.relaysOf('one', 'three');
    await using atRelay = await Capture.start(lab.node(relay), wanted);
    await using atOther = await Capture.start(lab.node(sites.otherRelay(relay)), wanted); // the link may have moved since
    await using atEnd = await Capture.start(lab.node('three'), wanted);
    const [, before] = await far.state();
    await until(
      async () => ((await far.state())[1]?.received_bytes ?? 0) > before.received_bytes + 100 * 1024,
      () => 'the stream goes on',
    );
    const [one, other, plain] = [await atRelay.end(), await atOther.end(), await atEnd.end()];
    assert.ok(plain.readable >= 50, `at its end the stream can be read: ${JSON.stringify(plain)}`);
    assert.ok(one.packets + other.packets >= 100, `all of it comes by a relay: ${JSON.stringify([one, other])}`);
    assert.equal(one.readable + other.readable, 0);
  });

  test('an agent is killed: both streams go on without it, and its links are what they were when it is back', async (context) => {
    const { agent } = sites.scene.lab.node('one');
    await assertGoOn(context, 'an agent is killed', { direct: near, relayed: far }, () => agent.stop('SIGKILL'));
    await assertGoOn(context, 'it is started again', { direct: near, relayed: far }, async () => {
      await agent.start();
      await untilReady(sites.scene.lab.node('one'));
      await untilCoordinator(sites.scene.lab.node('one'), 'there');
      await sites.untilReported('one', 'two', 'direct');
      await sites.untilReported('one', 'three', 'relay');
    });
    await loseAndRegain(context);
  });

  test('a carrier is killed: its agent starts another, and the streams go on', async (context) => {
    const carrier = await sites.carrier('one');
    await assertGoOn(context, 'a carrier is killed', { direct: near, relayed: far }, async () => {
      process.kill(carrier, 'SIGKILL');
      await until(
        async () => (await sites.carrier('one')) !== carrier,
        () => 'another carrier',
      );
      await far.untilMoving();
    });
  });

  test('two behind the same NAT speak in its network, and the stream goes on when one of them moves to another', async (context) => {
    const { lab } = sites.scene;
    const inside = await sites.stream('one', 'four');
    const { a_view } = await sites.untilReported('one', 'four', 'direct');
    assert.equal(a_view?.endpoint, `${lab.node('four').planned.inner_address}:51820`);
    await assertGoOn(context, 'a node moves', { inside, relayed: far }, async () => {
      await lab.move('four', 'site-2');
      await inside.untilMoving();
      await sites.untilReported('one', 'four', 'direct');
    });
    await inside.end();
  });

  describe('when all are relayed, and a relay', () => {
    before(async () => {
      await sites.scene.lab.cut('site-1', 'site-2');
      await sites.untilGoes('one', 'two', 'relay');
      await near.untilMoving();
    });

    test('is another one by the word of the operator, that is verified, and the packets go by it', async (context) => {
      const { client, lab } = sites.scene;
      const { relay: home } = await sites.scene.node('one');
      const to = sites.otherRelay(home ?? '');
      await using atRelay = await Capture.start(lab.node(to), { text: PART_MARK, bytes: 1000 });
      await assertGoOn(context, 'a node is moved to another relay', { 'first relayed': near, far }, async () => {
        const { body: moving } = await client.call('nodes.move_relay', { params: { id: 'one' }, body: { relay: to } });
        await until(
          async () => (await client.call('operations.show', { params: { id: moving.id } })).body.state === 'verified',
          () => `the move of one to ${to} is verified`,
        );
        for (const other of ['two', 'three'] as const) await sites.untilLeavesBy('one', other, to);
      });
      const [before] = await near.state();
      await until(
        async () => (await near.state())[0].received_bytes > before.received_bytes + 100 * 1024,
        () => 'the stream goes on',
      );
      const { packets } = await atRelay.end();
      assert.ok(packets >= 100, `${packets} packets of the stream went by ${to}`);
    });

    /** Has it happen to a relay that they go through, and waits until both ends report that they go through the other. */
    async function assertGoOnWithout(
      context: TestContext,
      what: string,
      change: (relay: string) => Promise<AsyncDisposable>,
    ): Promise<void> {
      await sites.untilSeated();
      const [relay = ''] = await sites.relaysOf('one', 'two');
      await using during = new AsyncDisposableStack();
      await assertGoOn(context, `a relay ${what}`, { 'first relayed': near, 'second relayed': far }, async () => {
        during.use(await change(relay));
        for (const other of ['two', 'three'] as const) {
          await sites.relaysOf('one', other, (relays) => !relays.has(relay));
        }
      });
    }

    test('hangs, they go on by another', (context) =>
      assertGoOnWithout(context, 'hangs', (relay) => sites.hangRelay(relay)));

    test('is cut off, they go on by another', (context) =>
      assertGoOnWithout(context, 'is cut off', (relay) => sites.cutRelay(relay)));

    test('is killed, they go on by another', (context) =>
      assertGoOnWithout(context, 'is killed', (relay) => sites.killRelay(relay)));

    test('has been changed for another often enough, and the direct path is there again: the same stream goes directly', (context) =>
      assertGoOn(context, 'the direct path is there again', { 'once relayed': near, relayed: far }, async () => {
        const { agent } = sites.scene.lab.node('one');
        await sites.scene.lab.mend('site-1', 'site-2');
        await agent.stop('SIGTERM'); // one that starts looks for direct paths at once, and not within a minute
        await agent.start();
        await sites.untilReported('one', 'two', 'direct');
      }));
  });

  test('an uplink loses large packets: both ends send smaller ones by a path through it, and much data gets through', async () => {
    await Promise.all([near.end(), far.end()]); // a connection that lost large packets before waits ever longer
    await using _ = await sites.narrow('site-1', 1400);
    await sites.scene.lab.cut('site-1', 'site-2');
    const stream = await sites.stream('one', 'two');
    const [one, two] = [await sites.scene.addressOf('one'), await sites.scene.addressOf('two')];
    for (const to of [two, SUBNET.replace('0/24', '9')]) await sites.untilMtu('one', to, (mtu) => mtu <= 1336);
    await sites.untilMtu('two', one, (mtu) => mtu <= 1336);
    await stream.burst();
    await sites.untilReportedMtu('one', 'two', (mtu) => mtu <= 1336);
  });
});
