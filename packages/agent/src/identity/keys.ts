import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Both halves, 32 raw bytes each in base64, as WireGuard writes its keys too. */
export interface KeyPair {
  readonly public: string;
  /** Never leaves the node. */
  readonly private: string;
}

/** What makes a node this node. The identity stays for life; the WireGuard key is replaced on request. */
export interface NodeKeys {
  readonly identity: KeyPair;
  readonly wireguard: KeyPair;
}

export function newNodeKeys(): NodeKeys {
  return { identity: newIdentityKey(), wireguard: newWireguardKey() };
}

export function newIdentityKey(): KeyPair {
  return rawPair('ed25519', generateKeyPairSync('ed25519').privateKey);
}

export function newWireguardKey(): KeyPair {
  return rawPair('x25519', generateKeyPairSync('x25519').privateKey);
}

/** From what was saved. The public half is computed anew, so that a file cannot pair halves that do not match. */
export function identityKeyOf(privateHalf: string): KeyPair {
  return rawPair('ed25519', privateKeyOf('ed25519', privateHalf));
}

export function wireguardKeyOf(privateHalf: string): KeyPair {
  return rawPair('x25519', privateKeyOf('x25519', privateHalf));
}

/** Made when it is needed and not kept: ten thousand simulated nodes have ten thousand of them. */
export function signingKey(identity: KeyPair): KeyObject {
  return privateKeyOf('ed25519', identity.private);
}

/** To agree on a secret with, from its half in base64. */
export function x25519PrivateKey(privateHalf: string): KeyObject {
  return privateKeyOf('x25519', privateHalf);
}

export function x25519PublicKey(publicHalf: string): KeyObject {
  const raw = Buffer.from(publicHalf, 'base64');
  if (raw.length !== KEY_BYTES) throw new TypeError(`a public key has ${KEY_BYTES} bytes in base64, not ${raw.length}`);
  return createPublicKey({ key: Buffer.concat([X25519_SPKI, raw]), format: 'der', type: 'spki' });
}

/**
 * The DER frames that PKCS #8 and SPKI (RFC 8410) put before the raw 32 bytes. For keys of this size they are constant,
 * and Node gives and takes raw keys in no other standard form that has the private half alone.
 */
const PKCS8 = {
  ed25519: Buffer.from('302e020100300506032b657004220420', 'hex'),
  x25519: Buffer.from('302e020100300506032b656e04220420', 'hex'),
};
const X25519_SPKI = Buffer.from('302a300506032b656e032100', 'hex');
const SPKI_FRAME_BYTES = X25519_SPKI.length;
const KEY_BYTES = 32;

type Curve = keyof typeof PKCS8;

function rawPair(curve: Curve, key: KeyObject): KeyPair {
  const pkcs8 = key.export({ format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    public: spki.subarray(SPKI_FRAME_BYTES).toString('base64'),
    private: pkcs8.subarray(PKCS8[curve].length).toString('base64'),
  };
}

function privateKeyOf(curve: Curve, privateHalf: string): KeyObject {
  const raw = Buffer.from(privateHalf, 'base64');
  // The half itself is never repeated in the message: it is a secret even when it is malformed.
  if (raw.length !== KEY_BYTES)
    throw new TypeError(`a private key has ${KEY_BYTES} bytes in base64, not ${raw.length}`);
  return createPrivateKey({ key: Buffer.concat([PKCS8[curve], raw]), format: 'der', type: 'pkcs8' });
}
