/**
 * Nodes talk as the policy says: on granted ports, in the granted direction, in both families, by address and by name. Their
 * agents run as the service unit runs them, from the bundle.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Prober } from '../lab-prober.ts';
import { Scene } from '../lab-scene.ts';
import { unitProgram } from '../unit-program.ts';
import { setGrants } from './grants.ts';
import { assertDropped, assertPingDropped, assertPings, assertReached, untilReached } from './reach.ts';
import { untilInSync } from './standing.ts';

const GRANTS = [
  { from: 'a', to: 'b', allow: ['tcp:80', 'udp:53', 'icmp'] },
  { from: 'b', to: 'c', allow: ['tcp:8000-8001'] },
];
const TCP = [80, 81, 8000, 8001, 8002];
const UDP = [53, 54];

describe('three nodes under a policy', () => {
  let scene: Scene;
  let bundle: string;
  const probers = new Map<string, Prober>();
  const prober = (name: string) => probers.get(name) as Prober;
  /** By which others call a node. */
  const calls = new Map<string, { readonly v4: string; readonly v6: string; readonly name: string }>();
  const call = (name: string) => calls.get(name) as { readonly v4: string; readonly v6: string; readonly name: string };

  before(async () => {
    bundle = await mkdtemp(join(tmpdir(), 'mesh-agent-bundle-'));
    const program = await unitProgram(join(bundle, 'bundle'));
    scene = await Scene.start({ nodes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }], program });
    await setGrants(scene, GRANTS);
    await untilInSync(scene, ['a', 'b', 'c']);
    for (const name of ['a', 'b', 'c']) {
      const { address, address6 } = await scene.node(name);
      calls.set(name, { v4: address.replace('/32', ''), v6: address6.replace('/128', ''), name });
      const prober = scene.prober(name);
      probers.set(name, prober);
      for (const port of TCP) await prober.listen(port);
      for (const port of UDP) await prober.listen(port, 'udp');
    }
    await untilReached(prober('a'), { host: call('b').v4, port: 80 });
    await untilReached(prober('b'), { host: call('c').v4, port: 8000 });
  });
  after(async () => {
    await scene?.[Symbol.asyncDispose]();
    if (bundle !== undefined) await rm(bundle, { recursive: true, force: true });
  });

  for (const by of ['v4', 'v6', 'name'] as const) {
    test(`by ${by}, what is granted gets through`, async () => {
      await assertReached(prober('a'), { host: call('b')[by], port: 80 });
      await assertReached(prober('b'), { host: call('c')[by], port: 8000 });
      await assertReached(prober('b'), { host: call('c')[by], port: 8001 });
      await assertPings(scene.lab.node('a'), call('b')[by]);
    });

    test(`by ${by}, other ports are dropped, also with a listener`, async () => {
      await assertReached(prober('b'), { host: '127.0.0.1', port: 81 });
      await assertReached(prober('c'), { host: '::1', port: 8002 });
      await Promise.all([
        assertDropped(prober('a'), { host: call('b')[by], port: 81 }),
        assertDropped(prober('b'), { host: call('c')[by], port: 8002 }),
        assertDropped(prober('b'), { host: call('c')[by], port: 80 }),
      ]);
    });

    test(`by ${by}, nothing is open in the other direction, nor beyond the next node`, async () => {
      await Promise.all([
        assertDropped(prober('b'), { host: call('a')[by], port: 80 }),
        assertDropped(prober('c'), { host: call('b')[by], port: 8000 }),
      ]);
    });
  }

  test('nodes with no grant between them know nothing of each other', async () => {
    const names = await scene.lab.node('a').exec('cat', ['/etc/hosts']);
    assert.match(names, /\sb$/m);
    assert.doesNotMatch(names, /\sc$/m);
    const { outcome } = await prober('a').connect(call('c').v4, 80, { timeout_ms: 800 });
    assert.notEqual(outcome, 'connected');
  });

  test('a name leads to both addresses', async () => {
    await assertPings(scene.lab.node('a'), 'b', '-4');
    await assertPings(scene.lab.node('a'), 'b', '-6');
  });

  for (const by of ['v4', 'v6'] as const) {
    test(`by ${by}, UDP gets through where it is granted, and nowhere else`, async () => {
      await assertReached(prober('a'), { host: call('b')[by], port: 53, protocol: 'udp' });
      await Promise.all([
        assertDropped(prober('a'), { host: call('b')[by], port: 54, protocol: 'udp' }),
        assertDropped(prober('a'), { host: call('b')[by], port: 80, protocol: 'udp' }),
        assertDropped(prober('b'), { host: call('a')[by], port: 53, protocol: 'udp' }),
      ]);
    });

    test(`by ${by}, a ping without a grant is dropped`, async () => {
      const b = scene.lab.node('b');
      await Promise.all([assertPingDropped(b, call('a')[by]), assertPingDropped(b, call('c')[by])]);
    });
  }
});
