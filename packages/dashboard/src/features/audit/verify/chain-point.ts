/**
 * A place in a chain as people copy it: `42:9b74…`, the same as `mesh audit verify` prints and takes. The contract has the same
 * beside the hashing of a chain, which is for programs outside of a browser.
 */

export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

export function chainPointText({ seq, hash }: ChainPoint): string {
  return `${seq}:${hash}`;
}

/** Null: the text is no point. */
export function parseChainPoint(text: string): ChainPoint | null {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return seq === undefined || hash === undefined ? null : { seq: Number(seq), hash };
}
