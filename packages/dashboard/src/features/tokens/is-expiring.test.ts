import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Token } from '@meshwork/contract';
import { isExpiring } from './is-expiring.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const token = { state: 'active', created_at: '2026-08-01T00:00:00Z', expires: '2026-11-20T00:00:00Z' } as Token;

describe('a token that expires soon', () => {
  it('is one that ends within a week', () => {
    assert.equal(isExpiring(token, NOW), true);
    assert.equal(isExpiring({ ...token, expires: '2026-11-23T00:00:00Z' }, NOW), false);
  });

  it('is none that was made for a week or less, or was seen to already', () => {
    assert.equal(isExpiring({ ...token, created_at: '2026-11-14T00:00:00Z' }, NOW), false);
    for (const state of ['retiring', 'expired', 'revoked'] as const) {
      assert.equal(isExpiring({ ...token, state }, NOW), false, state);
    }
  });
});
