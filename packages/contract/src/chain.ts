import { hash } from 'node:crypto';

/** What the first entry of a chained log has before it. */
export const CHAIN_START = '0'.repeat(64);

/**
 * The hash of one entry: SHA-256 over the hash before it, its place, its revision and its exact text, a line each.
 * A reader of an exported log can recompute it; nothing secret goes in.
 */
export function chainHash(link: {
  readonly previous: string;
  readonly seq: number;
  readonly revision: number;
  readonly body: string;
}): string {
  return hash('sha256', `${link.previous}\n${link.seq}\n${link.revision}\n${link.body}`);
}

/** A place in a chain, and the hash of the entry there. */
export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

/** A point as people copy it and as the trail names it: `42:9b74…`. */
export function chainPointText({ seq, hash: at }: ChainPoint): string {
  return `${seq}:${at}`;
}

/** Undefined: the text is no point. */
export function parseChainPoint(text: string): ChainPoint | undefined {
  const [, seq, at] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  return seq === undefined || at === undefined ? undefined : { seq: Number(seq), hash: at };
}
