/**
 * TypeIDs: a prefix that says what it is, then a UUIDv7 in Crockford base32 (https://github.com/jetify-com/typeid).
 * Ids sort by the time they were made, which is what stable paging stands on.
 */

import { VOCABULARIES } from './vocabularies.ts';

type IdTable = Extract<(typeof VOCABULARIES)[number], { readonly ids: object }>['ids'];
export type IdPrefix = IdTable extends infer Table ? (Table extends Table ? keyof Table : never) : never;

/** Every kind of id there is, and the word a person would use for it. */
export const ID_PREFIXES: Readonly<Record<IdPrefix, string>> = Object.assign(
  {},
  ...VOCABULARIES.map((vocabulary) => ('ids' in vocabulary ? vocabulary.ids : {})),
);

declare const brand: unique symbol;
export type Id<P extends IdPrefix> = `${P}_${string}` & { readonly [brand]: P };

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** The first character carries only 3 of its 5 bits: 26 × 5 is 130, and a UUID has 128. */
const SUFFIX = '[0-7][0-9a-hjkmnp-tv-z]{25}';

export function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_${SUFFIX}$`;
}

/** Any id of these kinds, for filters that take several. */
export function idsPattern(...prefixes: readonly IdPrefix[]): string {
  return `^(?:${prefixes.join('|')})_${SUFFIX}$`;
}

const PATTERNS = Object.fromEntries(
  Object.keys(ID_PREFIXES).map((prefix) => [prefix, new RegExp(idPattern(prefix as IdPrefix))]),
) as Record<IdPrefix, RegExp>;

export function isId<P extends IdPrefix>(prefix: P, text: string): text is Id<P> {
  return PATTERNS[prefix].test(text);
}

/** `random` fills the 74 bits that are not time; the default is the platform's secure source. */
export function newId<P extends IdPrefix>(
  prefix: P,
  nowMs: number,
  random: (bytes: Uint8Array<ArrayBuffer>) => unknown = (bytes) => crypto.getRandomValues(bytes),
): Id<P> {
  const uuid = new Uint8Array(16);
  random(uuid);
  for (let index = 0; index < 6; index++) uuid[index] = Math.floor(nowMs / 2 ** (40 - 8 * index)) % 256;
  uuid[6] = 0x70 | ((uuid[6] ?? 0) & 0x0f);
  uuid[8] = 0x80 | ((uuid[8] ?? 0) & 0x3f);
  return `${prefix}_${encodeBase32(uuid)}` as Id<P>;
}

/** When it was made, in milliseconds: an id sorts by time because it begins with it. */
export function timeOfId(id: Id<IdPrefix>): number {
  // The first ten of 26 characters are the 48 bits of time, behind the two zero bits.
  let time = 0;
  for (const letter of id.slice(-26, -16)) time = time * 32 + ALPHABET.indexOf(letter);
  return time;
}

export function encodeBase32(uuid: Uint8Array): string {
  let text = '';
  let pending = 0;
  let pendingBits = 2; // two zero bits in front make 130 = 26 × 5
  for (const byte of uuid) {
    pending = (pending << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      text += ALPHABET[(pending >>> pendingBits) & 31];
    }
    pending &= (1 << pendingBits) - 1;
  }
  return text;
}
