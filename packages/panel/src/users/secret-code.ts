/** Codes that open something once: they are kept as hashes, and compared in a time that tells nothing. */
import { hash, randomInt } from 'node:crypto';

/** Crockford's: no letter that is taken for a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** For people to type: 80 bits in four groups. */
export function newTypedCode(): string {
  const group = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

/** Case, dashes and spaces do not matter, nor do the letters that are no digits of ours. */
export function hashOfTypedCode(text: string): string {
  const plain = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return hash('sha256', plain, 'hex');
}

export function hashOfCode(text: string): string {
  return hash('sha256', text.trim(), 'hex');
}
