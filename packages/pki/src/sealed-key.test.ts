import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { openssl } from '../test/openssl.ts';
import { sealKey } from './sealed-key.ts';

const pkcs8 = (type: 'ec' | 'rsa') => {
  const { privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'der' });
};

describe('a key that is sealed to a passphrase', () => {
  for (const [type, passphrase] of [
    ['ec', 'correct horse battery staple'],
    ['rsa', 'käse und brot 🧀'],
  ] as const) {
    it(`is opened by OpenSSL and by Node (${type})`, async () => {
      const key = pkcs8(type);
      const sealed = await sealKey(key, passphrase);
      const files = { 'key.pem': sealed, pass: passphrase };
      const opened = await openssl(['pkey', '-in', 'key.pem', '-passin', 'file:pass'], files);
      assert.deepEqual(createPrivateKey(opened).export({ type: 'pkcs8', format: 'der' }), key);
      assert.deepEqual(createPrivateKey({ key: sealed, passphrase }).export({ type: 'pkcs8', format: 'der' }), key);
      assert.throws(() => createPrivateKey({ key: sealed, passphrase: `${passphrase} ` }));
    });
  }

  it('says nothing of the key, and is another text each time', async () => {
    const key = pkcs8('ec');
    const [one, other] = await Promise.all([sealKey(key, 'the same passphrase'), sealKey(key, 'the same passphrase')]);
    assert.notEqual(one, other);
    assert.ok(!one.includes(key.toString('base64').slice(40, 80)));
  });
});
