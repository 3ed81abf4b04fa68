import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { Seal } from '../../../seal.ts';
import { type Journey, journeyOf, keptJourney, NO_JOURNEY } from './journey.ts';

describe('a journey to the provider', () => {
  const seal = new Seal(createSecretKey(randomBytes(32)), 'oidc');
  const journey: Journey = {
    state: 'state',
    nonce: 'nonce',
    code_verifier: 'verifier',
    return_to: '/',
    replaces: null,
    until_ms: 1000,
  };
  const { name, value, ...about } = keptJourney(seal, journey);
  const kept = { [name]: value ?? '' };

  it('is kept by the browser for ten minutes, for nothing but the way back', () => {
    assert.deepEqual(about, { lifetime_s: 600, path: '/api/v1/auth/oidc' });
    assert.deepEqual(journeyOf(seal, { kept, now_ms: 0 }), journey);
    assert.deepEqual([NO_JOURNEY.name, NO_JOURNEY.value], [name, null]);
    assert.equal(journeyOf(seal, { kept: {}, now_ms: 0 }), undefined);
  });

  it('expires, and is refused when another key sealed it', () => {
    assert.equal(journeyOf(seal, { kept, now_ms: 1000 }), undefined);
    const other = new Seal(createSecretKey(randomBytes(32)), 'oidc');
    assert.equal(journeyOf(other, { kept, now_ms: 0 }), undefined);
  });
});
