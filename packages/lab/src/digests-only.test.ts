import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeldView, newKept } from '@meshwork/agent';
import type { HeartbeatReply, Peer, PeerTerms } from '@meshwork/contract';
import { digestsOnly } from './digests-only.ts';

const peer = (id: string, name: string): Peer => {
  return { id, name, wireguard_key: 'k', address: '', address6: '', endpoints: [], relay: null };
};
const terms = (id: string, ...allow: string[]): PeerTerms => ({ peer: id, allow, forward: [], routes: [] });
const REPLIES: readonly HeartbeatReply[] = [
  {
    revision: 1,
    next_s: 0,
    peers: { full: [peer('node_1', 'a'), peer('node_2', 'b')] },
    acl: { full: [terms('node_1', '*'), terms('node_2', 'icmp')] },
  },
  {
    revision: 2,
    next_s: 0,
    peers: { upsert: [peer('node_2', 'c')] },
    acl: { upsert: [terms('node_1', 'tcp:22'), terms('node_3')] },
  },
  { revision: 3, next_s: 0, peers: { remove: ['node_1'] }, acl: { remove: ['node_2', 'node_4'] } },
  { revision: 4, next_s: 0, peers: { full: [] }, acl: { full: [] } },
];

test('a node that keeps digests only says the same as one that keeps the records', () => {
  const newHeld = digestsOnly();
  const views = [new HeldView(newKept()), new HeldView(newHeld()), new HeldView(newHeld())];
  const said = new Set<string>();
  for (const reply of REPLIES) {
    const [kept, ...lean] = views.map((view) => {
      view.take(reply);
      const { peers, acl } = view;
      const ids = [[...peers.ids()], [...acl.ids()]];
      return { ids, peers: view.digestOf('peers'), acl: view.digestOf('acl') };
    });
    for (const view of lean) assert.deepEqual(view, kept);
    said.add(`${kept?.peers} ${kept?.acl}`);
  }
  assert.equal(said.size, REPLIES.length);
});
