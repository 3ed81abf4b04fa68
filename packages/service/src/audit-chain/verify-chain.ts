import type { ChainReport } from '@meshwork/contract';
import { CHAIN_START, type ChainPoint } from '@meshwork/contract/chain';
import type { Journal, LogEnds } from '@meshwork/store';
import { anchorFaults, baseFaults, foreignFaults, headFaults } from './chain-ends.ts';
import { ChainWalk, MAX_FAULTS } from './chain-walk.ts';
import type { Reader } from './reading.ts';

const CHUNK = 1000;

/** What the check needs of a store. */
type Trail = Pick<Journal, 'range' | 'ends'>;

interface Asked {
  readonly log: string;
  readonly read: Reader;
  /** A point of the chain that an operator saved: it must still be there. */
  readonly anchor?: ChainPoint | undefined;
}

/**
 * Walks the whole log, recomputes every hash, and compares the ends with the recorded ones. Entries appended meanwhile are left to
 * the next check.
 */
export async function verifyChain(trail: Trail, asked: Asked): Promise<ChainReport> {
  const { log, anchor } = asked;
  const { walk, ends } = await walked(trail, asked);
  const base = { seq: ends.base_seq, hash: ends.base_hash };
  const head = { seq: ends.head_seq, hash: ends.head_hash };
  const faults = [
    ...baseFaults(ends, walk.trimmed),
    ...walk.faults,
    ...headFaults(head, walk),
    ...anchorFaults(anchor, walk.seen),
    ...(await foreignFaults(trail, log, { first: startOf(ends).seq + 1, last: head.seq })),
  ];
  return { intact: faults.length === 0, checked: walk.checked, base, head, faults: faults.slice(0, MAX_FAULTS) };
}

async function walked(trail: Trail, { log, read, anchor }: Asked): Promise<{ walk: ChainWalk; ends: LogEnds }> {
  let ends = await trail.ends(log);
  const walk = new ChainWalk(startOf(ends), read, anchor?.seq);
  for (;;) {
    const entries = await trail.range({ log, order: 'oldest_first', limit: CHUNK, after_seq: walk.next - 1 });
    const { head_seq } = ends;
    const due = entries.filter(({ seq }) => seq <= head_seq);
    if (walk.next <= head_seq && due[0]?.seq !== walk.next) {
      // Retention removes from the front, so it can only have overtaken the walk between two chunks. The walk then goes
      // on to the new head, because the entry that accounts for the removal may stand beyond the old one.
      const now = await trail.ends(log);
      if (now.base_seq >= walk.next && isPossible(now)) {
        ends = now;
        walk.goOnAfter(startOf(ends));
        continue;
      }
    }
    for (const entry of due) walk.take(entry);
    if (due.length < CHUNK) return { walk, ends };
  }
}

/** Ends that cannot be any are no guide: then the walk begins with the first entry there ever was. */
function startOf(ends: LogEnds): ChainPoint {
  return isPossible(ends) ? { seq: ends.base_seq, hash: ends.base_hash } : { seq: 0, hash: CHAIN_START };
}

function isPossible({ base_seq, head_seq }: LogEnds): boolean {
  return base_seq >= 0 && base_seq <= head_seq;
}
