import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Peer, PeerTerms, SelfSection } from '@meshwork/contract';
import { HeldView } from '../view/held-view.ts';
import { firewallInput } from './firewall/firewall-input.ts';
import { hostNames } from './names/known-names.ts';
import { networkPlan } from './network/network-plan.ts';
import { tunnelPeers } from './wireguard/tunnel-peers.ts';

const PLAIN = { kept_out: [], accept: 'subnets' } as const;

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

function viewOf(peers: Peer[], acl: PeerTerms[], self: Partial<SelfSection> = {}) {
  const view = new HeldView();
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
    const view = viewOf([peer('gw', 2)], [terms('gw', { routes: ['10.20.0.0/16'] })]);
    assert.deepEqual(tunnelPeers(view, 'subnets')[0]?.networks, ['100.64.0.2/32', 'fd6d::2/128', '10.20.0.0/16']);
    assert.deepEqual(networkPlan(view, PLAIN)?.routes, ['100.64.0.0/10', 'fd6d::/64', '10.20.0.0/16']);
  });

  it('never sends to an endpoint that no peer can have, whatever the coordinator says', () => {
    const bad = [
      '127.0.0.1:51820',
      '[::1]:51820',
      '169.254.169.254:80',
      '224.0.0.1:1',
      '255.255.255.255:1',
      '0.0.0.0:1',
    ];
    const bad6 = ['[fe80::1]:1', '[ff02::1]:1', '[::ffff:7f00:1]:51820'];
    const view = viewOf([peer('gw', 2, { endpoints: [...bad, '192.0.2.7:51820', ...bad6, '10.0.0.7:51820'] })], []);
    assert.deepEqual(tunnelPeers(view, 'subnets')[0]?.endpoints, ['192.0.2.7:51820', '10.0.0.7:51820']);
  });

  const NET = '10.20.0.0/16';
  const through = (acl: PeerTerms[], accept: Parameters<typeof tunnelPeers>[1] = 'subnets', network = NET) => {
    const peers = [peer('zed', 2), peer('abe', 3), peer('moe', 4)];
    const view = viewOf(peers, acl);
    const planned = networkPlan(view, { kept_out: [], accept })?.routes.includes(network) === true;
    const found = tunnelPeers(view, accept).filter(({ networks }) => networks.includes(network));
    assert.deepEqual([found.length, planned], found.length === 0 ? [0, false] : [1, true], 'one route, one provider');
    return found[0]?.id;
  };

  it('takes a provider of its own boundary first, then a named one, then a shared one, in whichever order they come', () => {
    const shared = terms('abe', { routes: [NET], routes_shared: [NET] });
    const named = terms('moe', { routes: [NET], routes_via: [NET] });
    const own = terms('zed', { routes: [NET] });
    for (const acl of [
      [shared, named, own],
      [own, named, shared],
    ]) {
      assert.equal(through(acl), 'node_zed');
    }
    assert.equal(through([shared, named]), 'node_moe');
    assert.equal(through([named, shared]), 'node_moe');
    assert.equal(through([shared]), 'node_abe');
    // As an older coordinator tells it: the one that has been a member for longest.
    assert.equal(through([own, terms('abe', { routes: [NET] })]), 'node_abe');
  });

  it('takes only the routes that its host accepts', () => {
    const acl = [terms('zed', { routes: ['0.0.0.0/0', NET, '::/0'] })];
    assert.equal(through(acl, 'subnets'), 'node_zed');
    assert.equal(through(acl, 'none'), undefined);
    for (const everything of ['0.0.0.0/0', '::/0']) {
      assert.equal(through(acl, 'subnets', everything), undefined);
      assert.equal(through(acl, 'all', everything), 'node_zed');
    }
  });

  it('routes to a peer whose address is not of the networks of the mesh any more', () => {
    const plan = networkPlan(viewOf([peer('old', 9, { address: '10.99.0.9/32' })], []), PLAIN);
    assert.deepEqual(plan?.routes, ['100.64.0.0/10', 'fd6d::/64', '10.99.0.9/32']);
  });

  it('knows nothing before the node knows who it is', () => {
    assert.equal(networkPlan(new HeldView(), PLAIN), undefined);
  });

  it('allows no peer without terms, and ignores terms of a node that is no peer', () => {
    const view = viewOf(
      [peer('a', 2), peer('b', 3)],
      [terms('a', { allow: ['tcp:22'] }), terms('gone', { allow: ['*'] })],
    );
    assert.deepEqual(
      firewallInput(view).peers.map(({ addresses }) => addresses),
      [['100.64.0.2', 'fd6d::2']],
    );
  });

  it('gives equal terms as one object, which makes the rules for thousands of peers cheap', () => {
    const view = viewOf(
      [peer('a', 2), peer('b', 3)],
      [terms('a', { allow: ['icmp'] }), terms('b', { allow: ['icmp'] })],
    );
    const [one, other] = firewallInput(view).peers;
    assert.equal(one?.terms, other?.terms);
  });

  it('translates what it forwards to its networks, and nothing when it has none', () => {
    assert.deepEqual(firewallInput(viewOf([], [], { routes: ['10.20.0.0/16'] })).translated, ['10.20.0.0/16']);
    assert.ok(!('translated' in firewallInput(viewOf([], []))));
  });

  it('names the node itself and all of its peers', () => {
    assert.deepEqual(hostNames(viewOf([peer('a', 2)], [])), [
      { name: 'git-1', addresses: ['100.64.0.1', 'fd6d::1'] },
      { name: 'a', addresses: ['100.64.0.2', 'fd6d::2'] },
    ]);
  });
});
