import { createHash, diffieHellman, hkdfSync } from 'node:crypto';
import { x25519PrivateKey, x25519PublicKey } from '../../identity/keys.ts';

const KEY_BYTES = 32;

/**
 * What two peers prove themselves with outside of the tunnel. Each makes it of its own private WireGuard key and the other's
 * public one, so no third knows it, and it changes with either of them. Hexadecimal; a secret.
 */
export function pairKey(private_key: string, own_public: string, peer_public: string): string {
  const secret = diffieHellman({ privateKey: x25519PrivateKey(private_key), publicKey: x25519PublicKey(peer_public) });
  const pair = createHash('sha256').update([own_public, peer_public].sort().join(' ')).digest();
  return Buffer.from(hkdfSync('sha256', secret, pair, 'mesh path', KEY_BYTES)).toString('hex');
}
