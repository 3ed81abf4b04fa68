import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupOf, usualGrouping } from './grouping.ts';

const node = (id: string, ...tags: string[]) =>
  ({ id, name: id, state: 'active', tags, relay: 'fra-1', services: [] }) as const;
const mutable = (one: ReturnType<typeof node>) => ({ ...one, tags: [...one.tags], services: [] });

describe('what nodes are grouped by', () => {
  test('a tag, the relay, or nothing', () => {
    const one = mutable(node('a', 'team:platform', 'role:git'));
    assert.equal(groupOf(one, 'team'), 'platform');
    assert.equal(groupOf(one, 'role'), 'git');
    assert.equal(groupOf(one, 'env'), null);
    assert.equal(groupOf(one, 'relay'), 'fra-1');
    assert.equal(groupOf(one, 'links'), null);
  });

  test('teams, where there are several', () => {
    assert.equal(usualGrouping([mutable(node('a', 'team:x')), mutable(node('b', 'team:y'))]), 'team');
    assert.equal(
      usualGrouping([mutable(node('a', 'team:x')), mutable(node('b', 'team:x')), mutable(node('c'))]),
      'links',
    );
    assert.equal(usualGrouping([]), 'links');
  });
});
