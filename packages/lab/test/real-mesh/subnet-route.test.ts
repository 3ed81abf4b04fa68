/** A network behind the mesh: reached through a node that forwards to it, and through another when that one dies. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { setGrants } from './grants.ts';
import { killWireguard } from './host-faults.ts';
import { assertDropped, assertReached, untilReached } from './reach.ts';
import { untilInSync } from './standing.ts';

const CIDR = '10.50.0.0/24';
/** The lab makes subnets of IPv4 only: this one is laid over the same cables here. */
const CIDR6 = 'fd50:1ab7:400e:50::/64';
const HOSTS = { v4: '10.50.0.10', v6: 'fd50:1ab7:400e:50::10' } as const;
const PROVIDERS = ['gw-1', 'gw-2'] as const;

describe('a network behind two nodes', () => {
  let scene: Scene;

  before(async () => {
    scene = await Scene.start({
      nodes: [{ name: 'a' }, ...PROVIDERS.map((name) => ({ name, routes: [CIDR6] })), { name: 'stranger' }],
      subnets: [{ cidr: CIDR, providers: PROVIDERS }],
      settings: { nodes: { heartbeat_interval_s: 2, stale_after_s: 6, unreachable_after_s: 60 } },
    });
    await addAddresses();
    const open = [CIDR, CIDR6].map((to) => ({ from: 'a', to, allow: ['tcp:80', 'icmp'] }));
    // So that the stranger has the providers as peers, and still no way to what is behind them.
    await setGrants(scene, [...open, ...PROVIDERS.map((to) => ({ from: 'stranger', to, allow: ['*'] }))]);
    for (const port of [80, 81]) await scene.prober('host-1').listen(port);
    for (const host of Object.values(HOSTS)) await untilReached(scene.prober('a'), { host, port: 80 });
    await untilInSync(scene, ['a', 'stranger', ...PROVIDERS]);
  });
  after(() => scene?.[Symbol.asyncDispose]());

  test('is reached where it is granted, by hosts that have no way back', async () => {
    for (const family of ['-4', '-6']) {
      assert.equal(await scene.lab.place('host-1').exec('ip', [family, 'route', 'show', 'default']), '');
    }
    for (const host of Object.values(HOSTS)) {
      await assertReached(scene.prober('a'), { host, port: 80 });
      assert.match(await scene.lab.node('a').exec('ping', ['-c', '1', '-W', '10', host]), / 0% packet loss/);
    }
  });

  test('is not reached on another port, nor by another node', async () => {
    for (const host of Object.values(HOSTS)) {
      await assertReached(scene.prober('gw-1'), { host, port: 81 });
      await assertDropped(scene.prober('a'), { host, port: 81 });
      const { outcome } = await scene.prober('stranger').connect(host, 80, { timeout_ms: 800 });
      assert.notEqual(outcome, 'connected');
    }
  });

  test('is not reached by a peer that sends packets to a provider without a grant', async () => {
    const [first] = await providers();
    const { wireguard_key, address, address6 } = await scene.node(first);
    const stranger = scene.lab.node('stranger');
    await stranger.agent.stop('SIGKILL'); // it would put back what is changed now
    const before = await deniedBy(first);
    await stranger.exec('wg', ['set', 'mesh0', 'peer', wireguard_key, 'allowed-ips', `${address},${address6},${CIDR}`]);
    await stranger.exec('ip', ['route', 'replace', CIDR, 'dev', 'mesh0']);
    await until(
      async () => {
        await assertDropped(scene.prober('stranger'), { host: HOSTS.v4, port: 80 });
        return (await deniedBy(first)) > before;
      },
      () => `it comes as far as ${first}, which drops it`,
    );
    await stranger.exec('ip', ['route', 'del', CIDR, 'dev', 'mesh0']);
    await stranger.agent.start();
  });

  test('is reached through the other provider when one dies, and again when that one is cut off', async () => {
    const [first, second] = await providers();
    await scene.lab.node(first).agent.stop('SIGKILL');
    await killWireguard(scene.lab.node(first));
    await untilThrough(second);

    await scene.lab.node(first).agent.start();
    await until(
      async () => (await scene.node(first)).state === 'active',
      () => `${first} is back`,
    );
    await scene.lab.cut(second, 'coordinator');
    await scene.lab.cut(second, 'a');
    await untilThrough(first);
    await scene.lab.mend(second, 'coordinator');
    await scene.lab.mend(second, 'a');
  });

  /** Which of them leads to the network now, and which would. */
  async function providers(): Promise<readonly [string, string]> {
    const { routes } = await scene.node('a');
    const first = PROVIDERS.find((name) => routes.includes(`${CIDR} via ${name}`));
    assert.ok(first !== undefined, routes.join(', '));
    return [first, first === 'gw-1' ? 'gw-2' : 'gw-1'];
  }

  async function deniedBy(provider: string): Promise<number> {
    const args = ['list', 'counter', 'inet', 'mesh', 'denied_forward'];
    return Number((await scene.lab.node(provider).exec('nft', args)).match(/packets (\d+)/)?.[1]);
  }

  async function untilThrough(provider: string): Promise<void> {
    for (const host of Object.values(HOSTS)) await untilReached(scene.prober('a'), { host, port: 80 });
    const { routes } = await scene.node('a');
    assert.deepEqual(routes.toSorted(), [CIDR, CIDR6].map((cidr) => `${cidr} via ${provider}`).toSorted());
  }

  async function addAddresses(): Promise<void> {
    const legs = [
      ['gw-1', 'eth1', '::2'],
      ['gw-2', 'eth1', '::3'],
      ['host-1', 'eth0', '::10'],
    ] as const;
    for (const [place, device, end] of legs) {
      const address = `${CIDR6.replace('::/64', end)}/64`;
      await scene.lab.place(place).exec('ip', ['addr', 'add', address, 'dev', device, 'nodad']);
    }
  }
});
