import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { TokenId } from '@meshwork/contract';
import { isSameBytes } from '@meshwork/service';

/**
 * The text of a token: `mesh_<id>_<256 bits>_<checksum>`. The id finds the record without a search; the checksum lets
 * scanners tell a real token from a look-alike. Only the SHA-256 of the whole text is ever stored: with 256 random bits
 * in it there is nothing to guess, so a slow hash would add cost and no safety.
 */
const ID = { from: 'mesh_'.length, to: 'mesh_'.length + 26 };

export function newSecret(id: TokenId): { readonly text: string; readonly sha256: string } {
  const unchecked = `mesh_${id.slice('token_'.length)}_${randomBytes(32).toString('base64url')}`;
  const text = `${unchecked}_${checksum(unchecked)}`;
  return { text, sha256: hash('sha256', text) };
}

/** Where to look for the record of a token. Anything at all may come in; only what `isSecret` accepts is a token. */
export function tokenIdIn(text: string): string {
  return `token_${text.slice(ID.from, ID.to)}`;
}

const scratch = Buffer.alloc(64);

/**
 * Compares in constant time, so that an answer's delay tells nothing about the secret. `sha256` is the hex text as bytes:
 * a digest that comes as text costs half of one that comes as a buffer.
 */
export function isSecret(text: string, sha256: Buffer): boolean {
  scratch.write(hash('sha256', text, 'hex'), 'latin1');
  return isSameBytes(scratch, sha256);
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
