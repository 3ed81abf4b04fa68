import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { MemoryDriver } from '../../../test/memory-driver.ts';
import { asPeer, PORT, pair, seenBy, untilPing } from '../../../test/wireguard-node.ts';
import { ENGINES, someKey } from '../../../test/wireguard-places.ts';
import { newWireguardKey } from '../../identity/keys.ts';
import type { EnginePeer } from './driver.ts';
import { WireguardTunnel } from './wireguard-tunnel.ts';

/** For what comes: no test waits for it to pass. */
const LONG_MS = 60_000;

async function scene() {
  const driver = new MemoryDriver();
  const tunnel = new WireguardTunnel({ driver, now: () => 0 });
  await tunnel.open({ private_key: newWireguardKey().private, port: PORT, mark: 51 });
  const peers = ['a', 'b', 'c'].map((id, index) => ({
    id,
    key: someKey(),
    networks: [`100.64.0.${index + 2}/32`],
    endpoints: id === 'c' ? [] : ['192.0.2.1:1'],
  }));
  await tunnel.setPeers(peers);
  const change = (id: string, to: Partial<EnginePeer>) => {
    const { key = '' } = peers.find((peer) => peer.id === id) ?? {};
    driver.peers.set(key, { ...(driver.peers.get(key) ?? assert.fail()), ...to });
  };
  return { driver, tunnel, peers, change };
}

describe('peers that are listened for', () => {
  it('are sent a packet each, heard when one of theirs comes, and answered', async () => {
    const { driver, tunnel, peers, change } = await scene();
    change('a', { rx_bytes: 500 });
    const asked = tunnel.hear(['a', 'unknown'], LONG_MS);
    driver.afterRead(() => driver.afterRead(() => change('a', { rx_bytes: 532 })));
    assert.deepEqual([...(await asked).keys()], ['a']);
    assert.deepEqual(driver.nudged, [peers[0]?.key, peers[0]?.key]);
    assert.equal((await tunnel.hear(['unknown'], LONG_MS)).size, 0);
  });

  it('are waited for where their place is not known, too, and sent nothing before they came from one', async () => {
    const { driver, tunnel, peers, change } = await scene();
    const asked = tunnel.hear(['c'], LONG_MS);
    driver.afterRead(() => driver.afterRead(() => change('c', { rx_bytes: 148, endpoint: '192.0.2.7:7' })));
    assert.deepEqual([...(await asked).keys()], ['c']);
    assert.deepEqual(driver.nudged, [peers[2]?.key]);
  });

  it('are waited for until the time is over, and no longer', async () => {
    const { tunnel } = await scene();
    assert.deepEqual(await tunnel.hear(['a', 'b'], 30), new Map());
  });

  it('are not taken to be heard when they were added anew, which counts from zero', async () => {
    const { driver, tunnel, change } = await scene();
    change('a', { rx_bytes: 500 });
    const asked = tunnel.hear(['a'], LONG_MS);
    const [added, silent, spoke] = [0, 0, 92].map((rx_bytes) => () => change('a', { rx_bytes })) as [
      () => void,
      () => void,
      () => void,
    ];
    driver.afterRead(() => {
      added();
      driver.afterRead(() => {
        silent();
        driver.afterRead(spoke);
      });
    });
    assert.equal((await asked).size, 1);
    assert.equal(driver.peers.values().next().value?.rx_bytes, 92);
  });

  it('leave the turn to others while they are waited for, and share what is read', async () => {
    const { driver, tunnel, peers, change } = await scene();
    const both = [tunnel.hear(['a'], LONG_MS), tunnel.hear(['b'], LONG_MS)];
    assert.deepEqual(await tunnel.setPeers(peers), new Map());
    change('a', { rx_bytes: 32 });
    change('b', { rx_bytes: 32 });
    const heard = await Promise.all(both);
    assert.deepEqual(
      heard.map(({ size }) => size),
      [1, 1],
    );
    assert.ok(driver.calls.includes('read 2'), driver.calls.join(', '));
  });

  it('are not known when WireGuard cannot be read', async () => {
    const { driver, tunnel } = await scene();
    const asked = tunnel.hear(['a'], LONG_MS);
    driver.afterRead(() =>
      driver.afterRead(() => {
        throw new Error('WireGuard broke off');
      }),
    );
    await assert.rejects(asked, /broke off/);
  });
});

for (const [engine, newDriver] of ENGINES)
  it(`two nodes that ask at the same time hear each other, and stay as they are: ${engine}`, async () => {
    await using nodes = await pair(newDriver);
    const { one, two } = nodes;
    const nowhere = { id: 'nowhere', key: someKey(), networks: ['100.64.0.9/32'], endpoints: ['192.0.2.99:51820'] };
    await two.tunnel.setPeers([asPeer(one, { endpoints: [] })]);
    await one.tunnel.setPeers([asPeer(two), nowhere]);
    await untilPing(one, two);
    const before = await seenBy(two, one);
    const [first, second] = await Promise.all([
      one.tunnel.hear(['node-2'], LONG_MS),
      two.tunnel.hear(['node-1'], LONG_MS),
    ]);
    assert.deepEqual([[...first.keys()], [...second.keys()]], [['node-2'], ['node-1']]);
    assert.equal((await one.tunnel.hear(['nowhere'], 50)).size, 0);
    const after = await seenBy(two, one);
    assert.deepEqual([after.endpoint, after.handshake_ms], [before.endpoint, before.handshake_ms]);
    assert.deepEqual([await one.tunnel.drift(), await two.tunnel.drift()], [null, null]);
  });

for (const [engine, newDriver] of ENGINES)
  it(`a node that begins to listen after the other one's packet still hears it: ${engine}`, async () => {
    await using nodes = await pair(newDriver);
    const { one, two } = nodes;
    await two.tunnel.setPeers([asPeer(one, { endpoints: [] })]);
    await one.tunnel.setPeers([asPeer(two)]);
    await untilPing(one, two);
    const before = await seenBy(two, one);
    const first = one.tunnel.hear(['node-2'], LONG_MS);
    while ((await seenBy(two, one)).rx_bytes === before.rx_bytes) await setImmediate();
    assert.deepEqual([...(await two.tunnel.hear(['node-1'], LONG_MS)).keys()], ['node-1']);
    assert.deepEqual([...(await first).keys()], ['node-2']);
  });
