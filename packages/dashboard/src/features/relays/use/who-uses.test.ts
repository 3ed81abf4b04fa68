import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EACH, groupingsOf, MOST_GROUPS, type UsingNode, whoUses } from './who-uses.ts';

const node = (name: string, tags: string[], relay: string | null, standby_relay: string | null = null): UsingNode => ({
  id: `node_${name}`,
  name,
  tags,
  relay,
  standby_relay,
});

const NODES = [
  node('git-1', ['team:platform', 'role:git'], 'fra-1', 'ams-1'),
  node('git-2', ['team:platform', 'role:git'], 'fra-1', 'ams-1'),
  node('web-1', ['team:shop', 'rack:7'], 'ams-1', 'fra-1'),
  node('odd', ['alone'], null),
];

describe('who uses which relay', () => {
  test('is counted by what nodes have in common, most nodes first', () => {
    const { groups, uses } = whoUses(NODES, 'team');
    assert.deepEqual(
      groups.map(({ name, nodes, without }) => [name, nodes, without]),
      [
        ['platform', 2, 0],
        ['No team', 1, 1],
        ['shop', 1, 0],
      ],
    );
    assert.deepEqual(uses, [
      { group: 0, relay: 'ams-1', homes: 0, standbys: 2 },
      { group: 0, relay: 'fra-1', homes: 2, standbys: 0 },
      { group: 2, relay: 'ams-1', homes: 1, standbys: 0 },
      { group: 2, relay: 'fra-1', homes: 0, standbys: 1 },
    ]);
    assert.deepEqual(groups[0]?.search, { tag: 'team:platform' });
    const [one] = whoUses(NODES, EACH).groups;
    assert.deepEqual([one?.name, one?.node, one?.search], ['git-1', 'node_git-1', null]);
  });

  test('stays a drawing with a thousand nodes of hundreds of kinds', () => {
    const many = Array.from({ length: 1000 }, (_, n) => node(`n-${n}`, [`rack:${n % 300}`], `relay-${n % 3}`));
    const { groups, uses } = whoUses(many, 'rack');
    assert.equal(groups.length, MOST_GROUPS);
    assert.equal(groups.at(-1)?.name, `${300 - MOST_GROUPS + 1} others`);
    assert.equal(
      uses.reduce((sum, { homes }) => sum + homes, 0),
      1000,
      'no node is left out',
    );
  });
});

describe('nodes are grouped', () => {
  test('one by one while they are few, and by the tags that they have', () => {
    assert.deepEqual(groupingsOf(NODES), [EACH, 'team', 'role', 'rack']);
    assert.deepEqual(groupingsOf([]), [EACH]);
    const many = Array.from({ length: MOST_GROUPS + 1 }, (_, n) => node(`n-${n}`, ['env:lab'], null));
    assert.deepEqual(groupingsOf(many), ['env']);
  });

  test('by site first where they have one', () => {
    assert.deepEqual(groupingsOf([node('a', ['team:x', 'site:fra'], null)]), ['site', EACH, 'team']);
  });
});
