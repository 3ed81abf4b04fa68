import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Peer, PeerTerms, SelfSection } from '@meshwork/contract';
import { newKept } from '../conversation/held-records.ts';
import { HeldView } from '../conversation/held-view.ts';
import { firewallInput, hostNames, networkPlan, tunnelPeers } from './node-plan.ts';

const SELF: SelfSection = {
  name: 'git-1',
  address: '100.64.0.1/32',
  address6: 'fd6d::1/128',
  tags: [],
  state: 'active',
  routes: [],
  networks: ['100.64.0.0/10', 'fd6d::/64'],
};

function peer(name: string, last: number, more: Partial<Peer> = {}): Peer {
  return {
    id: `node_${name}`,
    name,
    wireguard_key: `key-of-${name}`,
    address: `100.64.0.${last}/32`,
    address6: `fd6d::${last}/128`,
    endpoints: [],
    relay: null,
    ...more,
  };
}

const terms = (name: string, more: Partial<PeerTerms>): PeerTerms => ({
  peer: `node_${name}`,
  allow: [],
  forward: [],
  routes: [],
  ...more,
});

function told(peers: Peer[], acl: PeerTerms[], self: Partial<SelfSection> = {}) {
  const view = new HeldView(newKept());
  view.take({
    revision: 1,
    next_s: 0,
    self: { ...SELF, ...self },
    peers: { full: peers },
    acl: { full: acl },
    firewall: [],
  });
  return view;
}

describe('the plan of a node', () => {
  it('reaches a peer at its own addresses, and through it the networks that it may use', () => {
    const view = told([peer('gw', 2)], [terms('gw', { routes: ['10.20.0.0/16'] })]);
    assert.deepEqual(tunnelPeers(view)[0]?.networks, ['100.64.0.2/32', 'fd6d::2/128', '10.20.0.0/16']);
    assert.deepEqual(networkPlan(view, [])?.routes, ['100.64.0.0/10', 'fd6d::/64', '10.20.0.0/16']);
  });

  it('takes the provider whose name comes first when it may use two, whichever it was told of first', () => {
    const both = [terms('zed', { routes: ['10.20.0.0/16'] }), terms('abe', { routes: ['10.20.0.0/16'] })];
    for (const acl of [both, both.toReversed()]) {
      const peers = tunnelPeers(told([peer('zed', 2), peer('abe', 3)], acl));
      assert.deepEqual(
        peers.filter(({ networks }) => networks.includes('10.20.0.0/16')).map(({ id }) => id),
        ['node_abe'],
      );
    }
  });

  it('routes to a peer whose address is not of the networks of the mesh any more', () => {
    const plan = networkPlan(told([peer('old', 9, { address: '10.99.0.9/32' })], []), []);
    assert.deepEqual(plan?.routes, ['100.64.0.0/10', 'fd6d::/64', '10.99.0.9/32']);
  });

  it('knows nothing before the node knows who it is', () => {
    assert.equal(networkPlan(new HeldView(newKept()), []), undefined);
  });

  it('lets nobody in who has no terms, or terms with somebody who is no peer', () => {
    const view = told(
      [peer('a', 2), peer('b', 3)],
      [terms('a', { allow: ['tcp:22'] }), terms('gone', { allow: ['*'] })],
    );
    assert.deepEqual(
      firewallInput(view).peers.map(({ addresses }) => addresses),
      [['100.64.0.2', 'fd6d::2']],
    );
  });

  it('gives equal terms as one object, which makes the rules for thousands of peers cheap', () => {
    const view = told([peer('a', 2), peer('b', 3)], [terms('a', { allow: ['icmp'] }), terms('b', { allow: ['icmp'] })]);
    const [one, other] = firewallInput(view).peers;
    assert.equal(one?.terms, other?.terms);
  });

  it('translates what it forwards to its networks, and nothing when it has none', () => {
    assert.deepEqual(firewallInput(told([], [], { routes: ['10.20.0.0/16'] })).translated, ['10.20.0.0/16']);
    assert.ok(!('translated' in firewallInput(told([], []))));
  });

  it('names the node itself and all of its peers', () => {
    assert.deepEqual(hostNames(told([peer('a', 2)], [])), [
      { name: 'git-1', addresses: ['100.64.0.1', 'fd6d::1'] },
      { name: 'a', addresses: ['100.64.0.2', 'fd6d::2'] },
    ]);
  });
});
