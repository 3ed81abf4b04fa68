import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { openEnvelope, sealEnvelope } from './envelope.ts';
import { checkOf } from './master-key.ts';

describe('an envelope', () => {
  const key = createSecretKey(randomBytes(32));
  const secret = randomBytes(138);
  const envelope = sealEnvelope(key, secret, 'authority/one');

  it('opens with its key, for what it was sealed for', () => {
    assert.deepEqual(openEnvelope(key, envelope, 'authority/one'), secret);
    assert.throws(() => openEnvelope(key, envelope, 'authority/two'), /authority\/two was changed, or was sealed for/);
  });

  it('has nothing of the secret in it, and is another each time', () => {
    assert.ok(!envelope.includes(secret.toString('base64url').slice(0, 16)));
    assert.notEqual(sealEnvelope(key, secret, 'authority/one'), envelope);
  });

  it('says which master key it needs', () => {
    const other = createSecretKey(randomBytes(32));
    const needed = new RegExp(`needs the master key ${checkOf(key)}, and this is ${checkOf(other)}`);
    assert.throws(() => openEnvelope(other, envelope, 'authority/one'), needed);
  });

  it('opens no more when a character of it was changed', () => {
    const [version, by, sealed = ''] = envelope.split('.');
    for (const place of [0, 20, 40, sealed.length - 2]) {
      const changed = sealed.slice(0, place) + (sealed[place] === 'A' ? 'B' : 'A') + sealed.slice(place + 1);
      assert.throws(() => openEnvelope(key, [version, by, changed].join('.'), 'authority/one'), /was changed/);
    }
    assert.throws(() => openEnvelope(key, envelope.replace('v1', 'v2'), 'authority/one'), /not an envelope of this/);
    assert.throws(() => openEnvelope(key, 'v1', 'authority/one'), /not an envelope of this/);
  });
});
