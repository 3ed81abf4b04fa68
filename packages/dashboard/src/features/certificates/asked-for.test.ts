import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askedFor } from './asked-for.ts';

const asked = (filters: Parameters<typeof askedFor>[0]) =>
  Object.fromEntries(Object.entries(askedFor(filters)).filter(([, value]) => value !== undefined));

describe('filters of the list of certificates', () => {
  it('are asked as the coordinator knows them', () => {
    const filters = { q: 'git', state: 'valid', expiring: '7d', profile: 'server', node: 'git-1', current: 'yes' };
    const { q, state, profile, node } = filters;
    assert.deepEqual(asked(filters), { q, state, profile, node, expires_within_s: 604_800, current: true });
  });

  it('are left out where it would refuse them', () => {
    assert.deepEqual(asked({ state: 'lost', expiring: '1y', profile: 'x', node: 'Git 1', current: 'no' }), {});
    assert.deepEqual(asked({ node: 'node_01jcqv5s3ee3xv9k7d0w8m2b4n' }), { node: 'node_01jcqv5s3ee3xv9k7d0w8m2b4n' });
  });

  it('find a serial number however a program printed it', () => {
    assert.deepEqual(asked({ q: 'serial=3A9D0C5E11F24B7C8E' }), { q: '3A9D0C5E11F24B7C8E' });
    assert.deepEqual(asked({ q: ' 3A:9D:0C:5E:11:F2:4B:7C:8E ' }), { q: '3A9D0C5E11F24B7C8E' });
    assert.deepEqual(asked({ q: 'fd:9a:77:b0:11:22:33:44' }), { q: 'fd:9a:77:b0:11:22:33:44' });
  });
});
