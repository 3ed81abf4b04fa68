/** Two nodes in namespaces of their own, joined by a cable, with a tunnel of each engine over it. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { MemoryDriver } from '../../../test/memory-driver.ts';
import { until } from '../../../test/namespaces.ts';
import {
  asPeer,
  crossingPlace,
  handshake,
  INITIATION_BYTES,
  PORT,
  pair,
  RESPONSE_BYTES,
  seenBy,
  testNode,
  transfer,
  untilPing,
} from '../../../test/wireguard-node.ts';
import { ENGINES, loseInitiations, MESH, someKey, takePort } from '../../../test/wireguard-places.ts';
import { newWireguardKey } from '../../identity/keys.ts';
import type { TunnelPeer } from './tunnel.ts';
import { WireguardTunnel } from './wireguard-tunnel.ts';

for (const [engine, newDriver] of ENGINES)
  describe(`a tunnel by ${engine}`, () => {
    it('carries packets, and keeps its session while other peers and networks come and go', async () => {
      await using nodes = await pair(newDriver);
      const { one, two } = nodes;
      assert.deepEqual(await one.tunnel.setPeers([asPeer(two)]), new Map());
      assert.deepEqual(await two.tunnel.setPeers([asPeer(one)]), new Map());
      await untilPing(one, two);
      const begun = await handshake(one, two.key.public);
      const others = Array.from({ length: 50 }, (_, index) => other(index));
      await one.tunnel.setPeers([...others, asPeer(two, { networks: ['100.64.0.2/32', '10.20.0.0/16'] })]);
      await one.tunnel.setPeers([asPeer(two, { endpoints: [] }), ...others.slice(25)]);
      await one.tunnel.open(one.settings);
      const { peers } = await one.tunnel.look();
      assert.deepEqual([peers.size, peers.get(two.key.public)?.endpoint], [26, `192.0.2.2:${PORT}`]);
      await untilPing(two, one);
      assert.equal(await handshake(one, two.key.public), begun);
      assert.equal(await one.tunnel.drift(), null);
    });

    it('changes some peers and no others, whose sessions go on', async () => {
      await using nodes = await pair(newDriver);
      const { one, two } = nodes;
      await two.tunnel.setPeers([asPeer(one)]);
      const others = Array.from({ length: 5 }, (_, index) => other(index));
      const change = (...peers: readonly (readonly [string, TunnelPeer | undefined])[]) =>
        one.tunnel.changePeers(new Map(peers));
      assert.equal(await change(['a', others[0]]), undefined, 'nothing was asked for yet');
      assert.deepEqual(await one.tunnel.setPeers([asPeer(two), ...others]), new Map());
      await untilPing(one, two);
      const begun = await handshake(one, two.key.public);
      const [first, second, third] = others.map(({ id }) => id) as [string, string, string];
      const renewed = { ...(others[0] as TunnelPeer), key: someKey() };
      const wider = asPeer(two, { networks: ['100.64.0.2/32', '10.20.0.0/16'] });
      assert.deepEqual(await change([first, renewed], [second, undefined], [wider.id, wider]), new Map());
      const { peers } = await one.tunnel.look();
      assert.deepEqual([peers.size, peers.has(others[0]?.key ?? ''), peers.has(renewed.key)], [5, false, true]);
      assert.deepEqual(peers.get(two.key.public)?.networks.toSorted(), ['10.20.0.0/16', '100.64.0.2/32']);
      assert.equal(await handshake(one, two.key.public), begun);
      assert.equal(await one.tunnel.drift(), null);

      const taken = others[3] as TunnelPeer;
      const swapped = { ...(others[2] as TunnelPeer), networks: taken.networks };
      assert.equal(await change([third, swapped]), undefined, 'a network of another peer');
      assert.equal(await change([third, { ...swapped, key: 'nonsense' }]), undefined);
      assert.equal(await one.tunnel.drift(), null, 'and nothing was changed');
      const back = { ...taken, networks: (others[2] as TunnelPeer).networks };
      assert.deepEqual(await change([third, swapped], [taken.id, back]), new Map(), 'unless they change places');
      assert.equal(await one.tunnel.drift(), null);
    });

    it('goes on under a new key while bytes are on their way', async () => {
      await using nodes = await pair(newDriver);
      const { one, two } = nodes;
      // Only the first can find the second: what the second knows of the other's place, it has seen.
      await two.tunnel.setPeers([asPeer(one, { endpoints: [] })]);
      await one.tunnel.setPeers([asPeer(two)]);
      await untilPing(one, two);
      const running = await transfer(two, one);
      const key = newWireguardKey();
      await one.tunnel.open({ ...one.settings, private_key: key.private });
      assert.equal((await one.tunnel.look()).public_key, key.public);
      await two.tunnel.setPeers([asPeer(one, { endpoints: [], key: key.public })]);
      const { sent, arrived } = await running.endAfter(500 * 65_536);
      assert.deepEqual([arrived, sent > 500 * 65_536], [sent, true]);
      const { peers } = await two.tunnel.look();
      assert.deepEqual([...peers.keys()], [key.public]);
      assert.equal(peers.get(key.public)?.endpoint, `192.0.2.1:${PORT}`);
    });

    it('begins anew with a new key when its first handshake is lost, sooner than WireGuard itself', async () => {
      let now_ms = Date.now(); // it stands still: how long anything takes here does not matter
      await using nodes = await pair(newDriver, () => now_ms);
      const { one, two } = nodes;
      await two.tunnel.setPeers([asPeer(one, { endpoints: [] })]);
      await one.tunnel.setPeers([asPeer(two)]);
      await untilPing(one, two);
      const key = newWireguardKey();
      await two.tunnel.open({ ...two.settings, private_key: key.private });
      {
        await using lost = await loseInitiations(one.place);
        await one.tunnel.setPeers([asPeer(two, { key: key.public })]);
        await until('it is lost', async () => (await lost.count()) > 0);
        const before = await lost.count();
        now_ms += 250;
        await one.tunnel.seekPeers();
        assert.ok((await lost.count()) > before, 'another one goes out at once, and not when WireGuard would');
      }
      now_ms += 650;
      await one.tunnel.seekPeers();
      await until('it has answered', async () => (await handshake(one, key.public)) !== null);
      const renewed = (await handshake(one, key.public)) ?? assert.fail();
      const { tx_bytes } = await seenBy(one, { ...two, key });
      assert.ok(tx_bytes < 2 * INITIATION_BYTES, `by the first that got through: it was sent ${tx_bytes} bytes`);
      const { peers } = await one.tunnel.look();
      assert.equal(peers.get(key.public)?.endpoint, `192.0.2.2:${PORT}`);
      assert.equal(await one.tunnel.drift(), null);
      now_ms += 5000;
      await one.tunnel.seekPeers();
      assert.equal(await handshake(one, key.public), renewed, 'a session that is there is left alone');
    });

    it('begins at once with a peer that is added at the same moment, though their handshakes cross', async () => {
      let now_ms = Date.now();
      await using nodes = await pair(newDriver, () => now_ms);
      const { one, two } = nodes;
      const [first, second] = one.key.public < two.key.public ? [one, two] : [two, one];
      const crossing = await crossingPlace(nodes);
      const endpoints = [crossing.place];
      await Promise.all([
        one.tunnel.setPeers([asPeer(two, { endpoints })]),
        two.tunnel.setPeers([asPeer(one, { endpoints })]),
      ]);
      const both = () => Promise.all([seenBy(first, second), seenBy(second, first)]);
      const both_sent = INITIATION_BYTES + RESPONSE_BYTES;
      await until('both have begun, and answered the other', async () =>
        (await both()).every(({ tx_bytes }) => tx_bytes >= both_sent),
      );
      assert.ok(
        (await both()).every(({ handshake_ms }) => handshake_ms === null),
        'both were lost',
      );
      now_ms += 250;
      await Promise.all([one.tunnel.seekPeers(), two.tunnel.seekPeers()]);
      const heard = (await both()).map(({ rx_bytes }) => rx_bytes > 0);
      assert.deepEqual(heard, [false, true], 'one of them has begun anew, and has received nothing since');
      await crossing.open();
      now_ms += 400;
      await second.tunnel.seekPeers();
      await until('both have a session', async () => (await both()).every(({ handshake_ms }) => handshake_ms !== null));
      const { tx_bytes } = await seenBy(second, first);
      assert.ok(tx_bytes < both_sent, `the other has, too, and once was enough: ${tx_bytes} bytes`);
      await untilPing(one, two);
    });

    it('finds a departed peer where it was last seen, though the coordinator does not know the endpoint', async () => {
      await using nodes = await pair(newDriver);
      const { one, two } = nodes;
      const hidden = asPeer(one, { endpoints: [] });
      await two.tunnel.setPeers([hidden, other(7)]);
      await one.tunnel.setPeers([asPeer(two)]);
      await untilPing(one, two);
      const place = async () => (await two.tunnel.look()).peers.get(one.key.public)?.endpoint;
      await two.tunnel.setPeers([other(7)]);
      await one.tunnel.setPeers([]); // it does not begin by itself any more
      assert.equal(await place(), undefined);
      await two.tunnel.setPeers([hidden, other(7)]);
      assert.equal(await place(), `192.0.2.1:${PORT}`);
      await two.place.run('wg', ['set', MESH, 'peer', one.key.public, 'remove']);
      await two.tunnel.setPeers([hidden, other(7)]);
      assert.equal(await place(), `192.0.2.1:${PORT}`, 'also when it went again before it had answered');
    });

    it('finds what another program changed, and puts it right', async () => {
      await using node = await testNode(1, newDriver);
      const [left, stranger, psk] = [other(1), someKey(), `${node.place.run_folder}/psk`];
      const peers = [left, other(2)];
      await writeFile(psk, someKey());
      await node.tunnel.setPeers(peers);
      assert.equal(await node.tunnel.drift(), null);
      const left8 = left.key.slice(0, 8);
      const changes: readonly (readonly [string, RegExp])[] = [
        [`peer ${stranger} allowed-ips 10.9.0.0/16`, new RegExp(`^peer ${escaped(stranger.slice(0, 8))} is unknown$`)],
        [`peer ${left.key} remove`, new RegExp(`^peer ${escaped(left8)} is missing$`)],
        [`peer ${left.key} allowed-ips 0.0.0.0/0`, /has the networks 0\.0\.0\.0\/0 in place of 10\.0\.1\.0\/24/],
        [`peer ${left.key} persistent-keepalive 7`, /sends a keepalive every 7 s, not 25/],
        [`peer ${left.key} preshared-key ${psk}`, /has a preshared key/],
        ['listen-port 51999', /listens at UDP port 51999, not 51820/],
        ['fwmark 7', /mark is 7, not 51/],
        [`private-key ${psk}`, /^the interface has the key /],
      ];
      for (const [change, words] of changes) {
        await node.place.run('wg', ['set', MESH, ...change.split(' ')]);
        assert.match((await node.tunnel.drift()) ?? 'nothing', words);
        assert.deepEqual(await node.tunnel.setPeers(peers), new Map());
        assert.equal(await node.tunnel.drift(), null);
      }
    });

    it('does what is asked at the same time in turn', async () => {
      await using node = await testNode(1, newDriver);
      const [first, last] = [[other(1)], [other(2), other(3)]];
      await Promise.all([node.tunnel.setPeers(first), node.tunnel.seekPeers(), node.tunnel.setPeers(last)]);
      assert.equal(await node.tunnel.drift(), null);
      assert.equal((await node.tunnel.look()).peers.size, 2);
    });

    it('leaves out a peer that cannot be, and says what is wrong with it', async () => {
      await using node = await testNode(1, newDriver);
      const good = other(1);
      const wrong = await node.tunnel.setPeers([
        { ...other(2), networks: ['10.0.2.1/24'] },
        { ...other(3), key: 'x' },
        { ...other(5), key: node.key.public },
        good,
        { ...other(6), key: good.key },
      ]);
      assert.deepEqual([...wrong.keys()], ['other-2', 'other-3', 'other-5', 'other-6']);
      assert.equal(wrong.get('other-2'), '"10.0.2.1/24" is no network');
      assert.equal(wrong.get('other-6'), 'it has the key of other-1');
      assert.deepEqual([...(await node.tunnel.look()).peers.keys()], [good.key]);
      await assert.rejects(node.tunnel.setPeers([good, { ...other(2), networks: good.networks }]), /asked for twice/);
      await assert.rejects(node.tunnel.open({ ...node.settings, port: 0 }), /0 is no UDP port/);
      assert.equal(await node.tunnel.drift(), null, 'what was refused was never asked for');
    });

    it('leaves out a place that is none: a peer says where it is, and spoils nothing for the others', async () => {
      await using node = await testNode(1, newDriver);
      const places = ['somewhere:51820', '[::ffff:192.0.2.7]:51820', '[::ffff:c000:207]:51820', '[::c000:207]:51820'];
      const [odd, lost] = [
        { ...other(1), endpoints: [...places, '192.0.2.7:51820'] },
        { ...other(2), endpoints: places },
      ];
      assert.deepEqual(await node.tunnel.setPeers([odd, lost, other(3)]), new Map());
      const { peers } = await node.tunnel.look();
      assert.deepEqual([peers.get(odd.key)?.endpoint, peers.get(lost.key)?.endpoint], ['192.0.2.7:51820', null]);
      assert.equal(peers.size, 3);
    });

    it('says that a port is taken, and gets it once it is free', async () => {
      await using node = await testNode(1, newDriver);
      const settings = { ...node.settings, port: 51830 };
      const peers = [other(1)];
      const taken = /^UDP port 51830 is taken/;
      {
        await using _ = await takePort(node.place, 51830);
        await assert.rejects(node.tunnel.open(settings), { message: taken });
        assert.match((await node.tunnel.drift()) ?? 'nothing', /UDP port 51830 is taken/);
        await assert.rejects(node.tunnel.setPeers(peers), { message: taken });
        assert.equal((await node.tunnel.look()).peers.size, 1);
      }
      assert.deepEqual(await node.tunnel.setPeers(peers), new Map());
      assert.equal((await node.tunnel.look()).port, 51830);
      assert.equal(await node.tunnel.drift(), null);
    });
  });

function other(number: number) {
  return { id: `other-${number}`, key: someKey(), networks: [`10.0.${number}.0/24`], endpoints: [] };
}

function escaped(text: string): string {
  return text.replaceAll(/[+/]/g, '\\$&');
}

describe('peers that are changed by themselves', () => {
  async function scene() {
    const driver = new MemoryDriver();
    const tunnel = new WireguardTunnel({ driver, now: () => 0 });
    await tunnel.open({ private_key: newWireguardKey().private, port: PORT, mark: 51 });
    const [one, two] = [other(1), other(2)];
    await tunnel.setPeers([one, two]);
    return { driver, tunnel, one, two };
  }

  it('are read back: one that did not come is wrong, and with one that did not go nothing can be said', async () => {
    const { driver, tunnel, one } = await scene();
    driver.losing = 'upsert';
    const three = other(3);
    assert.deepEqual(await tunnel.changePeers(new Map([[three.id, three]])), new Map([[three.id, 'is missing']]));
    driver.losing = 'remove';
    assert.equal(await tunnel.changePeers(new Map([[one.id, undefined]])), undefined);
  });

  it('cost one request and one answer about themselves', async () => {
    const { driver, tunnel, one } = await scene();
    driver.calls.length = 0;
    const renewed = { ...one, key: someKey() };
    await tunnel.changePeers(new Map([[one.id, renewed]]));
    assert.deepEqual(driver.calls, ['apply 1 1', 'read 2']);
    await tunnel.changePeers(new Map([[one.id, renewed]]));
    assert.equal(driver.calls.length, 2, 'what is in effect already is not set again');
  });

  it('are looked at before one is sent elsewhere, because it may have come into session since', async () => {
    const { driver, tunnel, one } = await scene();
    const seen = driver.peers.get(one.key) ?? assert.fail();
    driver.peers.set(one.key, { ...seen, endpoint: '192.0.2.9:1', handshake_ms: 0 });
    await tunnel.changePeers(new Map([[one.id, { ...one, endpoints: ['192.0.2.1:51820'] }]]));
    assert.equal(driver.peers.get(one.key)?.endpoint, '192.0.2.9:1');
  });
});

describe('a peer behind a NAT that begins in the moment in which it is looked for', () => {
  const [INNER, OTHER, OUTER] = ['10.0.0.7:51820', '10.1.0.7:51820', '198.51.100.7:40000'];
  type Step = (tunnel: WireguardTunnel, peer: TunnelPeer) => Promise<unknown>;
  const seek: Step = (tunnel) => tunnel.seekPeers();
  const release: Step = (tunnel, peer) => tunnel.setPeers([{ ...peer, endpoints: [OTHER] }]);
  const change: Step = (tunnel, peer) => tunnel.changePeers(new Map([[peer.id, { ...peer, endpoints: [OTHER] }]]));
  const moments: readonly (readonly [string, number, Step])[] = [
    ['is not sent to the next place', 10_000, seek],
    ['keeps its new session', 700, seek],
    ['is not sent where it reports to be, when all peers are set', 10, release],
    ['is not sent where it reports to be, when it alone is set', 10, change],
  ];
  for (const [name, later_ms, step] of moments)
    it(name, async () => {
      let now_ms = 1_800_000_000_000;
      const driver = new MemoryDriver();
      const tunnel = new WireguardTunnel({ driver, now: () => now_ms });
      await tunnel.open({ private_key: newWireguardKey().private, port: PORT, mark: 51 });
      const peer = { ...other(1), endpoints: [INNER, OTHER] };
      await tunnel.setPeers([peer]);
      now_ms += later_ms;
      const seen = driver.peers.get(peer.key) ?? assert.fail();
      driver.afterRead(() => {
        driver.peers.set(peer.key, { ...seen, endpoint: OUTER, handshake_ms: now_ms, rx_bytes: 148 });
      });
      await step(tunnel, peer);
      const now = driver.peers.get(peer.key);
      assert.deepEqual([now?.endpoint, now?.handshake_ms], [OUTER, now_ms]);
    });
});
