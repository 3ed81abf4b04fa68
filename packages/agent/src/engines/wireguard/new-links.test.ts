/** Links that were just made: handshakes are not enough, packets have to come. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { until } from '../../../test/namespaces.ts';
import { asPeer, deafeningPlace, PORT, pair, seenBy, type TestNode } from '../../../test/wireguard-node.ts';
import { ENGINES, MESH, userspaceDriver } from '../../../test/wireguard-places.ts';
import type { EnginePeer, Reading } from './driver.ts';
import { NewLinks } from './new-links.ts';

const FROM_MS = 1_700_000_000_000;
const BEFORE_KEEPALIVE_MS = 20_000;

function reading(key: string, seen: Partial<EnginePeer>): Reading {
  const rest = { networks: [], endpoint: null, rx_bytes: 0, tx_bytes: 0, keepalive_s: 25, preshared: false };
  return {
    public_key: 'own',
    port: 1,
    mark: 0,
    peers: new Map([[key, { key, handshake_ms: null, ...rest, ...seen }]]),
  };
}
const due = (links: NewLinks, after_ms: number, seen: Partial<EnginePeer>) =>
  links.due(reading('a', seen), FROM_MS + after_ms);
const shook = { handshake_ms: FROM_MS + 5 };

test('a new link is sent something at every look, and is deaf when nothing comes', () => {
  const links = new NewLinks();
  links.met(['a'], FROM_MS);
  assert.deepEqual(due(links, 250, {}), { nudge: [], deaf: [] }, 'no handshake yet: that is for fresh-keys.ts');
  assert.deepEqual(due(links, 300, { ...shook, rx_bytes: 92 }), { nudge: ['a'], deaf: [] });
  assert.deepEqual(due(links, 1000, { ...shook, rx_bytes: 92 }), { nudge: ['a'], deaf: [] }, 'it may be about to');
  assert.deepEqual(due(links, 3000, { ...shook, rx_bytes: 92 }), { nudge: ['a'], deaf: ['a'] });
  links.begunAnew(['a'], FROM_MS + 3000);
  assert.deepEqual(due(links, 3100, { ...shook, rx_bytes: 92 }), { nudge: ['a'], deaf: [] });
  assert.deepEqual(due(links, 13_000, { ...shook, rx_bytes: 92 }), { nudge: ['a'], deaf: [] }, 'once is enough');
});

test('a link that packets come from is not begun anew, and is an old one after a while', () => {
  const links = new NewLinks();
  links.met(['a'], FROM_MS);
  due(links, 250, { ...shook, rx_bytes: 92 });
  assert.deepEqual(due(links, 3000, { ...shook, rx_bytes: 124 }), { nudge: ['a'], deaf: [] });
  assert.deepEqual(due(links, 15_250, { ...shook, rx_bytes: 124 }), { nudge: [], deaf: [] });
});

test('a peer that is gone, or never answers, is not a new link for ever; many at once are none', () => {
  const links = new NewLinks();
  links.met(['a', 'gone'], FROM_MS);
  due(links, 250, {});
  assert.deepEqual(due(links, 15_000, shook), { nudge: [], deaf: [] });
  links.met(
    Array.from({ length: 65 }, () => 'a'),
    FROM_MS,
  );
  assert.deepEqual(due(links, 250, shook), { nudge: [], deaf: [] });
});

/** What a node hears when both ask each other, which takes both directions. */
async function bothHear(one: TestNode, two: TestNode, within_ms: number): Promise<boolean> {
  const [first, second] = await Promise.all([
    one.tunnel.hear([`node-${two.number}`], within_ms),
    two.tunnel.hear([`node-${one.number}`], within_ms),
  ]);
  return first.size + second.size === 2;
}

for (const [engine, newDriver] of ENGINES)
  describe(`a new link by ${engine}`, () => {
    it('is begun anew when it is dead in one direction, though both ends show a handshake', async () => {
      let now_ms = Date.now(); // looks come when the test says so
      await using nodes = await pair(newDriver, () => now_ms);
      const { one, two } = nodes;
      const place = await deafeningPlace(nodes, one);
      await two.tunnel.setPeers([asPeer(one, { endpoints: [] })]);
      await one.tunnel.setPeers([asPeer(two, { endpoints: [place] })]);
      const shaken = async () =>
        (await Promise.all([seenBy(one, two), seenBy(two, one)])).every(({ handshake_ms }) => handshake_ms !== null);
      await until('both show a handshake', shaken);
      const { rx_bytes } = await seenBy(one, two);
      for (const step_ms of [250, 750, 2000]) {
        now_ms += step_ms;
        await two.tunnel.seekPeers();
        await one.tunnel.seekPeers();
      }
      await until('packets go both ways', async () => {
        now_ms += 250; // one that is lost on the way is begun anew, too
        await two.tunnel.seekPeers();
        await one.tunnel.seekPeers();
        return (await seenBy(one, two)).rx_bytes > rx_bytes;
      });
      assert.equal(await one.tunnel.drift(), null);
      assert.equal(await bothHear(one, two, 60_000), true);
    });

    it('corrects a place that was set in the moment in which the peer came from another one', async () => {
      let now_ms = Date.now();
      await using nodes = await pair(newDriver, () => now_ms);
      const { one, two } = nodes;
      await one.tunnel.setPeers([asPeer(two, { endpoints: ['192.0.2.99:51820'] })]); // its address behind the NAT
      await two.tunnel.setPeers([asPeer(one)]);
      await until('it came from where it really is', async () => (await seenBy(one, two)).handshake_ms !== null);
      await one.place.run('wg', ['set', MESH, 'peer', two.key.public, 'endpoint', '192.0.2.99:51820']);
      now_ms += 250;
      await two.tunnel.seekPeers();
      const isKnown = async () => (await seenBy(one, two)).endpoint === `192.0.2.2:${PORT}`;
      await until('it is known again, before its next keepalive', isKnown, BEFORE_KEEPALIVE_MS);
    });
  });

test('two nodes that begin at the same moment hear each other within a few looks, every time', async () => {
  let now_ms = Date.now();
  await using nodes = await pair(userspaceDriver, () => now_ms);
  const { one, two } = nodes;
  const rounds = 60;
  for (let round = 0; round < rounds; round++) {
    await Promise.all([one.tunnel.setPeers([]), two.tunnel.setPeers([])]);
    now_ms += 700_000; // nothing is left of the round before
    await Promise.all([one.tunnel.setPeers([asPeer(two)]), two.tunnel.setPeers([asPeer(one)])]);
    let looks = 0;
    for (const step_ms of [250, 750, 2000, 2000, 2000, 2000]) {
      now_ms += step_ms;
      looks += 1;
      await Promise.all([one.tunnel.seekPeers(), two.tunnel.seekPeers()]);
      if (await bothHear(one, two, 300)) break;
      assert.ok(looks < 6, `round ${round}: they do not hear each other`);
    }
  }
});
