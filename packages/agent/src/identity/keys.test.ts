import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, diffieHellman, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { identityKeyOf, newIdentityKey, newNodeKeys, newWireguardKey, signingKey, wireguardKeyOf } from './keys.ts';

test('keys are spelled as the contract asks, and no two are the same', () => {
  const [one, two] = [newNodeKeys(), newNodeKeys()];
  for (const { public: text } of [one.identity, one.wireguard]) {
    const bytes = Buffer.from(text, 'base64');
    assert.equal(bytes.length, 32);
    assert.equal(bytes.toString('base64'), text);
  }
  const halves = [one, two].flatMap(({ identity, wireguard }) => [identity, wireguard]).flatMap(Object.values);
  assert.equal(new Set(halves).size, 8);
});

test('a saved private half gives the same key back', () => {
  const { identity, wireguard } = newNodeKeys();
  assert.deepEqual(identityKeyOf(identity.private), identity);
  assert.deepEqual(wireguardKeyOf(wireguard.private), wireguard);
});

test('what the identity signs verifies against its public half', () => {
  const identity = newIdentityKey();
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(identity.public, 'base64').toString('base64url') };
  const signature = sign(null, Buffer.from('hello'), signingKey(identity));
  assert.ok(verify(null, Buffer.from('hello'), createPublicKey({ key: jwk, format: 'jwk' }), signature));
});

test('two WireGuard keys agree on a secret', () => {
  const [a, b] = [newWireguardKey(), newWireguardKey()];
  assert.deepEqual(secretOf(a, b), secretOf(b, a));
});

test('a malformed private half is refused without being repeated', () => {
  assert.throws(
    () => identityKeyOf('c2hvcnQ='),
    (error: Error) => !error.message.includes('c2hvcnQ='),
  );
});

function secretOf(own: { private: string }, other: { public: string }): Buffer {
  const raw = (half: string) => Buffer.from(half, 'base64').toString('base64url');
  const jwk = { kty: 'OKP', crv: 'X25519', x: raw(other.public) };
  const mine = { ...jwk, x: raw(wireguardKeyOf(own.private).public), d: raw(own.private) };
  return diffieHellman({
    privateKey: createPrivateKey({ key: mine, format: 'jwk' }),
    publicKey: createPublicKey({ key: jwk, format: 'jwk' }),
  });
}
