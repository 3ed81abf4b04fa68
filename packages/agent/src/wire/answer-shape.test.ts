import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeartbeatReply } from '@meshwork/contract';
import { heartbeatReplyShape as shape } from '@meshwork/contract/answers';
import { LONE_NODE_REPLY } from '../../test/scripted-coordinator.ts';

const PEER = {
  id: 'node_01jcqv5s3ee3xv9k7d0w8m2b4n',
  name: 'git-1',
  wireguard_key: 'k',
  address: '100.64.0.2/32',
  address6: 'fd6d::2/128',
  endpoints: ['192.0.2.7:51820'],
  relay: null,
};
const TERMS = { peer: PEER.id, allow: ['tcp:22'], forward: [{ to: '10.0.0.0/8', allow: ['*'] }], routes: [] };
const BARE = { revision: 1, next_s: 0 };

test('what a coordinator says is taken, and so is what only a newer one would say', () => {
  const whole: HeartbeatReply = {
    ...LONE_NODE_REPLY,
    peers: { full: [PEER] },
    acl: { upsert: [TERMS], remove: [PEER.id] },
  };
  assert.equal(shape(whole), undefined);
  assert.equal(shape({ revision: 7, next_s: 0.5 }), undefined);
  assert.equal(shape({ ...whole, weather: 'fine', peers: { full: [{ ...PEER, mood: 7 }] } }), undefined);
  assert.equal(shape({ ...whole, commands: [{ id: 'operation_1', kind: 'dance' }] }), undefined);
});

for (const [what, wrong, said] of [
  ['null', null, ' is no object'],
  ['a list', [], ' is no object'],
  ['no revision', { next_s: 0 }, '/revision is missing'],
  ['half a revision', { revision: 1.5 }, '/revision is no integer'],
  ['a time that is none', { revision: 1, next_s: '0' }, '/next_s is no number'],
  ['a peer that is null', { ...BARE, peers: { full: [PEER, null] } }, '/peers/full/1 is no object'],
  [
    'a peer without a key',
    { ...BARE, peers: { upsert: [{ ...PEER, wireguard_key: 7 }] } },
    '/peers/upsert/0/wireguard_key is no string',
  ],
  [
    'a peer that is nowhere',
    { ...BARE, peers: { full: [{ ...PEER, endpoints: null }] } },
    '/peers/full/0/endpoints is no array',
  ],
  ['removals that are numbers', { ...BARE, peers: { remove: [7] } }, '/peers/remove/0 is no string'],
  ['peers as a list', { ...BARE, peers: [PEER] }, '/peers is no object'],
  ['terms without a peer', { ...BARE, acl: { full: [{ ...TERMS, peer: undefined }] } }, '/acl/full/0/peer is missing'],
  ['a rule that is text', { ...BARE, firewall: ['drop'] }, '/firewall/0 is no object'],
  ['half a relay', { ...BARE, relay: { name: 'fra-1' } }, '/relay/host is missing'],
  ['a self without addresses', { ...BARE, self: { name: 'a' } }, '/self/address is missing'],
  ['a command without an id', { ...BARE, commands: [{ kind: 'rekey' }] }, '/commands/0/id is missing'],
] as const) {
  test(`what makes no sense is named: ${what}`, () => {
    assert.equal(shape(wrong), said);
  });
}
