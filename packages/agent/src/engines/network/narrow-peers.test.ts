import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turned } from 'node:timers/promises';
import type { Peer } from '@meshwork/contract';
import { PathMtus } from '../../host/path-mtus.ts';
import { HeldView } from '../../view/held-view.ts';
import { NarrowPeers } from './narrow-peers.ts';

function peer(last: number): Peer {
  const name = `git-${last}`;
  const [address, address6] = [`100.64.0.${last}/32`, `fd6d::${last}/128`];
  return { id: `node_${last}`, name, wireguard_key: name, address, address6, endpoints: [], relay: null };
}

function viewOf(...peers: readonly Peer[]): HeldView {
  const view = new HeldView();
  const terms = { peer: 'node_2', allow: [], forward: [], routes: ['10.20.0.0/16'] };
  view.take({ revision: 1, next_s: 0, peers: { full: [...peers] }, acl: { full: [terms] } });
  return view;
}

/** What was applied, in order. */
function narrowPeers(left: Readonly<Record<string, number>> = {}) {
  const mtus = new PathMtus();
  const applied: Record<string, number>[] = [];
  const narrow = new NarrowPeers({
    mtus,
    left: new Map(Object.entries(left)),
    accept_routes: 'subnets',
    apply: async (networks) => void applied.push(Object.fromEntries(networks)),
    log: undefined,
  });
  return { mtus, applied, narrow };
}

describe('networks of peers with a smaller MTU', () => {
  it('are the addresses of the peer and what it leads to, until the full one gets through', async () => {
    const { mtus, applied, narrow } = narrowPeers();
    await narrow.heed(viewOf(peer(2), peer(3)));
    mtus.set('node_2', 1280);
    await turned();
    mtus.set('node_2', 1420);
    await turned();
    assert.deepEqual(applied, [{ '100.64.0.2/32': 1280, 'fd6d::2/128': 1280, '10.20.0.0/16': 1280 }, {}]);
  });

  it('are applied together when many change at once, and not when none did', async () => {
    const { mtus, applied, narrow } = narrowPeers();
    await narrow.heed(viewOf(peer(2), peer(3)));
    for (const id of ['node_2', 'node_3', 'node_3', 'node_2']) mtus.set(id, 1280);
    await turned();
    mtus.set('node_2', 1280);
    await narrow.heed(viewOf(peer(2), peer(3)));
    await turned();
    assert.deepEqual(
      applied.map((networks) => Object.keys(networks).length),
      [5],
    );
  });

  it('go with the peer', async () => {
    const { mtus, applied, narrow } = narrowPeers();
    mtus.set('node_3', 1280);
    await narrow.heed(viewOf(peer(2), peer(3)));
    await narrow.heed(viewOf(peer(2)));
    assert.deepEqual(applied, [{ '100.64.0.3/32': 1280, 'fd6d::3/128': 1280 }, {}]);
    assert.equal(mtus.all.size, 0);
  });

  it('are those that an agent before this one left, as far as they are peers', async () => {
    const { mtus, applied, narrow } = narrowPeers({ '100.64.0.3/32': 1344, '100.64.0.9/32': 1280 });
    await narrow.heed(viewOf(peer(2), peer(3)));
    assert.deepEqual(applied, [{ '100.64.0.3/32': 1344, 'fd6d::3/128': 1344 }]);
    mtus.set('node_3', 1420);
    await narrow.heed(viewOf(peer(2), peer(3)));
    assert.deepEqual(applied.at(-1), {});
  });

  it('are those of a thousand peers at most, the last that were found', () => {
    const { mtus } = narrowPeers();
    for (let number = 0; number < 1001; number++) mtus.set(`node_${number}`, 1280);
    assert.deepEqual([mtus.all.size, mtus.all.has('node_0'), mtus.all.has('node_1000')], [1000, false, true]);
    mtus.clear();
    assert.equal(mtus.all.size, 0);
  });
});
