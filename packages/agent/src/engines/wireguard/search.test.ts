import assert from 'node:assert/strict';
import { it } from 'node:test';
import { until } from '../../../test/namespaces.ts';
import {
  asPeer,
  handshake,
  INITIATION_BYTES,
  PORT,
  pair,
  ping,
  seenBy,
  untilPing,
} from '../../../test/wireguard-node.ts';
import { userspaceDriver } from '../../../test/wireguard-places.ts';
import { Search } from './search.ts';

const [NOWHERE, THERE, ROAMED] = [`192.0.2.99:${PORT}`, `192.0.2.2:${PORT}`, `192.0.2.2:${PORT + 1}`];

it('looks for a peer in one place after the other until it answers, and follows it from there', async () => {
  let now_ms = Date.now(); // it stands still: a new peer is begun elsewhere after a fifth of a second
  await using nodes = await pair(userspaceDriver, () => now_ms);
  const { one, two } = nodes;
  const at = async () => (await seenBy(one, two)).endpoint;
  const peer = asPeer(two, { endpoints: [NOWHERE, THERE] });
  await one.tunnel.setPeers([peer]);
  await one.tunnel.seekPeers();
  assert.equal(await at(), NOWHERE, 'an endpoint is not left before a handshake was tried there');

  for (const place of [THERE, NOWHERE, THERE]) {
    now_ms += 6_000;
    await one.tunnel.seekPeers();
    assert.equal(await at(), place, 'round and round');
  }
  await two.tunnel.setPeers([asPeer(one, { endpoints: [] })]);
  await until('it has answered', async () => (await handshake(one, two.key.public)) !== null);
  now_ms += 6_000;
  await one.tunnel.seekPeers();
  assert.equal(await at(), THERE, 'a peer that answers is left where it is');

  await two.tunnel.open({ ...two.settings, port: PORT + 1 });
  await until('it is followed', async () => (await ping(two, one)) && (await at()) === ROAMED);
  now_ms += 6_000;
  await one.tunnel.seekPeers();
  await one.tunnel.setPeers([{ ...peer, endpoints: [NOWHERE] }]);
  assert.equal(await at(), ROAMED, 'also at an endpoint that the coordinator did not send');
  await untilPing(one, two);

  now_ms = Date.now() + 181_000;
  await one.tunnel.seekPeers();
  assert.equal(await at(), NOWHERE, 'one that fell silent is looked for anew');
});

it('tries the next place of a new peer at once, though WireGuard knocks only every five seconds', async () => {
  let now_ms = Date.now();
  await using nodes = await pair(userspaceDriver, () => now_ms);
  const { one, two } = nodes;
  const [first, second] = one.key.public < two.key.public ? [one, two] : [two, one];
  const there = `192.0.2.${second.number}:${PORT}`;
  await second.tunnel.setPeers([asPeer(first, { endpoints: [] })]);
  await first.tunnel.setPeers([asPeer(second, { endpoints: [NOWHERE, there] })]);
  now_ms += 250;
  await first.tunnel.seekPeers();
  await until('it has answered', async () => (await handshake(first, second.key.public)) !== null);
  const { endpoint, tx_bytes } = await seenBy(first, second);
  assert.equal(endpoint, there);
  // Not by the clock: had it waited for WireGuard, it would have knocked at the first place, and five seconds later here.
  assert.ok(tx_bytes < 2 * INITIATION_BYTES, `it was sent ${tx_bytes} bytes`);
});

it('goes on looking when the clock was set back', () => {
  const peer = { id: 'node_a', key: 'key-a', networks: [], endpoints: [NOWHERE, THERE] };
  const seen = {
    ...peer,
    endpoint: NOWHERE,
    handshake_ms: null,
    rx_bytes: 0,
    tx_bytes: 0,
    keepalive_s: 25,
    preshared: false,
  };
  const reading = { public_key: null, port: PORT, mark: 0, peers: new Map([[peer.key, seen]]) };
  const [search, now] = [new Search(), Date.now()];
  search.moved([{ key: peer.key, networks: [], keepalive_s: 25 }], now);
  const places = (now_ms: number) =>
    search.next(new Map([[peer.key, peer]]), reading, now_ms).map((move) => move.endpoint);
  assert.deepEqual(places(now + 1000), []);
  assert.deepEqual(places(now - 86_400_000), [THERE]);
});
