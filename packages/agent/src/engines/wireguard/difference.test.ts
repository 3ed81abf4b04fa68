import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { peersDifference } from './difference.ts';
import type { EnginePeer } from './driver.ts';
import type { WantedPeer } from './wanted-peers.ts';

const NOW = 1_800_000_000_000;
const [FIRST, SECOND, ELSEWHERE] = ['192.0.2.1:1', '192.0.2.2:2', '198.51.100.9:9'];

function wanted(key: string, changes: Partial<WantedPeer> = {}): WantedPeer {
  return { id: `node-${key}`, key, networks: [`${key}/32`], endpoints: [FIRST, SECOND], ...changes };
}

/** In session, at an endpoint that the coordinator did not send. */
function seen(key: string, changes: Partial<EnginePeer> = {}): EnginePeer {
  const traffic = { rx_bytes: 0, tx_bytes: 0, keepalive_s: 25, preshared: false };
  return { key, networks: [`${key}/32`], endpoint: ELSEWHERE, handshake_ms: NOW - 1_000, ...traffic, ...changes };
}

function difference(asked: readonly WantedPeer[], found: readonly EnginePeer[], departed: readonly EnginePeer[] = []) {
  const byKey = <P extends { readonly key: string }>(peers: readonly P[]) =>
    new Map(peers.map((peer) => [peer.key, peer]));
  return peersDifference(byKey(asked), { peers: byKey(found), departed }, NOW);
}
const upsert = (key: string, endpoint?: string, networks = [`${key}/32`]) => ({
  key,
  networks,
  endpoint,
  keepalive_s: 25,
});

it('is one peer when one of ten thousand changes', () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `k${index}`);
  const asked = keys.map((key) => (key === 'k77' ? wanted(key, { networks: ['10.20.0.0/16'] }) : wanted(key)));
  const found = keys.map((key) => seen(key));
  assert.deepEqual(difference(asked, found), { upsert: [upsert('k77', undefined, ['10.20.0.0/16'])], remove: [] });
});

it('is nothing when only the order of networks changes', () => {
  const networks = ['10.1.0.0/16', '10.2.0.0/16'];
  const nothing = { upsert: [], remove: [] };
  assert.deepEqual(difference([wanted('a', { networks })], [seen('a', { networks: networks.toReversed() })]), nothing);
});

describe('the place of a peer', () => {
  const silent = { handshake_ms: NOW - 181_000 };
  const never = { handshake_ms: null };
  const cases: readonly (readonly [string, Partial<EnginePeer> | null, Partial<WantedPeer>, string | undefined])[] = [
    ['new: the first', null, {}, FIRST],
    ['new and nowhere to be found: none', null, { endpoints: [] }, undefined],
    ['in session: stays', {}, {}, undefined],
    ['silent at a place of the list: stays, until it is looked for', { ...silent, endpoint: SECOND }, {}, undefined],
    ['silent elsewhere: the first', silent, {}, FIRST],
    ['never seen, nowhere: the first', { ...never, endpoint: null }, {}, FIRST],
    ['silent, and no endpoint is known: stays', silent, { endpoints: [] }, undefined],
  ];
  for (const [name, found, asked, place] of cases)
    it(name, () => {
      const change = difference([wanted('a', asked)], found === null ? [] : [seen('a', found)]);
      const keepalive_s = asked.endpoints?.length === 0 ? 0 : 25;
      const expected = found === null || place !== undefined ? [{ ...upsert('a', place), keepalive_s }] : [];
      assert.deepEqual(change, { upsert: expected, remove: [] });
    });
});

it('begins with a peer as soon as a place of it is known', () => {
  const [found] = [seen('a', { endpoint: null, handshake_ms: null, keepalive_s: 0 })];
  assert.deepEqual(difference([wanted('a', { endpoints: [] })], [found]).upsert, []);
  assert.deepEqual(difference([wanted('a')], [found]).upsert, [upsert('a', FIRST)]);
});

describe('a key that takes the place of another', () => {
  const networks = ['10.0.0.1/32'];
  const cases: readonly (readonly [string, Partial<EnginePeer>, readonly string[], string | undefined])[] = [
    ['goes on where the last one was in session', {}, [FIRST], ELSEWHERE],
    ['goes on where the last one was, if nothing better is known', { handshake_ms: null }, [], ELSEWHERE],
    ['begins anew if the last one was silent', { handshake_ms: null }, [FIRST], FIRST],
    ['begins nowhere if the last one was nowhere', { endpoint: null }, [], undefined],
  ];
  for (const [name, found, endpoints, place] of cases)
    it(name, () => {
      const change = difference([wanted('new', { networks, endpoints })], [seen('old', { networks, ...found })]);
      const keepalive_s = place === undefined ? 0 : 25;
      assert.deepEqual(change, { upsert: [{ ...upsert('new', place, networks), keepalive_s }], remove: ['old'] });
    });
});

describe('a peer that takes over a network from one that goes', () => {
  const subnet = '10.20.0.0/16';
  const heir = wanted('heir', { networks: ['10.0.0.2/32', subnet] });
  const gone = seen('gone', { networks: ['10.0.0.1/32', subnet] });
  for (const [name, found, departed] of [
    ['now', [gone], []],
    ['later', [], [gone]],
  ] as const)
    it(`is another node, and not looked for where that one was: ${name}`, () => {
      assert.deepEqual(difference([heir], found, departed).upsert, [upsert('heir', FIRST, [...heir.networks])]);
    });
});

it('keeps the session with a peer that networks are reached through, also if it is carried, and not that with others', () => {
  const carried = { endpoints: ['127.64.0.1:700'], carried: true };
  const asked = [wanted('a', { ...carried, bears: true }), wanted('b', carried)];
  const resting = { endpoint: '127.64.0.1:700', keepalive_s: 0 };
  const keepalives = (found: readonly EnginePeer[]) =>
    difference(asked, found).upsert.map(({ key, keepalive_s }) => [key, keepalive_s]);
  assert.deepEqual(keepalives([]), [
    ['a', 25],
    ['b', 0],
  ]);
  assert.deepEqual(keepalives([seen('a', resting), seen('b', resting)]), [['a', 25]]);
});
