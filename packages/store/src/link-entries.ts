import { CHAIN_START, chainHash } from '@meshwork/contract/chain';
import type { NumberedAppend } from './batch.ts';
import type { Entry, LogEnds } from './journal.ts';
import { StoreError } from './store-error.ts';

/** Where a log stands: the newest entry's place and hash (`CHAIN_START` in a log that is not chained). */
export interface LogHead {
  readonly chained: boolean;
  readonly seq: number;
  readonly hash: string;
}

export const EMPTY_LOG: LogEnds = { base_seq: 0, base_hash: CHAIN_START, head_seq: 0, head_hash: CHAIN_START };

/** Gives each entry its place in its log, and its hash where the log is chained. */
export function linkEntries(
  appends: readonly NumberedAppend[],
  heads: ReadonlyMap<string, LogHead>,
): { readonly entries: readonly Entry[]; readonly heads: ReadonlyMap<string, LogHead> } {
  const moved = new Map<string, LogHead>();
  const entries = appends.map(({ chained, ...append }): Entry => {
    const head = moved.get(append.log) ?? heads.get(append.log) ?? { chained, seq: 0, hash: CHAIN_START };
    if (head.chained !== chained) {
      const is = head.chained ? 'is' : 'is not';
      throw new StoreError('misuse', `the log ${append.log} ${is} chained, and entry ${append.id} says otherwise`);
    }
    const seq = head.seq + 1;
    const { revision, body } = append;
    const hash = chained ? chainHash({ previous: head.hash, seq, revision, body }) : null;
    moved.set(append.log, { chained, seq, hash: hash ?? CHAIN_START });
    return { ...append, seq, hash };
  });
  return { entries, heads: moved };
}
