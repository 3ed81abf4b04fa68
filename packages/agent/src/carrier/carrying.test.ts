import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '../../test/namespaces.ts';
import { attach, nextEvent, pinging, pings, RELAYS, RelayScene, setEndpoint, setWays } from '../../test/relay-scene.ts';
import { PORT, transfer } from '../../test/wireguard-node.ts';

const MEGABYTE = 1_000_000;

/** In the hub, of what one relayed place sends to another: packets of WireGuard, and others. */
const SEEN = `table inet seen {
  counter wireguard { }
  counter other { }
  chain out {
    type filter hook output priority 0;
    udp sport 49152-65535 udp dport 49152-65535 @th,64,32 { 0x01000000, 0x02000000, 0x03000000, 0x04000000 } counter name wireguard accept
    udp sport 49152-65535 udp dport 49152-65535 counter name other
  }
}`;

describe('two nodes that reach only relays', { timeout: 150_000 }, () => {
  let scene: RelayScene;
  before(async () => {
    scene = await RelayScene.build();
  });
  after(() => scene?.[Symbol.asyncDispose]());

  for (const transport of ['udp', 'tcp', 'tls'] as const) {
    it(`exchange packets through allocations over ${transport}, and bind channels for them`, async () => {
      await scene.connect(transport, RELAYS[0], transport);
      assert.equal(await pings(scene.one, scene.two, 20), 20);
      const { allocations } = await scene.one.carrier.ask('state', {});
      assert.equal(allocations.find(({ allocation }) => allocation === transport)?.channels, 1);
    });
  }

  it('show the relay nothing but packets of WireGuard', async () => {
    await scene.hub.run('nft', ['-f', '-'], { input: SEEN });
    assert.equal(await pings(scene.one, scene.two, 20), 20);
    const counted = await scene.hub.run('nft', ['list', 'counters', 'table', 'inet', 'seen']);
    const [wireguard = 0, other] = [...counted.matchAll(/packets (\d+)/g)].map(([, count]) => Number(count));
    assert.ok(wireguard >= 40, `${wireguard} packets there and back`);
    assert.equal(other, 0);
  });

  it('go on with a transfer while an agent goes away and another one takes its place', async () => {
    const { one, two } = scene;
    const running = await transfer(one, two);
    one.carrier.close();
    const before = await attach(one.place, one.name);
    one.carrier = before.carrier;
    const { links, sockets } = await one.carrier.ask('state', {});
    assert.deepEqual(sockets, one.sockets);
    assert.deepEqual(
      links.map(({ peer, ways }) => [peer, ways.length]),
      [[two.name, 1]],
    );
    const { sent, arrived } = await running.endAfter(MEGABYTE);
    assert.equal(arrived, sent);
    const { links: used } = await one.carrier.ask('traffic', { within_ms: 60_000 });
    assert.ok((used[0]?.sent_bytes ?? 0) > MEGABYTE);
  });

  it('lose no first packet to a place that the relay was not asked to permit before', async () => {
    const { one, two } = scene;
    const mine = await one.carrier.ask('allocate', { ...scene.wanted('bare', RELAYS[0], 'udp'), permit: [] });
    const its = await two.carrier.ask('allocate', scene.wanted('bare', RELAYS[0], 'udp'));
    await setWays(one, two, [{ via: 'bare', to: its.relayed }]);
    await setWays(two, one, [{ via: 'bare', to: mine.relayed }]);
    assert.equal(await pings(one, two, 20), 20);
    for (const { carrier } of [one, two]) await carrier.ask('release', { allocation: 'bare' });
  });

  it('lose no packet from one relay to another and on to a direct path, when packets go both ways in between', async () => {
    const { one, two } = scene;
    const [a, b] = [await one.carrier.ask('state', {}), await two.carrier.ask('state', {})];
    const relayedAt = ({ allocations }: typeof a, name: string) => {
      const relayed = allocations.find(({ allocation }) => allocation === name)?.relayed;
      assert.ok(relayed);
      return relayed;
    };
    const first = { via: 'udp', to: relayedAt(b, 'udp') };
    const firstBack = { via: 'udp', to: relayedAt(a, 'udp') };
    await setWays(one, two, [first]);
    await setWays(two, one, [firstBack]);
    const other = await one.carrier.ask('allocate', scene.wanted('other', RELAYS[1], 'udp'));
    const otherBack = await two.carrier.ask('allocate', scene.wanted('other', RELAYS[1], 'udp'));
    const second = { via: 'other', to: otherBack.relayed };
    const secondBack = { via: 'other', to: other.relayed };
    await scene.forward(true);
    const direct = { direct: { address: two.outside, port: PORT } };
    const directBack = { direct: { address: one.outside, port: PORT } };
    const stop = pinging(one, two);
    const steps = [
      [
        [first, second],
        [firstBack, secondBack],
      ],
      [[second], [secondBack]],
      [
        [second, direct],
        [secondBack, directBack],
      ],
    ] as const;
    for (const [ways, back] of steps) {
      await one.carrier.ask('links', { set: [{ peer: two.name, ways }], remove: [] });
      await two.carrier.ask('links', { set: [{ peer: one.name, ways: back }], remove: [] });
      if (ways[0] === first || ways.length === 1) await someMore(scene, 20);
    }
    // What comes straight from the other side is what WireGuard answers to: it sends by itself from then on.
    await until('both send straight', async () => {
      const seen = [
        (await one.driver.read())?.peers.get(two.key.public),
        (await two.driver.read())?.peers.get(one.key.public),
      ];
      return seen.every((peer) => peer?.endpoint?.endsWith(`:${PORT}`));
    });
    await setEndpoint(one, two, `${two.outside}:${PORT}`);
    await setEndpoint(two, one, `${one.outside}:${PORT}`);
    assert.ok((await pings(one, two, 20)) > 0);
    const { answered, missing } = await stop();
    assert.deepEqual(missing, []);
    assert.ok(answered > 60, `${answered} were answered`);
    await scene.forward(false);
  });

  it('report a packet for a link without a way, and send it once there is one', async () => {
    const { one, two } = scene;
    const { allocations } = await two.carrier.ask('state', {});
    const to = allocations.find(({ allocation }) => allocation === 'tcp')?.relayed;
    assert.ok(to);
    await setWays(one, two, []);
    const woken = nextEvent(one, 'woken');
    const running = pings(one, two, 1);
    assert.deepEqual(await woken, { peer: two.name, by: 'node' });
    assert.equal((await one.carrier.ask('state', {})).links[0]?.wakes, true);
    // The other side does not know where this comes from: what it hears is a guest's until WireGuard knows better.
    await two.carrier.ask('links', { set: [], remove: [one.name] });
    const guest = nextEvent(two, 'guest');
    await one.carrier.ask('links', { set: [{ peer: two.name, ways: [{ via: 'tcp', to }] }], remove: [] });
    assert.equal(await running, 1);
    const { address, via } = await guest;
    assert.equal(via, 'tcp');
    const seen = (await two.driver.read())?.peers.get(one.key.public);
    assert.equal(seen?.endpoint, `${address}:${two.sockets.loopback_port}`);
    const { guests } = await two.carrier.ask('state', {});
    assert.ok(guests.some((known) => known.address === address));
  });

  it('answer echoes and pass messages inside the tunnel, and none outside the mesh', async () => {
    const { one, two } = scene;
    await scene.forward(true);
    for (const { carrier, number } of [one, two]) {
      const echo = { addresses: [`100.64.0.${number}`], port: 7411, networks: ['100.64.0.0/10'] };
      await carrier.ask('listen_for_echoes', { echo });
    }
    for (const bytes of [undefined, 1200]) {
      const echoed = nextEvent(one, 'echoed');
      const { transaction } = await one.carrier.ask('echo', { to: '100.64.0.2', ...(bytes && { bytes }) });
      const { rtt_ms, ...rest } = await echoed;
      assert.deepEqual(rest, { transaction, from: '100.64.0.2', bytes: bytes ?? 32 });
      assert.ok(rtt_ms > 0);
    }
    await assert.rejects(one.carrier.ask('echo', { to: two.outside }), /is not in the mesh/);
    const messaged = nextEvent(two, 'messaged');
    const text = JSON.stringify({ line: 'a\nb\u2028\0', bytes: 'ü'.repeat(480) });
    await one.carrier.ask('message', { to: '100.64.0.2', text });
    assert.deepEqual(await messaged, { from: '100.64.0.1', text });
    await assert.rejects(one.carrier.ask('message', { to: two.outside, text }), /is not in the mesh/);
    await assert.rejects(one.carrier.ask('message', { to: '100.64.0.2', text: 'ü'.repeat(501) }), /1 to 1000 bytes/);
    await scene.forward(false);
  });

  it('pass on nothing that is not theirs: garbage on loopback, through a relay, and inside the tunnel', async () => {
    const { one, two } = scene;
    const before = await one.carrier.ask('state', {});
    const home = before.allocations.find(({ allocation }) => allocation === 'udp')?.relayed;
    const link = before.links[0]?.address;
    await finished(one.place.script(`${BLAST} await blast('${link}', ${one.sockets.loopback_port});`));
    const { links } = await one.carrier.ask('state', {});
    assert.equal(links[0]?.sent_packets, before.links[0]?.sent_packets);
    await finished(one.place.script(`${BLAST} await blast('100.64.0.2', 7411);`));
    const guest = nextEvent(one, 'guest', ({ via }) => via === 'udp');
    // A holder of credentials of the relay can send this. Only what looks like a packet of WireGuard's is a guest.
    const { relay, credentials } = scene.wanted('', RELAYS[0], 'udp');
    await finished(
      two.place.script(`
      import { randomBytes } from 'node:crypto';
      import { Allocation } from ${JSON.stringify(join(import.meta.dirname, '../turn/allocation.ts'))};
      import { openUdp } from ${JSON.stringify(join(import.meta.dirname, '../turn/udp-transport.ts'))};
      const transport = await openUdp(${JSON.stringify(relay)});
      const listener = { received: () => undefined, lost: () => undefined };
      const allocation = await Allocation.make(transport, ${JSON.stringify(credentials)}, listener);
      await allocation.permit(['${RELAYS[0]}']);
      const send = (bytes) => allocation.send(${JSON.stringify(home)}, bytes);
      for (const length of [0, 1, 31, 148, 1400]) send(Buffer.alloc(length, 0xff));
      send(Buffer.concat([Buffer.from([1, 0, 0, 0]), randomBytes(144)]));
      await allocation.release();`),
    );
    await guest;
    const after = await one.carrier.ask('state', {});
    assert.equal(after.guests.length, before.guests.length + 1);
    const echoed = nextEvent(one, 'echoed');
    await one.carrier.ask('echo', { to: '100.64.0.2' });
    await echoed;
  });

  it('report an allocation over TCP that ended with its relay, and one over UDP whose relay is silent', async () => {
    const { one } = scene;
    const lost = nextEvent(one, 'allocation_lost', ({ allocation }) => allocation === 'other');
    const silent = nextEvent(one, 'silent');
    const to = { address: RELAYS[1], port: 50_000 };
    await setWays(one, scene.two, [{ via: 'other', to }]); // in use: what is sent has no answer
    const drops = 'chain in {\n type filter hook input priority 0\n ip daddr 203.0.113.10 drop\n }';
    await scene.hub.run('nft', ['-f', '-'], { input: `table inet silent {\n ${drops}\n}\n` });
    const stop = pinging(one, scene.two);
    const { peer, ms } = await silent;
    assert.equal(peer, scene.two.name);
    assert.ok(ms >= 400, `${ms} ms`);
    assert.match((await lost).reason, /does not answer/);
    const { links, allocations } = await one.carrier.ask('state', {});
    assert.deepEqual(links[0]?.ways, []);
    assert.match(allocations.find(({ allocation }) => allocation === 'other')?.lost ?? '', /does not answer/);
    assert.equal((await stop()).answered, 0);
    const ends = (['tcp', 'tls', 'udp'] as const).map((name) =>
      nextEvent(one, 'allocation_lost', ({ allocation }) => allocation === name),
    );
    await setWays(one, scene.two, [{ via: 'udp', to }]);
    await scene.killRelay(RELAYS[0]);
    const stopAgain = pinging(one, scene.two);
    await Promise.all(ends);
    await stopAgain();
  });

  it('make a new allocation under the name of a lost one, and give up one that is released meanwhile', async () => {
    const { one } = scene;
    await scene.startRelay(RELAYS[0]);
    const { relayed } = await one.carrier.ask('allocate', scene.wanted('udp', RELAYS[0], 'udp'));
    assert.equal(relayed.address, RELAYS[0]);
    await assert.rejects(one.carrier.ask('allocate', scene.wanted('udp', RELAYS[0], 'udp')), /there is an allocation/);
    const making = assert.rejects(one.carrier.ask('allocate', scene.wanted('late', RELAYS[0], 'tls')), /released/);
    await one.carrier.ask('release', { allocation: 'late' });
    await making;
    const wrong = { ...scene.wanted('wrong', RELAYS[0], 'udp'), credentials: { username: 'node', password: 'wrong' } };
    await assert.rejects(one.carrier.ask('allocate', wrong), /credentials are wrong/);
    const { allocations } = await one.carrier.ask('state', {});
    assert.deepEqual(
      allocations.filter(({ lost }) => lost === undefined).map(({ allocation }) => allocation),
      ['udp'],
    );
  });

  it('go on without their agents when a relay dies: one by its spare way, and the other one follows it', async () => {
    const { one, two } = scene;
    await scene.hub.run('nft', ['delete', 'table', 'inet', 'silent']);
    const dying = (await one.carrier.ask('allocate', scene.wanted('dying', RELAYS[0], 'tcp'))).relayed;
    const standby = (await one.carrier.ask('allocate', scene.wanted('standby', RELAYS[1], 'udp'))).relayed;
    const home = (await two.carrier.ask('allocate', scene.wanted('home', RELAYS[1], 'udp'))).relayed;
    await setWays(one, two, [{ via: 'dying', to: home }]);
    await setWays(two, one, [{ via: 'home', to: dying }]);
    const spare = { via: 'standby', to: home };
    await one.carrier.ask('links', { set: [{ peer: two.name, spares: [spare] }], remove: [] });
    await two.carrier.ask('links', { set: [{ peer: one.name, places: [standby] }], remove: [] });
    assert.equal(await pings(one, two, 20), 20);
    const followed = nextEvent(two, 'followed');
    const stop = pinging(one, two);
    await scene.killRelay(RELAYS[0]);
    assert.deepEqual(await followed, { peer: one.name, via: 'home', to: standby });
    assert.equal(await pings(one, two, 20), 20);
    await stop();
    const [mine] = (await one.carrier.ask('state', {})).links;
    assert.deepEqual([mine?.ways, mine?.spares], [[spare], []]);
  });
});

/** Sends what a carrier has no use for, of all lengths. */
const BLAST = `
  import { randomBytes } from 'node:crypto';
  import { createSocket } from 'node:dgram';
  const socket = createSocket('udp4');
  const blast = async (address, port) => {
    for (const length of [0, 1, 4, 19, 20, 31, 32, 148, 1400, 9000, 60000]) {
      await new Promise((resolve) => socket.send(randomBytes(length), port, address, resolve));
    }
  };
  setImmediate(() => socket.unref());`;

async function finished(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
}

/** Waits until so many packets more have gone through. */
async function someMore({ one, two }: RelayScene, packets: number): Promise<void> {
  const count = async () => {
    const { links } = await one.carrier.ask('traffic', { within_ms: 600_000 });
    return links.find(({ peer }) => peer === two.name)?.sent_packets ?? 0;
  };
  const before = await count();
  await until('more packets have gone', async () => (await count()) >= before + packets);
}
