import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NODE_NAME_PATTERN } from '@meshwork/contract';
import { DEMO_CAST, FEWEST_DEMO_NODES, fleetOptionsOf, NETWORKS, RELAYS, rosterOf } from './roster.ts';

test('a roster has as many nodes as it should, each with a name of its own, and all who have a part', () => {
  for (const nodes of [FEWEST_DEMO_NODES, FEWEST_DEMO_NODES + 1, 48, 1000]) {
    const names = new Set(rosterOf(nodes).map(({ name }) => name));
    assert.equal(names.size, nodes);
    const parts = [...Object.values(DEMO_CAST), ...Object.values(RELAYS), ...Object.values(NETWORKS).flat()];
    assert.deepEqual(new Set(parts).difference(names), new Set());
    for (const name of names) assert.match(name, new RegExp(NODE_NAME_PATTERN));
  }
});

test('the relays come first and who waits for approval last; guests follow', () => {
  const roster = rosterOf(48);
  const { name = () => '', tags = () => [] } = fleetOptionsOf(roster);
  assert.deepEqual([name(0), name(1), name(2)], Object.values(RELAYS));
  assert.deepEqual([name(47), name(48), name(49)], [DEMO_CAST.pending, 'guest-1', 'guest-2']);
  assert.deepEqual(tags(48), ['role:laptop', 'team:platform', 'env:production']);
});

test('the node that drifts shares its boundary with no other node of the cast', () => {
  const roster = rosterOf(48);
  const boundary = (name: string) =>
    roster
      .find((node) => node.name === name)
      ?.tags.slice(1)
      .join();
  const { drifting, ...others } = DEMO_CAST;
  for (const name of Object.values(others)) assert.notEqual(boundary(name), boundary(drifting), name);
});
