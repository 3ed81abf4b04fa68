import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { seal, unseal } from './sealing.ts';

describe('a sealed text', () => {
  const key = randomBytes(32);

  it('is opened by its key, for whom it was sealed, and looks different each time', () => {
    const text = 'größer als ASCII';
    assert.equal(unseal(key, seal(key, text, 'ada'), 'ada'), text);
    assert.equal(unseal(key, seal(key, ''), ''), '');
    assert.notEqual(seal(key, text, 'ada'), seal(key, text, 'ada'));
  });

  it('is not opened by another key, nor for another', () => {
    const sealed = seal(key, 'secret', 'ada');
    assert.throws(() => unseal(randomBytes(32), sealed, 'ada'));
    assert.throws(() => unseal(key, sealed, 'grace'));
    assert.throws(() => unseal(key, sealed));
  });

  it('is not opened with any one byte changed, nor cut short', () => {
    const sealed = Buffer.from(seal(key, 'secret', 'ada'), 'base64url');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => unseal(key, changed.toString('base64url'), 'ada'), `byte ${at}`);
      assert.throws(() => unseal(key, sealed.subarray(0, at).toString('base64url'), 'ada'), `${at} bytes`);
    }
  });
});
