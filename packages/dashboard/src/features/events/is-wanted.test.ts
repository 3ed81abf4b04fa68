import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventRecord } from '@meshwork/contract';
import { isWanted } from './is-wanted.ts';
import { moreWords } from './more-words.ts';

const event: EventRecord = {
  seq: 42,
  type: 'node.joined',
  at: '2026-11-15T09:30:00.000Z',
  subject: { kind: 'node', id: 'node_01jcqv6p0ee3xv9k7d0w8m2b4n' },
  revision: 1184,
  data: { name: 'Git-1', address: '100.64.0.7/32', state: 'active', reason: null },
};

describe('filtered events', () => {
  it('match a type or a family of types', () => {
    assert.ok(isWanted(event, {}));
    assert.ok(isWanted(event, { type: 'node.*' }));
    assert.ok(isWanted(event, { type: 'node.joined' }));
    assert.ok(!isWanted(event, { type: 'node.left' }));
    assert.ok(!isWanted(event, { type: 'no.*' }));
  });

  it('match the search text in any case', () => {
    assert.ok(isWanted(event, { q: 'git-1' }));
    assert.ok(isWanted(event, { q: 'GIT-1' }));
    assert.ok(isWanted(event, { q: '6p0ee' }));
    assert.ok(!isWanted(event, { q: 'git-2' }));
    assert.ok(!isWanted(event, { q: 'git-1', type: 'token.*' }));
  });

  it('have a one-line summary of their data', () => {
    assert.equal(moreWords(event), 'address 100.64.0.7/32, state active');
    assert.equal(moreWords({ ...event, data: { tags: ['a:b', 'c:d'], gateways: [] } }), 'tags a:b c:d, gateways none');
  });
});
