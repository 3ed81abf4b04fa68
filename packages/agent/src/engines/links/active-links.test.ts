import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import type { Peer } from '@meshwork/contract';
import type { Carrier } from '../../carrier/carrier.ts';
import type { WantedLink } from '../../carrier/control/messages.ts';
import type { PlacedPeer } from '../../host/peer-places.ts';
import { ActiveLinks } from './active-links.ts';
import { LinkTable } from './link-table.ts';
import { Questions } from './questions.ts';

const DIRECT = '198.51.100.7:51820';

function peerOf(name: string): Peer {
  return {
    id: `node_${name}`,
    name,
    address: '100.64.0.2/32',
    wireguard_key: name,
    endpoints: [DIRECT],
    relayed: [],
  } as unknown as Peer;
}

/** Links with these peers, whom WireGuard has so, and what the carrier was given of them. */
async function linksOf(seen: Readonly<Record<string, Partial<PlacedPeer>>>) {
  const given: Partial<WantedLink>[] = [];
  const ask = (async (_: string, { set = [] }: { readonly set?: readonly WantedLink[] }) => {
    given.push(...set);
    return { addresses: set.map(({ peer }) => ({ peer, address: '127.64.0.1' })) };
  }) as unknown as Carrier['ask'];
  const carrier: Pick<Carrier, 'ask' | 'events'> = { ask, events: new EventEmitter() };
  const table = new LinkTable(carrier, {
    all: [],
    of: () => undefined,
    find: () => undefined,
    hear: async () => undefined,
  });
  await table.set(new Map(Object.keys(seen).map((name) => [`node_${name}`, peerOf(name)])));
  const peers = new Map(
    Object.entries(seen).map(([name, facts]) => [
      name,
      { endpoint: DIRECT, handshake_ms: null, rx_bytes: 0, tx_bytes: 0, ...facts },
    ]),
  );
  const links = new ActiveLinks({
    node: 'node_us',
    carrier,
    table,
    questions: new Questions(carrier),
    sendFirst: async (send) => send(undefined),
    tunnel: () => ({ look: async () => ({ peers }), place: async () => undefined }),
    keyWith: () => '00',
    ownEndpoints: async () => [],
    endpointsOf: () => [],
    isOutside: () => true,
    hindered: () => undefined,
    endpointOf: () => undefined,
    isBearer: (peer) => peer === 'node_bearer',
    measured: () => undefined,
    changed: () => undefined,
    failed: assert.ifError,
  });
  return { links, given, peers, carrier };
}

/** Lets so much time pass in which a peer `heard` sends keepalives. */
async function pass(context: TestContext, peers: Map<string, PlacedPeer>, seconds: number): Promise<void> {
  let now_ms = performance.now();
  context.mock.method(performance, 'now', () => now_ms);
  for (const end_ms = now_ms + seconds * 1000; now_ms < end_ms; ) {
    now_ms += 400;
    const heard = peers.get('heard');
    if (heard !== undefined && Math.floor(now_ms / 25_000) !== Math.floor((now_ms - 400) / 25_000)) {
      peers.set('heard', { ...heard, rx_bytes: heard.rx_bytes + 32 });
    }
    context.mock.timers.tick(400);
    for (let turns = 0; turns < 20; turns++) await Promise.resolve();
  }
}

describe('the links in use', () => {
  it('begin with the sessions that WireGuard has past the carrier, and with no endpoint that was never proven', async () => {
    const now_ms = Date.now();
    const { links } = await linksOf({
      proven: { handshake_ms: now_ms - 60_000 },
      never: {},
      long_ago: { handshake_ms: now_ms - 600_000 },
      relayed: { handshake_ms: now_ms, endpoint: '127.64.0.9:700' },
    });
    await links.adopt();
    assert.deepEqual([...links.all.keys()], ['node_proven']);
    assert.deepEqual(links.get('node_proven')?.place, { address: '198.51.100.7', port: 51_820 });
    links.stop();
  });

  it('rest after a minute without use, but for the direct path to a bearer of a role, and to a peer that keeps it', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const session = { handshake_ms: Date.now() };
    const { links, peers } = await linksOf({ bearer: session, heard: session, other: session });
    await links.adopt();
    for (let turns = 0; turns < 20; turns++) await Promise.resolve();
    assert.equal(links.all.size, 3);
    await pass(context, peers, 70);
    assert.deepEqual([...links.all.keys()], ['node_bearer', 'node_heard']);
    links.get('node_bearer')?.fallBack('lost', performance.now());
    await pass(context, new Map(), 70);
    assert.deepEqual([...links.all.keys()], []);
    links.stop();
  });

  it('go where a peer says only if it has asked from there, also before the link was in use', async () => {
    const { links, carrier } = await linksOf({ liar: {} });
    const says = (epoch: number, from: string) => {
      const text = JSON.stringify({ kind: 'direct', run: 'b', epoch, from });
      carrier.events.emit('messaged', { from: '100.64.0.2', text });
      return links.get('node_liar')?.place;
    };
    carrier.events.emit('asked', { peer: 'node_liar', from: { address: '198.51.100.7', port: 51_820 } });
    carrier.events.emit('asked', { peer: 'node_other', from: { address: '198.51.100.8', port: 51_820 } });
    assert.equal(says(1, '198.51.100.7:51821'), undefined);
    assert.equal(says(2, '198.51.100.8:51820'), undefined);
    assert.deepEqual(says(3, DIRECT), { address: '198.51.100.7', port: 51_820 });
    links.stop();
  });

  it('are said again to a carrier that is another one: their keys, and where they go', async () => {
    const { links, given } = await linksOf({ direct: { handshake_ms: Date.now() }, relayed: {} });
    await links.adopt();
    links.use('node_relayed');
    await new Promise((resolve) => setImmediate(resolve));
    given.length = 0;
    await links.adopt();
    assert.deepEqual(given, [
      { peer: 'node_direct', key: '00' },
      { peer: 'node_direct', places: [], ways: [{ direct: { address: '198.51.100.7', port: 51_820 } }] },
      { peer: 'node_relayed', key: '00' },
    ]);
    links.stop();
  });
});
