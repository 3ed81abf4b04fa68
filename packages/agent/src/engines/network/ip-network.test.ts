/** Routes, rules and addresses in a kernel of their own. Kernel settings beside them: `host-settings.test.ts`. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Namespace, namespace } from '../../../test/namespaces.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { ScratchNetwork } from '../../../test/scratch-network.ts';
import { WIREGUARD_MARK } from '../../host/own-numbers.ts';
import type { NetworkPlan } from './mesh-network.ts';

const PLAN: NetworkPlan = {
  addresses: ['100.64.0.7/32', 'fd64::7/128'],
  routes: ['100.64.0.0/10', 'fd64::/48'],
  forwarded: [],
  kept_out: [],
};

describe('the network of a node', { timeout: 300_000 }, () => {
  let space: Namespace;
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let network: ScratchNetwork;
  const show = (...args: readonly string[]) => space.run('ip', args);
  /** All that was configured, as the kernel prints it. Not what it does by itself when a link goes up or down. */
  const everything = async () => {
    const views = [
      ['address'],
      ['-4', 'rule'],
      ['-6', 'rule'],
      ['route', 'show', 'table', 'all'],
      ['-6', 'route', 'show', 'table', 'all'],
    ];
    const lines = (await Promise.all(views.map((view) => show(...view)))).join('').split('\n');
    return lines.filter((line) => !/fe80|ff00|valid_lft|link\/|^\d+: /.test(line)).join('\n');
  };
  /** Through which interface the host sends to an address. */
  const wayTo = async (address: string, ...more: readonly string[]) => {
    const [route] = JSON.parse(await show('-json', 'route', 'get', address, ...more)) as [{ readonly dev: string }];
    return route.dev;
  };

  beforeEach(async () => {
    space = await namespace();
    folder = await newFolder();
    await space.ip(
      'link add mesh0 type veth peer name mesh0-end',
      'link add eth0 type veth peer name eth0-end',
      'link set mesh0-end up',
      'link set eth0-end up',
      'link set eth0 up',
      'address add 192.168.1.5/24 dev eth0',
      'address add 2001:db8::5/64 dev eth0 nodad',
      'route add default via 192.168.1.1',
      'route add 172.16.0.0/12 via 192.168.1.2',
      'route add ::/0 via 2001:db8::1',
    );
    network = new ScratchNetwork(space, folder.path);
  });
  afterEach(async () => {
    await space[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('never has an address that takes a network from the host, or its coordinator', async () => {
    const before = await everything();
    const wide = { ...PLAN, addresses: ['10.0.0.7/8', 'fd64::7/128'] };
    await assert.rejects(network.apply(wide), /10\.0\.0\.7\/8 is a whole network/);
    const stolen = { ...PLAN, addresses: ['203.0.113.1/32', 'fd64::7/128'], kept_out: ['203.0.113.1'] };
    await assert.rejects(network.apply(stolen), /203\.0\.113\.1\/32 is the address of a coordinator/);
    assert.equal(await everything(), before);
  });

  it('has the addresses of the node, and its routes lead into the mesh', async () => {
    await network.apply(PLAN);
    assert.equal(await wayTo('100.64.9.9'), 'mesh0');
    assert.equal(await wayTo('fd64::9'), 'mesh0');
    assert.equal(await wayTo('8.8.8.8'), 'eth0');
    assert.match(await show('route', 'get', '100.64.9.9'), /src 100\.64\.0\.7/);
    assert.match(await show('link', 'show', 'mesh0'), /mtu 1420/);
    assert.doesNotMatch(await show('address', 'show', 'mesh0'), /fe80/);
    assert.equal(await network.drift(), null);
  });

  it('changes nothing the second time, and only the difference the third', async () => {
    await network.apply({ ...PLAN, kept_out: ['203.0.113.1', '2001:db8:9::1'] });
    const first = await everything();
    await network.apply({ ...PLAN, kept_out: ['203.0.113.1', '2001:db8:9::1'] });
    assert.equal(await everything(), first);

    await network.apply({ ...PLAN, addresses: ['100.64.0.8/32'], routes: ['100.64.0.0/10', '10.30.0.0/16'] });
    assert.equal(await network.drift(), null);
    assert.match(await show('address', 'show', 'mesh0'), /inet 100\.64\.0\.8\/32/);
    assert.doesNotMatch(await show('address', 'show', 'mesh0'), /100\.64\.0\.7|fd64/);
    assert.equal(await wayTo('10.30.1.1'), 'mesh0');
    assert.equal(await wayTo('fd64::9'), 'eth0');
    assert.doesNotMatch(await everything(), /203\.0\.113\.1/);
  });

  it('never writes the table of the host, and takes away only what it made', async () => {
    await space.ip(
      'rule add pref 7402 from 10.9.9.9 lookup main',
      'rule add pref 7500 lookup 7400',
      'link set mesh0 addrgenmode none',
    );
    const [before, main] = [await everything(), await show('route', 'show', 'table', 'main')];
    await network.apply({ ...PLAN, routes: [...PLAN.routes, '0.0.0.0/0', '192.0.0.0/8'], kept_out: ['203.0.113.1'] });
    assert.equal(await show('route', 'show', 'table', 'main'), main);
    await network.remove();
    assert.equal(await everything(), before);
    assert.equal(await network.drift(), null);
  });

  it('keeps what WireGuard sends and the way to the coordinators out of the mesh', async () => {
    const wide = ['0.0.0.0/0', '203.0.113.0/24', '::/0'];
    await network.apply({ ...PLAN, routes: [...PLAN.routes, ...wide], kept_out: ['203.0.113.1', '2001:db8:9::1'] });
    const mark = ['mark', String(WIREGUARD_MARK)] as const;
    assert.equal(await wayTo('203.0.113.2'), 'mesh0');
    assert.equal(await wayTo('203.0.113.1'), 'eth0');
    assert.equal(await wayTo('203.0.113.2', ...mark), 'eth0');
    assert.equal(await wayTo('2001:db8:9::2'), 'mesh0');
    assert.equal(await wayTo('2001:db8:9::1'), 'eth0');
    assert.equal(await wayTo('2001:db8:9::2', ...mark), 'eth0');
  });

  it('leaves a network that the host is in to the host', async () => {
    await network.apply({ ...PLAN, routes: [...PLAN.routes, '192.168.1.0/24', '192.168.1.9/32', '2001:db8::/64'] });
    assert.deepEqual([await wayTo('192.168.1.9'), await wayTo('2001:db8::9')], ['eth0', 'eth0']);
    assert.doesNotMatch(await show('route', 'show', 'table', '7400'), /192\.168/);
    assert.equal(await network.drift(), null);

    await network.apply({ ...PLAN, routes: [...PLAN.routes, '192.168.0.0/16', '2001:db8::/32', '172.16.0.0/12'] });
    assert.deepEqual([await wayTo('192.168.1.9'), await wayTo('2001:db8::9')], ['eth0', 'eth0']);
    assert.deepEqual([await wayTo('192.168.2.9'), await wayTo('2001:db8:2::9')], ['mesh0', 'mesh0']);
    assert.equal(await wayTo('172.16.0.1'), 'mesh0', 'the host is not in it, and knows only a router');
  });

  it('leaves to the host what it knows a way to when everything else goes into the mesh', async () => {
    await network.apply({ ...PLAN, routes: [...PLAN.routes, '0.0.0.0/0'] });
    assert.deepEqual([await wayTo('192.168.1.9'), await wayTo('172.16.0.1')], ['eth0', 'eth0']);
    assert.deepEqual([await wayTo('8.8.8.8'), await wayTo('100.64.9.9')], ['mesh0', 'mesh0']);
  });

  it('wins where a network of the host lies over that of the mesh', async () => {
    await space.ip('address add 100.64.200.1/10 dev eth0');
    await network.apply(PLAN);
    assert.equal(await wayTo('100.64.9.9'), 'mesh0');
  });

  it('follows when the host comes into another network', async () => {
    await network.apply({ ...PLAN, routes: [...PLAN.routes, '10.0.0.0/8'] });
    await space.ip('address add 10.5.0.5/16 dev eth0');
    assert.equal(await network.drift(), 'rule pref 7402 to 10.5.0.0/16 lookup main is missing');
    await network.apply({ ...PLAN, routes: [...PLAN.routes, '10.0.0.0/8'] });
    assert.deepEqual([await wayTo('10.5.0.9'), await wayTo('10.6.0.9')], ['eth0', 'mesh0']);
  });

  for (const [what, command, said] of [
    ['a link that is down', 'link set mesh0 down', /^mesh0 is down; .*route 100\.64\.0\.0\/10 dev mesh0 is missing/],
    ['an address less', 'address delete fd64::7/128 dev mesh0', 'address fd64::7/128 is missing'],
    // The kernel takes the routes of an interface away with its last address of IPv4.
    ['no address', 'address delete 100.64.0.7/32 dev mesh0', /^address 100\.64\.0\.7\/32 is missing; route 100/],
    ['an address more', 'address add 10.1.1.1/32 dev mesh0', 'address 10.1.1.1/32 should not be there'],
    ['another MTU', 'link set mesh0 mtu 1400', 'mesh0 has MTU 1400 instead of 1420'],
    ['a route less', 'route delete fd64::/48 table 7400', 'route fd64::/48 dev mesh0 is missing'],
    ['a route more', 'route add blackhole 10.0.0.0/8 table 7400', 'route blackhole 10.0.0.0/8 should not be there'],
    ['a rule less', 'rule delete pref 7400', 'rule pref 7400 fwmark 0x1cf2 lookup main is missing'],
    ['no interface', 'link delete mesh0', 'mesh0 is not there'],
  ] as const) {
    it(`finds ${what}, and mends it`, async () => {
      await network.apply(PLAN);
      await space.ip(command);
      const drift = (await network.drift()) ?? assert.fail('nothing was found');
      if (typeof said === 'string') assert.equal(drift, said);
      else assert.match(drift, said);
      if (what === 'no interface') {
        await assert.rejects(network.apply(PLAN), /mesh0 is not there: WireGuard has to make it first/);
        await space.ip('link add mesh0 type veth peer name mesh0-new', 'link set mesh0-new up');
      }
      await network.apply(PLAN);
      assert.equal(await network.drift(), null);
    });
  }

  /** What the kernel lets programs send to an address at once. */
  const mtuTo = async (address: string, ...more: readonly string[]) => {
    const [route] = JSON.parse(await show('-json', 'route', 'get', address, ...more)) as [
      { readonly metrics?: readonly { readonly mtu?: number }[] },
    ];
    return route.metrics?.find(({ mtu }) => mtu !== undefined)?.mtu;
  };

  it('has a smaller MTU where it was asked for, at which questions of agents are not cut, and leaves no trace of it', async () => {
    const plan = { ...PLAN, routes: [...PLAN.routes, '10.30.0.0/16', '0.0.0.0/0'] };
    await network.apply(plan);
    const before = await everything();
    const narrow = new Map([
      ['100.64.0.9/32', 1200],
      ['fd64::9/128', 1200],
      ['10.30.0.0/16', 1200],
      ['0.0.0.0/0', 1200],
      ['10.99.0.0/16', 1200], // that is not routed into the mesh
      ['192.0.2.9/32', 1200],
    ]);
    await network.narrow(narrow);
    assert.deepEqual(
      await Promise.all(['100.64.0.9', 'fd64::9', '10.30.1.1', '8.8.8.8', '100.64.0.8'].map((to) => mtuTo(to))),
      [1200, 1280, 1200, 1200, undefined],
    );
    const question = ['ipproto', 'udp', 'sport', '51821', 'dport', '51821'];
    assert.equal(await mtuTo('100.64.0.9', ...question), undefined);
    assert.equal(await wayTo('100.64.0.9', ...question), 'mesh0');
    assert.equal(await network.drift(), null);
    await network.apply(plan);
    assert.equal(await network.drift(), null);
    assert.equal(await mtuTo('100.64.0.9'), 1200);

    await network.narrow(new Map([['100.64.0.9/32', 1392]]));
    assert.deepEqual(
      [await mtuTo('100.64.0.9'), await mtuTo('10.30.1.1'), await mtuTo('8.8.8.8')],
      [1392, undefined, undefined],
    );
    assert.equal(await network.drift(), null);
    await network.narrow(new Map());
    assert.equal(await everything(), before);
  });

  it('finds a route of a smaller MTU that is gone, and mends it; one that is left is found by the next agent, and goes with it', async () => {
    await network.narrow(new Map([['100.64.0.9/32', 1280]]));
    await network.apply(PLAN);
    assert.equal(await mtuTo('100.64.0.9'), 1280);
    await space.ip('route delete 100.64.0.9/32 table 7400');
    assert.equal(await network.drift(), 'route 100.64.0.9/32 dev mesh0 mtu 1280 is missing');
    await network.apply(PLAN);

    const next = new ScratchNetwork(space, folder.path);
    assert.deepEqual(await next.narrowed(), new Map([['100.64.0.9/32', 1280]]));
    await next.apply(PLAN);
    assert.equal(await next.drift(), null);
    assert.equal(await mtuTo('100.64.0.9'), undefined);
    await network.apply(PLAN);
    await next.remove();
    assert.doesNotMatch(await everything(), /7400|7401|lookup main proto/);
  });

  it('is IPv4 alone where IPv6 is switched off', async () => {
    await space.run('sh', [
      '-c',
      'for all in all default mesh0; do echo 1 > /proc/sys/net/ipv6/conf/$all/disable_ipv6; done',
    ]);
    await network.apply({ ...PLAN, forwarded: ['fd65::/64'], kept_out: ['2001:db8:9::1'] });
    assert.equal(await network.drift(), null);
    assert.equal(await wayTo('100.64.9.9'), 'mesh0');
    await network.remove();
  });

  it('is taken away also when the interface has gone already', async () => {
    await network.apply(PLAN);
    await space.ip('link delete mesh0');
    await network.remove();
    assert.doesNotMatch(await everything(), /7400|lookup main proto/);
  });
});
