/** What is taken away ends what is open by it, within two seconds of the answer, and nothing else. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Scene } from '../lab-scene.ts';
import { setGrants } from './grants.ts';
import { untilReached } from './reach.ts';
import { machineTime, type Stream, Streams } from './stream.ts';

/** The promise, from the answer of the write to the last byte that gets through. */
const CUT_WITHIN_MS = 2_000;
/** Silent for so long, while another stream between the same nodes is not: it is cut. TCP itself tries again in between. */
const CUT_AFTER_MS = 3_000;
const KEPT = 7000;

describe('a stream between two nodes', () => {
  let scene: Scene;
  let streams: Streams;
  let kept: Stream;
  let b: { readonly v4: string; readonly v6: string };
  const open = (host: string, port: number) => streams.open(scene.lab.node('a'), scene.lab.node('b'), { host, port });
  const grant = (...ports: number[]) =>
    setGrants(scene, [{ from: 'a', to: 'b', allow: ports.map((port) => `tcp:${port}`) }]);

  before(async () => {
    scene = await Scene.start({ nodes: [{ name: 'a' }, { name: 'b' }] });
    streams = new Streams();
    const { address, address6 } = await scene.node('b');
    b = { v4: address.replace('/32', ''), v6: address6.replace('/128', '') };
    await grant(KEPT, 7001, 7002, 80);
    await scene.prober('b').listen(80);
    await untilReached(scene.prober('a'), { host: b.v4, port: 80 });
    kept = await open(b.v4, KEPT);
  });
  after(async () => {
    await streams?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  test('is cut when its grant is taken away, and one that is still granted is not', async () => {
    const stream = await open(b.v4, 7001);
    await assertCut(stream, () => grant(KEPT, 7002));
    await stream.end();
  });

  test('is cut when a host rule drops it, at whichever end the rule is', async () => {
    for (const [node, direction] of [
      ['b', 'in'],
      ['a', 'out'],
    ] as const) {
      const port = 7002;
      const stream = await open(b.v6, port);
      const rule = { direction, interface: 'mesh', protocol: 'tcp', action: 'drop' } as const;
      let id = '';
      await assertCut(stream, async () => {
        const body = { ...rule, nodes: [`node:${node}`], ports: [`${port}`] };
        ({ id } = (await scene.client.call('firewall.create', { body })).body);
      });
      await stream.end();
      await scene.client.call('firewall.delete', { params: { id } });
      await untilReached(scene.prober('a'), { host: b.v6, port });
    }
  });

  /** Measured at both ends, against a clock that all processes of the machine share. */
  async function assertCut(stream: Stream, takeAway: () => Promise<void>): Promise<void> {
    await stream.untilMoving();
    await kept.mark();
    await takeAway();
    const answered_ms = machineTime();
    const ends = await stream.untilQuiet(CUT_AFTER_MS);
    await kept.untilMoving();
    for (const [index, { last_ms }] of ends.entries()) {
      const after_ms = Math.round(last_ms - answered_ms);
      const end = index === 0 ? 'a' : 'b';
      assert.ok(after_ms < CUT_WITHIN_MS, `the last byte reached ${end} ${after_ms} ms after the answer`);
    }
    for (const { gap_ms, ended } of await kept.state()) {
      assert.equal(ended, null);
      assert.ok(gap_ms < CUT_WITHIN_MS, `the stream that is still granted paused for ${Math.round(gap_ms)} ms`);
    }
  }
});
