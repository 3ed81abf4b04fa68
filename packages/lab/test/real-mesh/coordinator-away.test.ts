/** A mesh goes on without its coordinator, as it last was, whatever happens to its nodes meanwhile. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { LiveFlow } from '../lab-prober.ts';
import { Scene } from '../lab-scene.ts';
import { assertGoesOn } from './flows.ts';
import { setGrants } from './grants.ts';
import { reboot, wireguardAt } from './host-faults.ts';
import { assertDropped, assertPings, assertReached, untilDropped, untilReached } from './reach.ts';
import { checkOf, untilCoordinator, untilInSync, untilReady } from './standing.ts';

const [GRANTED, FORBIDDEN] = [80, 81];
const BOTH = ['a', 'b'] as const;

describe('while the coordinator is away', () => {
  let scene: Scene;
  let flow: LiveFlow;
  const address = { a: '', b: '' };
  const to = (name: 'a' | 'b', port: number) => ({ host: address[name], port });

  before(async () => {
    scene = await Scene.start({
      nodes: BOTH.map((name) => ({ name })),
      settings: { nodes: { heartbeat_interval_s: 2 } },
    });
    await setGrants(scene, [
      { from: 'a', to: 'b', allow: [`tcp:${GRANTED}`, 'icmp'] },
      { from: 'b', to: 'a', allow: [`tcp:${GRANTED}`] },
    ]);
    for (const name of BOTH) {
      address[name] = await scene.addressOf(name);
      for (const port of [GRANTED, FORBIDDEN]) await scene.prober(name).listen(port);
    }
    await untilReached(scene.prober('a'), to('b', GRANTED));
    await untilReached(scene.prober('b'), to('a', GRANTED));
    await untilInSync(scene, BOTH);
    flow = await scene.prober('a').flow(address.b, GRANTED);
  });
  after(() => scene?.[Symbol.asyncDispose]());

  /** Packets, both ways: what is granted and nothing else. */
  async function assertAsGranted(): Promise<void> {
    await assertReached(scene.prober('a'), to('b', GRANTED));
    await assertReached(scene.prober('b'), to('a', GRANTED));
    await assertDropped(scene.prober('a'), to('b', FORBIDDEN));
    await assertDropped(scene.prober('b'), to('a', FORBIDDEN));
  }

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`it is ended by ${signal}: traffic goes on, and nodes stay ready and say that it is away`, async () => {
      await scene.mesh.end(signal);
      for (const name of BOTH) {
        const standing = await untilCoordinator(scene.lab.node(name), 'away');
        assert.deepEqual([standing.status, standing.ready], [200, true]);
        assert.match(checkOf(standing, 'coordinator')?.detail ?? '', /it keeps the configuration of revision [1-9]/);
      }
      await assertGoesOn(flow, 'that was there before');
      await assertAsGranted();
      await scene.mesh.startAgain();
      for (const name of BOTH) await untilCoordinator(scene.lab.node(name), 'there');
      await assertGoesOn(flow, 'that was there before');
    });
  }

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`an agent is ended by ${signal} and started again: traffic goes on all the time`, async () => {
      await scene.mesh.end('SIGKILL');
      const { agent } = scene.lab.node('b');
      await agent.stop(signal);
      await assertGoesOn(flow, 'to a node without agent');
      await assertAsGranted();
      await agent.start();
      await untilReady(scene.lab.node('b'));
      await assertGoesOn(flow, 'to a node whose agent was started again');
      await assertAsGranted();
      await scene.mesh.startAgain();
    });
  }

  test('a node is rebooted: it is what it was, from its last good configuration alone', async () => {
    await scene.mesh.end('SIGKILL');
    const node = scene.lab.node('b');
    await reboot(node);
    assert.deepEqual(await wireguardAt(node), []);
    await assertDropped(scene.prober('a'), to('b', GRANTED));
    await node.agent.start();
    await untilReached(scene.prober('a'), to('b', GRANTED));
    await untilReached(scene.prober('b'), to('a', GRANTED));
    await assertAsGranted();
    await assertPings(scene.lab.node('a'), address.b);
    await assertReached(scene.prober('b'), { host: 'a.mesh', port: GRANTED });
    const standing = await untilCoordinator(node, 'away');
    assert.deepEqual([standing.status, standing.ready], [200, true]);
  });

  test('it comes back: what is changed then takes effect, and all is as it should be', async () => {
    await scene.mesh.startAgain();
    await setGrants(scene, [{ from: 'a', to: 'b', allow: [`tcp:${FORBIDDEN}`] }]);
    await untilReached(scene.prober('a'), to('b', FORBIDDEN));
    await untilDropped(scene.prober('a'), to('b', GRANTED));
    await untilDropped(scene.prober('b'), to('a', GRANTED));
    await untilInSync(scene, BOTH);
    for (const name of BOTH) await untilCoordinator(scene.lab.node(name), 'there');
  });
});
