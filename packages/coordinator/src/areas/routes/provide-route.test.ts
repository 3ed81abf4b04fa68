import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { put, TestFleet } from '../../../test/test-fleet.ts';

const NET = '10.20.0.0/16';
const THEN = '2026-11-15T09:30:00Z';

describe('the providers of networks', () => {
  let fleet: TestFleet;
  beforeEach(async () => {
    fleet = await TestFleet.open();
  });
  afterEach(async () => {
    await fleet.close();
    assert.deepEqual(fleet.failures, []);
  });

  it('moves one to the next that forwards to it when its provider is overdue, and leaves it there', async () => {
    const first = await fleet.node('gw-1', { offers: [NET], tags: ['team:platform'] });
    const second = await fleet.node('gw-2', { offers: [NET], tags: ['team:platform'] });
    const third = await fleet.node('gw-3', { offers: [NET], tags: ['team:platform'] });
    assert.equal(fleet.providerOf(NET), first);
    await fleet.stale(first);
    assert.equal(fleet.providerOf(NET), second);
    await fleet.fresh(first);
    assert.equal(fleet.providerOf(NET), second, 'it does not flap back');
    await fleet.change(second, { removed_at: THEN });
    assert.equal(fleet.providerOf(NET), first);
    await fleet.stale(first, third);
    assert.equal(fleet.providerOf(NET), first, 'without another candidate, one that is merely overdue keeps it');
    await fleet.fresh(third);
    assert.equal(fleet.providerOf(NET), third);
    const moves = await fleet.events('route.moved');
    assert.deepEqual(
      moves.map(({ data }) => [data.from, data.to]),
      [
        [null, 'gw-1'],
        ['gw-1', 'gw-2'],
        ['gw-2', 'gw-1'],
        ['gw-1', 'gw-3'],
      ],
    );
    assert.equal(moves[0]?.scope.team, 'platform');
  });

  it('needs both the offer of the node and an approval', async () => {
    const node = await fleet.node('gw-1', { offers: [NET], routes_approved: [] });
    assert.equal(fleet.providerOf(NET), null);
    await fleet.change(node, { routes_approved: [NET] });
    assert.equal(fleet.providerOf(NET), node);
    const report = fleet.mesh.model.get('report', node)?.body;
    assert.ok(report);
    await fleet.write(put('report', node, { ...report, routes_offered: [] }));
    assert.equal(fleet.providerOf(NET), null);
    await fleet.write(put('report', node, { ...report, routes_offered: [NET] }));
    assert.equal(fleet.providerOf(NET), node);
    await fleet.change(node, { quarantined: { at: THEN, reason: null } });
    assert.equal(fleet.providerOf(NET), null);
  });

  it('takes one off a node that drains, whether or not there is another', async () => {
    const first = await fleet.node('gw-1', { offers: [NET] });
    const second = await fleet.node('gw-2', { offers: [NET] });
    await fleet.change(first, { draining_since: THEN });
    assert.equal(fleet.providerOf(NET), second);
    await fleet.change(second, { draining_since: THEN });
    assert.equal(fleet.providerOf(NET), null);
  });

  it('is chosen in each boundary by itself, with an event in that boundary only', async () => {
    const first = await fleet.node('gw-of-a', { offers: [NET], tags: ['team:a'] });
    const second = await fleet.node('gw-of-b', { offers: [NET], tags: ['team:b'] });
    const providers = () => [...fleet.mesh.model.all('route')].map(({ body }) => body.provider).sort();
    assert.deepEqual(providers(), [first, second].sort());
    await fleet.change(first, { tags: ['team:b'] });
    assert.deepEqual(providers(), [second], 'who moves to another boundary has none of the old one any more');
    await fleet.change(second, { removed_at: THEN });
    assert.deepEqual(providers(), [first]);
    const moves = await fleet.events('route.moved');
    assert.deepEqual(
      moves.map(({ scope, data }) => [scope.team, data.from, data.to]),
      [
        ['a', null, 'gw-of-a'],
        ['b', null, 'gw-of-b'],
        ['a', 'gw-of-a', null],
        ['b', 'gw-of-b', 'gw-of-a'],
      ],
    );
  });
});
