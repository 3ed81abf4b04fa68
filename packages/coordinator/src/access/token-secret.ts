import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { TokenId } from '@meshwork/contract';

/**
 * The text of a token: `mesh_<id>_<256 bits>_<checksum>`. The id finds the record without a search; the checksum lets
 * scanners tell a real token from a look-alike. Only the SHA-256 of the whole text is ever stored: with 256 random bits
 * in it there is nothing to guess, so a slow hash would add cost and no safety.
 */
const TOKEN_TEXT = /^mesh_([0-7][0-9a-hjkmnp-tv-z]{25})_[A-Za-z0-9_-]{43}_[0-9a-f]{8}$/;

export function newSecret(id: TokenId): { readonly text: string; readonly sha256: string } {
  const unchecked = `mesh_${id.slice('token_'.length)}_${randomBytes(32).toString('base64url')}`;
  const text = `${unchecked}_${checksum(unchecked)}`;
  return { text, sha256: hash('sha256', text) };
}

/** The id that a token names. Says nothing about whether it is genuine; the checksum is for scanners, not for us. */
export function tokenIdIn(text: string): TokenId | undefined {
  const id = TOKEN_TEXT.exec(text)?.[1];
  return id === undefined ? undefined : (`token_${id}` as TokenId);
}

/** Compares in constant time, so that an answer's delay tells nothing about the secret. */
export function isSecret(text: string, sha256: string): boolean {
  return timingSafeEqual(hash('sha256', text, 'buffer'), Buffer.from(sha256, 'hex'));
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
