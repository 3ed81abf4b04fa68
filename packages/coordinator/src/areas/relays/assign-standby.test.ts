import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { NodeId } from '@meshwork/contract';
import { put, TestFleet } from '../../../test/test-fleet.ts';

describe('the standby relays of nodes', () => {
  let fleet: TestFleet;
  beforeEach(async () => {
    fleet = await TestFleet.open();
  });
  afterEach(async () => {
    await fleet.close();
    assert.deepEqual(fleet.failures, []);
  });

  const usesOf = (node: NodeId) => [fleet.relayOf(node), fleet.standbyOf(node)];
  const whyOf = (node: NodeId) => fleet.mesh.model.get('assignment', node)?.body.why;
  /** What the node says of its places at relays, its first one first. */
  const receives = (node: NodeId, ...relays: readonly string[]) => {
    const report = fleet.mesh.model.get('report', node)?.body;
    assert.ok(report);
    const relayed = relays.map((relay, at) => ({ relay, endpoint: `198.51.100.9:${50_000 + at}` }));
    return fleet.write(put('report', node, { ...report, relayed }));
  };

  it('take over when the home is lost, and another becomes the standby', async () => {
    const a = await fleet.relay('a', { site: 'x' });
    const node = await fleet.node('git-1');
    assert.deepEqual(usesOf(node), ['a', null]);
    await fleet.relay('b', { site: 'x' });
    assert.deepEqual(usesOf(node), ['a', 'b'], 'the first that comes is better than none');
    await fleet.relay('c', { site: 'y' });
    assert.deepEqual(usesOf(node), ['a', 'c'], 'one of another site is better');
    await fleet.stale(a);
    assert.deepEqual(usesOf(node), ['c', 'b']);
    assert.equal(whyOf(node), 'a does not carry any more; its standby took over');
    await fleet.fresh(a);
    assert.deepEqual(usesOf(node), ['c', 'b']);
    await fleet.write({ kind: 'relay', id: 'b', body: null });
    assert.deepEqual(usesOf(node), ['c', 'a']);
  });

  it('are what the node receives by, until it says that it receives by its new home', async () => {
    await fleet.relay('a', { site: 'x' });
    const node = await fleet.node('git-1');
    await fleet.relay('b', { site: 'y' });
    await fleet.relay('c', { site: 'z' });
    await receives(node, 'a', 'b');
    assert.deepEqual(usesOf(node), ['a', 'b']);
    await fleet.change(node, { pinned_relay: 'c' });
    assert.deepEqual(usesOf(node), ['c', 'a'], 'peers still send to its place there');
    assert.equal(whyOf(node), 'pinned by an operator');
    await fleet.relay('a', { draining: true });
    assert.deepEqual(usesOf(node), ['c', 'a'], 'it does not go before the new one is there');
    await receives(node, 'c', 'a');
    assert.deepEqual(usesOf(node), ['c', 'b']);
    await fleet.change(node, { pinned_relay: null });
    assert.deepEqual([usesOf(node), whyOf(node)], [['c', 'b'], 'kept when the operator left the choice open again']);
  });

  it('leave a relay that is drained, with the homes, and do not wait for nodes that are overdue', async () => {
    const [a, b] = [await fleet.relay('a'), await fleet.relay('b')];
    await fleet.relay('c');
    const node = await fleet.node('git-1', { pinned_relay: 'a' });
    await receives(node, 'a', 'b');
    await fleet.relay('b', { draining: true });
    assert.deepEqual(usesOf(node), ['a', 'c']);
    await fleet.relay('a', { draining: true });
    assert.deepEqual(usesOf(node), ['c', 'a'], 'until it has said that it receives by c');
    await fleet.stale(node);
    assert.deepEqual(usesOf(node), ['c', null]);
    for (const one of [a, b]) assert.deepEqual(usesOf(one), ['c', null]);
  });

  it('fill no relay beyond its capacity, and make room for homes', async () => {
    await fleet.relay('a', { capacity: 10 });
    await fleet.relay('b', { capacity: 4 });
    const nodes: NodeId[] = [];
    for (const name of ['n1', 'n2', 'n3', 'n4', 'n5', 'n6']) {
      nodes.push(await fleet.node(name, { pinned_relay: 'a' }));
    }
    const count = (relay: string) => {
      const all = [...fleet.mesh.model.all('assignment')].map(({ body }) => body);
      return [all.filter((one) => one.relay === relay).length, all.filter((one) => one.standby === relay).length];
    };
    // The node that runs a has its home at b.
    assert.deepEqual(count('b'), [1, 3]);
    await fleet.change(nodes[5] as NodeId, { pinned_relay: 'b' });
    assert.deepEqual(count('b'), [2, 2]);
    await fleet.change(nodes[5] as NodeId, { removed_at: '2026-11-15T09:30:00Z' });
    assert.deepEqual(count('b'), [1, 3], 'the place is handed on');
    await fleet.relay('b', { capacity: 2 });
    assert.deepEqual(count('b'), [1, 1]);
  });
});
