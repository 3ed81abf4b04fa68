import { hash } from 'node:crypto';

/** What the first entry of a chained log has before it. */
export const CHAIN_START = '0'.repeat(64);

/**
 * The hash of one entry: SHA-256 over the hash before it, its place, its revision and its exact text, a line each.
 * Whoever has an exported log can recompute it; nothing secret goes in.
 */
export function chainHash(link: {
  readonly previous: string;
  readonly seq: number;
  readonly revision: number;
  readonly body: string;
}): string {
  return hash('sha256', `${link.previous}\n${link.seq}\n${link.revision}\n${link.body}`);
}
