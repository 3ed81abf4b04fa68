import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPLIED_SECTIONS, type HeartbeatReply, type Peer } from '@meshwork/contract';
import { digestOf, digestText, EMPTY_DIGEST, withItem } from '@meshwork/contract/digest';
import fc from 'fast-check';
import { PeerRecords } from './held-peers.ts';
import { HeldView } from './held-view.ts';

/** Few ids, so that they meet again. */
const idOf = (index: number) => `node_${index}`;
const arbitraryId = fc.integer({ min: 0, max: 9 }).map(idOf);
const arbitraryPeer: fc.Arbitrary<Peer> = fc.record({
  id: arbitraryId,
  name: fc.constantFrom('a', 'b', 'c'),
  wireguard_key: fc.constant('k'),
  address: fc.constant('100.64.0.1/32'),
  address6: fc.constant('fd::1/128'),
  endpoints: fc.uniqueArray(fc.constantFrom('192.0.2.1:1', '192.0.2.2:2'), { maxLength: 2 }),
  routes: fc.constant([]),
  relay: fc.constantFrom(null, 'fra-1'),
});
const peerList = fc.uniqueArray(arbitraryPeer, { maxLength: 8, selector: ({ id }) => id });
const arbitrarySection = fc.oneof(
  peerList.map((full) => ({ full })),
  fc
    .tuple(peerList, fc.uniqueArray(arbitraryId, { maxLength: 5 }))
    .map(([upsert, remove]) => ({ upsert, remove: remove.filter((id) => !upsert.some((peer) => peer.id === id)) })),
);

test('after any fulls and differences the view holds what a plain model holds', () => {
  fc.assert(
    fc.property(fc.array(fc.option(arbitrarySection, { nil: undefined }), { maxLength: 20 }), (sections) => {
      const view = new HeldView(new PeerRecords());
      let model: Record<string, Peer> = {};
      let revision = 0;
      for (const peers of sections) {
        revision += 1;
        view.take({ revision, next_s: 0, ...(peers === undefined ? {} : { peers }) });
        if (peers === undefined) continue;
        if ('full' in peers) model = Object.fromEntries(peers.full.map((peer) => [peer.id, peer]));
        else {
          for (const peer of peers.upsert) model[peer.id] = peer;
          for (const id of peers.remove) delete model[id];
        }
        assert.equal(view.revisionOf('peers'), revision);
      }
      const expected = Object.values(model);
      assert.equal(view.revision, revision);
      assert.deepEqual(Object.fromEntries([...view.peers.all()].map((peer) => [peer.id, peer])), model);
      assert.equal(view.peers.size, expected.length);
      const sum = expected.reduce((digest, peer) => withItem(digest, digestOf(peer)), EMPTY_DIGEST);
      assert.equal(view.digestOf('peers'), digestText(sum));
    }),
  );
});

const self = { name: 'a', address: '', address6: '', tags: [], state: 'active', routes: [] } as const;
const everything: HeartbeatReply = {
  revision: 4,
  next_s: 0,
  self: { ...self, tags: [], routes: [] },
  peers: { full: [] },
  relay: { name: 'fra-1', host: 'h', port: 1 },
  ingress: [{ id: 'ingress_1', hostname: 'h', service: 's', draining: false }],
  commands: [{ id: 'operation_1', kind: 'rekey' }],
};

test('an absent section stays, an empty one is empty, and no relay is something to be told', () => {
  const view = new HeldView(new PeerRecords());
  assert.deepEqual(view.take(everything), APPLIED_SECTIONS);
  assert.deepEqual(view.take({ revision: 5, next_s: 0 }), []);
  assert.equal(view.relay?.name, 'fra-1');
  assert.equal(view.ingress?.length, 1);
  assert.equal(view.commands.length, 1);
  assert.equal(view.revisionOf('relay'), 4);

  assert.deepEqual(view.take({ revision: 6, next_s: 0, relay: null, ingress: [], commands: [] }), ['relay', 'ingress']);
  assert.equal(view.relay, null);
  assert.equal(view.digestOf('relay'), digestText(digestOf(null)));
  assert.equal(view.digestOf('ingress'), digestText(EMPTY_DIGEST));
  assert.deepEqual(view.commands, []);
  assert.equal(view.self?.name, 'a');
  assert.equal(view.revision, 6);
});
