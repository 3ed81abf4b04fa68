import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tagged } from '../../test/short-node.ts';
import type { Grant, PolicyDocument } from '../document/document.ts';
import type { PolicyNode } from '../policy-node.ts';
import { difference, idsIn, type SegmentChange } from './difference.ts';
import { Engine } from './engine.ts';

const GROUPS = { dev: ['tag:dev'], git: ['tag:git'], web: ['tag:web'] };
const NODES = [...tagged('dev', 'l1', 'l2'), ...tagged('git', 'g1', 'g2'), ...tagged('web', 'w1')];
const SSH: Grant = { from: 'dev', to: 'git', allow: ['tcp:22'] };
const HTTP: Grant = { from: 'dev', to: 'web', allow: ['tcp:80'] };

test('two engines of one policy do not differ', () => {
  assert.deepEqual(changes(engineOf([SSH, HTTP]), engineOf([SSH, HTTP])), []);
});

test('a new grant touches its two sides once each, whatever their size', () => {
  const [sources, destinations, ...others] = changes(engineOf([HTTP]), engineOf([HTTP, SSH]));
  assert.deepEqual(sources?.members, ['l1', 'l2']);
  assert.deepEqual(gained(sources), ['g1', 'g2']);
  assert.deepEqual(destinations?.members, ['g1', 'g2']);
  assert.deepEqual(gained(destinations), ['l1', 'l2']);
  assert.deepEqual(others, []);
});

test('other ports are news to the destination only', () => {
  const [change, ...others] = changes(engineOf([SSH]), engineOf([{ ...SSH, allow: ['tcp:22-23'] }]));
  assert.deepEqual(change?.members, ['g1', 'g2']);
  assert.deepEqual(
    change?.terms_changed.flatMap(({ members }) => members),
    ['l1', 'l2'],
  );
  assert.deepEqual(others, []);
});

test('a group by another name changes nothing but what the grants are called', () => {
  const groups = { ...GROUPS, developers: ['tag:dev'] };
  const found = changes(engineOf([SSH]), engineOf([{ ...SSH, from: 'developers' }], { groups }));
  assert.deepEqual(
    found.map(({ members, peers_lost, peers_gained, terms_changed, matches_changed }) => ({
      members,
      peers: [peers_lost, peers_gained, terms_changed].flat().length,
      matches_changed,
    })),
    [
      { members: ['l1', 'l2'], peers: 0, matches_changed: true },
      { members: ['g1', 'g2'], peers: 0, matches_changed: true },
    ],
  );
});

test('a member of a group to itself gains everybody but itself', () => {
  const [change] = changes(engineOf([]), engineOf([{ from: 'git', to: 'git', allow: ['*'] }]));
  assert.deepEqual([...idsIn(change?.peers_gained ?? [], 'g1')], ['g2']);
});

test('a node that is in one engine only is gained or lost by its peers, and gains or loses them', () => {
  const without = engineOf([SSH], { nodes: NODES.filter(({ id }) => id !== 'g2') });
  const lost = changes(engineOf([SSH]), without);
  assert.deepEqual(
    lost.map(({ members, peers_lost }) => [members, peers_lost.map((peer) => peer.members)]),
    [
      [['l1', 'l2'], [['g2']]],
      [['g2'], [['l1', 'l2']]],
    ],
  );
  const back = changes(without, engineOf([SSH]));
  assert.deepEqual(
    back.map((change) => [change.members, gained(change)]),
    [
      [['l1', 'l2'], ['g2']],
      [['g2'], ['l1', 'l2']],
    ],
  );
});

function changes(before: Engine, after: Engine): readonly SegmentChange[] {
  return [...difference(before, after)];
}

function gained(change: SegmentChange | undefined): readonly string[] {
  return change?.peers_gained.flatMap(({ members }) => members) ?? [];
}

function engineOf(
  grants: readonly Grant[],
  other: { readonly groups?: PolicyDocument['groups']; readonly nodes?: readonly PolicyNode[] } = {},
): Engine {
  const { groups = GROUPS, nodes = NODES } = other;
  return Engine.compile({ document: { groups, grants, tests: [], stale: 'keep' }, nodes, lapsed: new Set() });
}
