/** Kernel settings that make the node forward, and what becomes of them when it need not forward any more. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Namespace, namespace, wire } from '../../../test/namespaces.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { ScratchNetwork } from '../../../test/scratch-network.ts';
import type { NetworkPlan } from './mesh-network.ts';

const PLAN: NetworkPlan = {
  addresses: ['100.64.0.1/32', 'fd64::1/128'],
  routes: ['100.64.0.0/10', 'fd64::/48'],
  forwarded: [],
  kept_out: [],
};
const FORWARDING: NetworkPlan = { ...PLAN, forwarded: ['10.20.0.0/16', 'fd65::/64'] };

describe('a node that forwards', { timeout: 300_000 }, () => {
  let spaces: Record<'peer' | 'node' | 'server', Namespace>;
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let network: ScratchNetwork;
  const get = async (key: string) => (await spaces.node.run('cat', [`/proc/sys/net/${key}`])).trim();
  const set = (key: string, value: string) => spaces.node.run('tee', [`/proc/sys/net/${key}`], { input: value });
  const reaches = (address: string) =>
    spaces.peer.run('ping', ['-c', '5', '-i', '0.2', '-W', '1', address]).then(
      () => true,
      () => false,
    );

  beforeEach(async () => {
    const [peer, node, server] = [await namespace(), await namespace(), await namespace()];
    spaces = { peer, node, server };
    folder = await newFolder();
    await wire(peer, node);
    await wire(node, server, ['eth1', 'eth1']);
    await node.ip('link set eth1 up', 'address add 10.20.0.1/16 dev eth1', 'address add fd65::1/64 dev eth1 nodad');
    await server.ip('link set eth1 up', 'address add 10.20.0.5/16 dev eth1', 'address add fd65::5/64 dev eth1 nodad');
    await server.ip('route add 100.64.0.0/10 via 10.20.0.1', 'route add fd64::/48 via fd65::1');
    await peer.ip('link set mesh0 up', 'address add 100.64.0.2/10 dev mesh0', 'address add fd64::2/48 dev mesh0 nodad');
    await peer.ip('route add 10.20.0.0/16 via 100.64.0.1', 'route add fd65::/64 via fd64::1');
    network = new ScratchNetwork(node, folder.path);
  });
  afterEach(async () => {
    for (const space of Object.values(spaces)) await space[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('leads to its networks only when it is asked to', async () => {
    await network.apply(PLAN);
    assert.deepEqual(
      [await reaches('100.64.0.1'), await reaches('10.20.0.5'), await reaches('fd65::5')],
      [true, false, false],
    );
    await network.apply(FORWARDING);
    assert.deepEqual([await reaches('10.20.0.5'), await reaches('fd65::5')], [true, true]);
    assert.equal(await network.drift(), null);
    assert.equal(await get('ipv4/conf/all/forwarding'), '0', 'IPv4 forwards only where it has to');
    await network.apply(PLAN);
    assert.deepEqual([await reaches('10.20.0.5'), await reaches('fd65::5')], [false, false]);
  });

  it('reports drift when another program switched it off, and repairs it', async () => {
    await network.apply(FORWARDING);
    await set('ipv4/conf/eth1/forwarding', '0');
    await set('ipv6/conf/all/forwarding', '0');
    assert.equal(
      await network.drift(),
      'net.ipv4.conf.eth1.forwarding is 0 instead of 1; net.ipv6.conf.all.forwarding is 0 instead of 1',
    );
    await network.apply(FORWARDING);
    assert.equal(await network.drift(), null);
  });

  it('goes on taking advice from routers, and puts everything back, also after a restart', async () => {
    await spaces.node.ip('link add eth2 type veth peer name eth2-end', 'link add eth3 type veth peer name eth3-end');
    await set('ipv6/conf/eth2/accept_ra', '0');
    await set('ipv6/conf/eth3/forwarding', '1');
    const keys = ['eth1', 'eth2', 'eth3'].flatMap((name) => [
      `ipv4/conf/${name}/forwarding`,
      `ipv6/conf/${name}/forwarding`,
      `ipv6/conf/${name}/accept_ra`,
    ]);
    const all = async () =>
      Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await get(key)] as const)));
    const before = await all();
    await network.apply(FORWARDING);
    assert.deepEqual(
      [
        await get('ipv6/conf/eth1/accept_ra'),
        await get('ipv6/conf/eth2/accept_ra'),
        await get('ipv6/conf/eth3/accept_ra'),
      ],
      ['2', '0', '1'],
    );

    const restarted = new ScratchNetwork(spaces.node, folder.path);
    await restarted.apply(FORWARDING);
    assert.equal(await restarted.drift(), null);
    await restarted.remove();
    assert.deepEqual(await all(), before);
    assert.equal(await get('ipv6/conf/all/forwarding'), '0');
    assert.deepEqual(JSON.parse(await readFile(join(folder.path, 'host-settings.json'), 'utf8')), {});
  });

  it('leaves forwarding on when the host has been made a router since', async () => {
    await network.apply(FORWARDING);
    await set('ipv4/ip_forward', '1');
    await network.apply(PLAN);
    assert.equal(await get('ipv4/conf/eth1/forwarding'), '1');

    await network.apply(FORWARDING);
    await set('ipv6/conf/eth1/accept_ra', '0');
    await network.apply(PLAN);
    assert.equal(await get('ipv6/conf/eth1/accept_ra'), '0', 'what was changed after us stays');
  });

  it('says which network it has no way to, and does the rest', async () => {
    const plan = { ...FORWARDING, forwarded: ['10.99.0.0/16', '10.20.0.0/16', 'fd99::/64'] };
    await assert.rejects(
      network.apply(plan),
      /^Error: 10\.99\.0\.0\/16 is to be forwarded to, and this host has no way there; fd99::\/64 is/,
    );
    assert.equal(await reaches('10.20.0.5'), true);
  });

  it('takes packets of peers that it would answer another way', async () => {
    await set('ipv4/conf/all/rp_filter', '1');
    await spaces.node.ip('route add default via 10.20.0.5');
    await network.apply(PLAN);
    assert.equal(await get('ipv4/conf/eth1/rp_filter'), '0');
    assert.equal(await reaches('100.64.0.1'), true);

    // A peer in a network that is reached through it. Its WireGuard sends the way that the host itself would take.
    await spaces.server.ip('address add 10.50.0.5/16 dev eth1');
    const plan = { ...PLAN, routes: [...PLAN.routes, '10.50.0.0/16'] };
    await network.apply(plan);
    await network.apply(plan);
    const listener = spaces.node.script(`import { createSocket } from 'node:dgram';
      createSocket('udp4').on('message', (_, { address }) => console.log(address)).bind(51820);`);
    spaces.server.script(`import { createSocket } from 'node:dgram';
      const socket = createSocket('udp4').bind(0, '10.50.0.5');
      setInterval(() => socket.send('x', 51820, '10.20.0.1'), 50);`);
    const [from] = await once(listener.stdout ?? assert.fail(), 'data', { signal: AbortSignal.timeout(60_000) });
    assert.equal(String(from).split('\n', 1)[0], '10.50.0.5');

    await network.remove();
    assert.equal(await get('ipv4/conf/eth1/rp_filter'), '0');
  });
});
