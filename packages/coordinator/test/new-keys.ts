import { generateKeyPairSync } from 'node:crypto';

/** The public keys of a node that nobody will speak as. */
export function newKeys(): { readonly identity_key: string; readonly wireguard_key: string } {
  return { identity_key: publicKey('ed25519'), wireguard_key: publicKey('x25519') };
}

function publicKey(type: 'ed25519' | 'x25519'): string {
  // The overloads want a literal each.
  const { publicKey: made } = type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
  return Buffer.from(made.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
}
