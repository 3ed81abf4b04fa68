import type { ChainFault } from '@meshwork/contract';
import { CHAIN_START, type ChainPoint } from '@meshwork/contract/chain';
import type { Entry, Journal, LogEnds } from '@meshwork/store';
import { type ChainWalk, MAX_FAULTS } from './chain-walk.ts';

/** A trail that does not begin with its first entry must say itself that retention removed what was before. */
export function baseFaults(ends: LogEnds, trimmed: ChainPoint | undefined): ChainFault[] {
  const { base_seq: seq, base_hash: hash, head_seq } = ends;
  if (seq < 0 || seq > head_seq) {
    return [cutOff(1, `The trail was recorded to begin after ${seq} and to end with ${head_seq}, which cannot be.`)];
  }
  if (seq === 0) {
    return hash === CHAIN_START ? [] : [cutOff(0, 'The trail begins with another hash than every trail does.')];
  }
  // A removal that was interrupted, or is under way, has not come as far as it said it would.
  if (trimmed !== undefined && (trimmed.seq > seq || (trimmed.seq === seq && trimmed.hash === hash))) return [];
  return [cutOff(seq, `Entries up to ${seq} are gone, and no entry says that retention removed them.`)];
}

export function headFaults(head: ChainPoint, walk: ChainWalk): ChainFault[] {
  if (walk.endsAt(head)) return [];
  const detail = `The trail ends at ${walk.next - 1}, but its head was recorded as ${head.seq}: the newest entries were removed or replaced.`;
  return [cutOff(walk.next, detail)];
}

/** `seen`: the hashes that the entry there may have had. */
export function anchorFaults(anchor: ChainPoint | undefined, seen: readonly string[] | undefined): ChainFault[] {
  if (anchor === undefined || seen?.includes(anchor.hash)) return [];
  const detail =
    seen === undefined
      ? `There is no entry ${anchor.seq}: it was removed, by retention or otherwise.`
      : `Entry ${anchor.seq} has another hash than the anchor: the trail was rewritten up to there.`;
  return [{ seq: anchor.seq, id: null, reason: 'anchor_mismatch', detail }];
}

/** Entries that stand in the log, though not between its ends. */
export async function foreignFaults(
  trail: Pick<Journal, 'range' | 'ends'>,
  log: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<ChainFault[]> {
  const before = await trail.range({ log, order: 'newest_first', limit: MAX_FAULTS, after_seq: first });
  // The newest first and the head after them: what a commit appended meanwhile is then never beyond it.
  const newest = await trail.range({ log, order: 'newest_first', limit: MAX_FAULTS });
  const head_seq = Math.max(last, (await trail.ends(log)).head_seq);
  const beyond = newest.filter(({ seq }) => seq > head_seq);
  return [
    ...before.toReversed().map((entry) => foreign(entry, `before entry ${first}, where the trail begins`)),
    ...beyond.toReversed().map((entry) => foreign(entry, `beyond entry ${head_seq}, where the trail ends`)),
  ];
}

export function cutOff(seq: number, detail: string): ChainFault {
  return { seq, id: null, reason: 'cut_off', detail };
}

function foreign({ seq, id }: Entry, where: string): ChainFault {
  return { seq, id, reason: 'foreign', detail: `Entry ${seq} (${id}) stands ${where}: no commit put it there.` };
}
