/**
 * How coordinator and agent compare what should be with what is, without sending it: each computes a digest of its own
 * copy. A list is the sum of its items, so one changed item costs one hash, and the order does not matter.
 */
import { hash } from 'node:crypto';

const SIZE = 2 ** 48;
const DIGITS = 12;
const HALF = 2 ** 24;
const LOWER = HALF - 1;

/** Of one record as it crosses the wire. */
export function digestOf(record: unknown): number {
  return digestOfText(JSON.stringify(record));
}

export function digestOfText(json: string): number {
  return Number.parseInt(hash('sha256', json).slice(0, DIGITS), 16);
}

export const EMPTY_DIGEST = 0;

export function withItem(list: number, item: number): number {
  return (list + item) % SIZE;
}

export function withoutItem(list: number, item: number): number {
  return (list - item + SIZE) % SIZE;
}

/**
 * Of two things that belong together, in this order. A sum would not tell who has what. Far cheaper than hashing a text,
 * which counts where each node has terms of its own with each peer.
 */
export function digestOfPair(one: number, other: number): number {
  // The bits of both halves are mixed into each other until each depends on all of them. Bit operations take a number
  // modulo 2^32, so the lower half is right although the whole has 48 bits.
  let high = (one / HALF) ^ Math.imul((other & LOWER) + 0x9e37, 0x85ebca6b);
  let low = (one & LOWER) ^ Math.imul(other / HALF + 0x79b9, 0xc2b2ae35);
  high = Math.imul(high ^ (high >>> 13) ^ low, 0x9e3779b1);
  low = Math.imul(low ^ (low >>> 15) ^ high, 0x27d4eb2f);
  high = Math.imul(high ^ (high >>> 16) ^ low, 0x165667b1);
  low = Math.imul(low ^ (low >>> 15) ^ high, 0x85ebca6b);
  return (high >>> 8) * HALF + (low >>> 8);
}

/** Of what is allowed with one peer. */
export function digestOfTerms({ peer, ...terms }: { readonly peer: string }): number {
  return digestOfPair(digestOfText(peer), digestOf(terms));
}

/** As it is sent: twelve hexadecimal digits. */
export function digestText(digest: number): string {
  return digest.toString(16).padStart(DIGITS, '0');
}
