import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeldView } from '@meshwork/agent';
import type { HeartbeatReply, Peer, PeerTerms } from '@meshwork/contract';
import fc from 'fast-check';
import { digestViews } from './digest-view.ts';

const IDS = ['node_1', 'node_2', 'node_3', 'node_4'];
const id = fc.constantFrom(...IDS);
const peer: fc.Arbitrary<Peer> = fc.record({
  id,
  name: fc.constantFrom('a', 'b'),
  wireguard_key: fc.constant('k'),
  address: fc.constant(''),
  address6: fc.constant(''),
  endpoints: fc.constant([]),
  relay: fc.constant(null),
});
const terms: fc.Arbitrary<PeerTerms> = fc.record({
  peer: id,
  allow: fc.constantFrom([], ['*'], ['tcp:22']),
  forward: fc.constant([]),
  routes: fc.constant([]),
});

/** A section as a reply brings it: everything, or the difference. */
function sectionOf<R>(record: fc.Arbitrary<R>, idOf: (record: R) => string) {
  const records = fc.uniqueArray(record, { selector: idOf });
  const difference = fc.record({ upsert: records, remove: fc.subarray(IDS) }).map(({ upsert, remove }) => {
    const put = new Set(upsert.map(idOf));
    return { upsert, remove: remove.filter((one) => !put.has(one)) };
  });
  return fc.oneof(
    records.map((full) => ({ full })),
    difference,
  );
}

const replies = fc.array(
  fc.record({
    peers: sectionOf(peer, (record) => record.id),
    acl: sectionOf(terms, (record) => record.peer),
  }),
  { maxLength: 12 },
);

test('a node that keeps digests only reports the same as one that keeps the records', () => {
  fc.assert(
    fc.property(replies, (sent) => {
      const newView = digestViews();
      const held = new HeldView();
      const views = [newView(), newView()];
      for (const [index, sections] of sent.entries()) {
        const reply: HeartbeatReply = { revision: index + 1, next_s: 0, ...sections };
        const brought = held.take(reply);
        for (const view of views) {
          assert.deepEqual(view.take(reply), brought);
          for (const section of ['peers', 'acl'] as const) {
            assert.deepEqual([...view[section].ids()], [...held[section].ids()]);
            assert.equal(view[section].size, held[section].size);
            for (const one of IDS) assert.equal(view[section].has(one), held[section].has(one));
            assert.equal(view.digestOf(section), held.digestOf(section));
            assert.equal(view.revisionOf(section), held.revisionOf(section));
          }
        }
      }
    }),
  );
});

test('the digests differ after each of these answers', () => {
  const view = digestViews()();
  const one: Peer = {
    id: 'node_1',
    name: 'a',
    wireguard_key: 'k',
    address: '',
    address6: '',
    endpoints: [],
    relay: null,
  };
  const allowed: PeerTerms = { peer: 'node_1', allow: ['*'], forward: [], routes: [] };
  const sections: readonly Omit<HeartbeatReply, 'revision' | 'next_s'>[] = [
    { peers: { full: [one, { ...one, id: 'node_2' }] }, acl: { full: [allowed] } },
    { peers: { upsert: [{ ...one, name: 'b' }] }, acl: { upsert: [{ ...allowed, allow: ['tcp:22'] }] } },
    { peers: { remove: ['node_2'] }, acl: { upsert: [{ ...allowed, peer: 'node_3' }] } },
    { peers: { full: [] }, acl: { full: [] } },
  ];
  const peers = new Set<string>();
  const acl = new Set<string>();
  for (const [index, section] of sections.entries()) {
    view.take({ revision: index + 1, next_s: 0, ...section });
    peers.add(view.digestOf('peers'));
    acl.add(view.digestOf('acl'));
  }
  assert.deepEqual([peers.size, acl.size], [sections.length, sections.length]);
});
