import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { Seal } from './seal.ts';

describe('the seal of the panel', () => {
  const master = createSecretKey(randomBytes(32));

  it('opens what it sealed after a restart, and only for the same owner', () => {
    const sealed = new Seal(master, 'totp').seal('secret', 'user_1');
    assert.equal(new Seal(master, 'totp').open(sealed, 'user_1'), 'secret');
    assert.throws(() => new Seal(master, 'totp').open(sealed, 'user_2'));
  });

  it('opens nothing that was sealed for another purpose or with another key', () => {
    const sealed = new Seal(master, 'totp').seal('secret', 'user_1');
    assert.throws(() => new Seal(master, 'oidc').open(sealed, 'user_1'));
    assert.throws(() => new Seal(createSecretKey(randomBytes(32)), 'totp').open(sealed, 'user_1'));
  });

  it('knows its own signature from others', () => {
    const seal = new Seal(master, 'passkey-challenge');
    const bytes = randomBytes(24);
    assert.ok(seal.isSigned(bytes, seal.sign(bytes)));
    assert.ok(!seal.isSigned(bytes, new Seal(master, 'totp').sign(bytes)));
    assert.ok(!seal.isSigned(randomBytes(24), seal.sign(bytes)));
    assert.ok(!seal.isSigned(bytes, Buffer.alloc(0)));
  });
});
