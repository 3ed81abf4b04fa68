/** A node behind a router that translates addresses talks with others in both directions, also when its port outside moves. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { WIREGUARD_PORT } from '@meshwork/contract';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { setGrants } from './grants.ts';
import { assertPings, assertReached, untilReached } from './reach.ts';
import { type Stream, Streams } from './stream.ts';
import { endpointOf } from './wireguard.ts';

const OTHER_PORT = 40_777;

describe('a node behind NAT and a public one', () => {
  let scene: Scene;
  let streams: Streams;
  let address: { readonly home: string; readonly pub: string };

  before(async () => {
    scene = await Scene.start({ nodes: [{ name: 'pub' }, { name: 'home', nat: true }] });
    streams = new Streams();
    const allow = ['tcp:80', 'tcp:7001-7002', 'icmp'];
    await setGrants(scene, [
      { from: 'pub', to: 'home', allow },
      { from: 'home', to: 'pub', allow },
    ]);
    address = { home: await scene.addressOf('home'), pub: await scene.addressOf('pub') };
    for (const name of ['pub', 'home']) await scene.prober(name).listen(80);
    await untilReached(scene.prober('home'), { host: address.pub, port: 80 });
  });
  after(async () => {
    await streams?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  test('talk, whichever side begins', async () => {
    await assertReached(scene.prober('pub'), { host: address.home, port: 80 });
    await assertReached(scene.prober('home'), { host: address.pub, port: 80 });
    await assertPings(scene.lab.node('pub'), 'home', '-4');
    await assertPings(scene.lab.node('pub'), 'home', '-6');
    await assertPings(scene.lab.node('home'), 'pub', '-6');
  });

  test('go on talking when the port outside is another one', async () => {
    const [pub, home] = [scene.lab.node('pub'), scene.lab.node('home')];
    const both: Stream[] = [
      await streams.open(pub, home, { host: address.home, port: 7001 }),
      await streams.open(home, pub, { host: address.pub, port: 7002 }),
    ];
    const key = (await scene.node('home')).wireguard_key;
    assert.equal(await endpointOf(pub, key), `${home.address}:${WIREGUARD_PORT}`);

    await moveOutside();
    await until(
      async () => (await endpointOf(pub, key)) === `${home.address}:${OTHER_PORT}`,
      () => `pub sends to port ${OTHER_PORT} of the router`,
    );
    for (const stream of both) {
      await stream.untilMoving();
      for (const { ended } of await stream.state()) assert.equal(ended, null);
    }
    await assertReached(scene.prober('pub'), { host: address.home, port: 80 });
  });

  /** As when a router is started anew: it forgets what it translates, and then chooses another port. */
  async function moveOutside(): Promise<void> {
    const router = scene.lab.place('nat-home');
    const gateway = (await router.exec('ip', ['route', 'show', 'default'])).match(/via (\S+)/)?.[1] ?? '';
    const port = ['udp', 'sport', `${WIREGUARD_PORT}`, 'masquerade', 'to', `:${OTHER_PORT}`];
    await router.exec('nft', ['insert', 'rule', 'ip', 'router', 'out', 'oifname', 'eth0', ...port]);
    await router.exec('ip', ['link', 'set', 'eth0', 'down']);
    await router.exec('ip', ['link', 'set', 'eth0', 'up']);
    await router.exec('ip', ['route', 'replace', 'default', 'via', gateway]);
  }
});
