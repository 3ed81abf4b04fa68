/**
 * How coordinator and agent compare what should be with what is, without sending it: each computes a digest of its own
 * copy. A list is the sum of its items, so one changed item costs one hash, and the order does not matter.
 */
import { hash } from 'node:crypto';

const SIZE = 2 ** 48;
const DIGITS = 12;

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

/** As it is sent: twelve hexadecimal digits. */
export function digestText(digest: number): string {
  return digest.toString(16).padStart(DIGITS, '0');
}
