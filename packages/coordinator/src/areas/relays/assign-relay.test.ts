import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { NodeId } from '@meshwork/contract';
import { TestFleet } from '../../../test/test-fleet.ts';

const THEN = '2026-11-15T09:30:00Z';

describe('the relays of nodes', () => {
  let fleet: TestFleet;
  beforeEach(async () => {
    fleet = await TestFleet.open();
  });
  afterEach(async () => {
    await fleet.close();
    assert.deepEqual(fleet.failures, []);
  });

  it('gives a new node the nearest relay, with an event for callers that may see the node', async () => {
    await fleet.relay('far');
    await fleet.relay('near');
    const { id, writes } = fleet.newNode('git-1', { tags: ['team:platform'] });
    fleet.round_trips.set(id, new Map([['near', 3]]));
    await fleet.write(...writes);
    assert.equal(fleet.relayOf(id), 'near');
    const assigned = (await fleet.events('relay.assigned')).filter(({ subject }) => subject.id === id);
    assert.deepEqual(
      assigned.map(({ scope, data }) => [scope.team, data]),
      [['platform', { name: 'git-1', from: null, to: 'near', why: 'near: 3 ms' }]],
    );
  });

  it('moves the nodes of a relay that is overdue to others, and does not move them back', async () => {
    const a = await fleet.relay('a');
    const node = await fleet.node('git-1');
    const other = await fleet.node('git-2');
    assert.deepEqual([fleet.relayOf(node), fleet.relayOf(other)], ['a', 'a']);
    await fleet.relay('b');
    await fleet.stale(a);
    assert.deepEqual([fleet.relayOf(node), fleet.relayOf(other)], ['b', 'b']);
    await fleet.fresh(a);
    assert.deepEqual([fleet.relayOf(node), fleet.relayOf(other)], ['b', 'b']);
  });

  it('leaves nodes without one while none works, and helps them as soon as one does', async () => {
    const a = await fleet.relay('a');
    const node = await fleet.node('git-1');
    await fleet.stale(a);
    assert.equal(fleet.relayOf(node), null);
    await fleet.fresh(a);
    assert.equal(fleet.relayOf(node), 'a');
    await fleet.write({ kind: 'relay', id: 'a', body: null });
    assert.equal(fleet.relayOf(node), null);
    await fleet.relay('b');
    assert.equal(fleet.relayOf(node), 'b');
  });

  it('goes to the relay that an operator chose though it is full, away while it is down, and back', async () => {
    const a = await fleet.relay('a', { capacity: 1 });
    const first = await fleet.node('git-1');
    await fleet.relay('b');
    assert.equal(fleet.relayOf(first), 'a');
    const pinned = await fleet.node('git-2', { pinned_relay: 'a' });
    assert.equal(fleet.relayOf(pinned), 'a');
    await fleet.stale(a);
    assert.equal(fleet.relayOf(pinned), 'b');
    await fleet.fresh(a);
    assert.equal(fleet.relayOf(pinned), 'a');
    await fleet.relay('a', { draining: true });
    assert.equal(fleet.relayOf(pinned), 'b');
    await fleet.relay('a', { draining: false });
    assert.equal(fleet.relayOf(pinned), 'a');
    await fleet.change(pinned, { pinned_relay: 'b' });
    assert.equal(fleet.relayOf(pinned), 'b');
  });

  it('fills no relay beyond its capacity, and hands a place on when a node leaves', async () => {
    const [a, b] = [await fleet.relay('a', { capacity: 2 }), await fleet.relay('b', { capacity: 2 })];
    // The relays' own nodes take one place each, at the other one.
    assert.deepEqual([fleet.relayOf(a), fleet.relayOf(b)], ['b', 'a']);
    const nodes: NodeId[] = [];
    for (const name of ['n1', 'n2', 'n3', 'n4']) nodes.push(await fleet.node(name));
    assert.deepEqual(
      nodes.map((node) => fleet.relayOf(node)),
      ['a', 'b', null, null],
    );
    await fleet.change(nodes[0] as NodeId, { removed_at: THEN });
    assert.deepEqual(
      nodes.map((node) => fleet.relayOf(node)),
      [null, 'b', 'a', null],
    );
    await fleet.relay('b', { capacity: 3 });
    assert.equal(fleet.relayOf(nodes[3] as NodeId), 'b');
    await fleet.relay('c');
    await fleet.relay('b', { capacity: 1 });
    const onB = [a, b, ...nodes].filter((node) => fleet.relayOf(node) === 'b');
    assert.equal(onB.length, 1, 'one that is made smaller gives nodes away');
  });

  it('hands a place on to who can use it, past the node of the relay itself', async () => {
    const own = await fleet.relay('a', { capacity: 1 });
    const [first, second] = [await fleet.node('n1'), await fleet.node('n2')];
    assert.deepEqual([fleet.relayOf(own), fleet.relayOf(first), fleet.relayOf(second)], [null, 'a', null]);
    await fleet.change(first, { removed_at: THEN });
    assert.deepEqual([fleet.relayOf(own), fleet.relayOf(second)], [null, 'a']);
  });

  it('takes the nodes off a relay whose node drains or is cut off, and off one that they now run themselves', async () => {
    const a = await fleet.relay('a');
    const node = await fleet.node('git-1');
    const b = await fleet.relay('b');
    await fleet.change(a, { draining_since: THEN });
    assert.equal(fleet.relayOf(node), 'b');
    await fleet.change(a, { draining_since: null });
    await fleet.change(b, { quarantined: { at: THEN, reason: null } });
    assert.equal(fleet.relayOf(node), 'a');
    await fleet.change(b, { quarantined: null });
    await fleet.relay('a', { node });
    assert.equal(fleet.relayOf(node), 'b');
  });

  it('is chosen once more when a node has measured for the first time, and then stays', async () => {
    await fleet.relay('a');
    await fleet.relay('b');
    const node = await fleet.node('git-1');
    assert.equal(fleet.relayOf(node), 'a');
    const measure = async (a: number, b: number) => {
      fleet.round_trips.set(
        node,
        new Map([
          ['a', a],
          ['b', b],
        ]),
      );
      fleet.onHeartbeat(node);
      await fleet.duties.idle();
    };
    await measure(90, 10);
    assert.equal(fleet.relayOf(node), 'b');
    await measure(1, 90);
    assert.equal(fleet.relayOf(node), 'b');
    assert.equal(fleet.mesh.model.get('assignment', node)?.body.why, 'b: 10 ms, the next is a with 90 ms');
    // One that is nearer now and then is none to move to; one that stays nearer is.
    for (let turn = 0; turn < 10; turn++) {
      fleet.now_ms += 30_000;
      await measure(turn % 2 === 0 ? 90 : 1, turn % 2 === 0 ? 1 : 90);
    }
    assert.equal(fleet.relayOf(node), 'b');
    for (let turn = 0; turn < 3; turn++) {
      assert.equal(fleet.relayOf(node), 'b');
      fleet.now_ms += 30_000;
      await measure(1, 90);
    }
    assert.equal(fleet.relayOf(node), 'a');
    assert.equal(fleet.mesh.model.get('assignment', node)?.body.why, 'a: 1 ms; b: 90 ms before');
  });

  it('has no place for who is not a member', async () => {
    await fleet.relay('a');
    const pending = await fleet.node('pending', { approved_at: null });
    const node = await fleet.node('git-1');
    assert.deepEqual([fleet.relayOf(pending), fleet.relayOf(node)], [null, 'a']);
    await fleet.change(pending, { approved_at: THEN });
    await fleet.change(node, { quarantined: { at: THEN, reason: null } });
    assert.deepEqual([fleet.relayOf(pending), fleet.relayOf(node)], ['a', null]);
    await fleet.change(node, { quarantined: null });
    assert.equal(fleet.relayOf(node), 'a');
  });

  it('spreads 2,000 nodes over four relays within their capacity, and over three when one goes', async () => {
    const running: NodeId[] = [];
    for (const name of ['a', 'b', 'c', 'd']) running.push(await fleet.relay(name, { capacity: 501 }));
    const made = Array.from({ length: 2000 }, (_, index) => fleet.newNode(`n-${index}`));
    await fleet.write(...made.flatMap(({ writes }) => writes));
    const counts = () => {
      const byRelay = Map.groupBy(fleet.mesh.model.all('assignment'), ({ body }) => body.relay);
      return Object.fromEntries([...byRelay].map(([name, nodes]) => [name, nodes.length]));
    };
    assert.deepEqual(counts(), { a: 501, b: 501, c: 501, d: 501 });
    for (const name of ['a', 'b', 'c']) await fleet.relay(name, { capacity: 600 });
    await fleet.stale(running[3] as NodeId);
    assert.deepEqual(counts(), { a: 600, b: 600, c: 600 });
  });
});
