import type { ChainFault, ChainReport } from '@meshwork/contract';
import { chainHash } from '@meshwork/contract/chain';
import type { Entry, Journal } from '@meshwork/store';

const CHUNK = 1000;
const MAX_FAULTS = 100;

interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

/**
 * Walks the whole log and recomputes every hash. After a fault it goes on from the stored hash, so that one altered
 * entry is named alone and does not drag all later ones with it.
 */
export async function verifyChain(journal: Journal, log: string, anchor: Anchor | undefined): Promise<ChainReport> {
  const ends = await journal.ends(log);
  const faults: ChainFault[] = [];
  let expected = { seq: ends.base_seq + 1, previous: ends.base_hash };
  let checked = 0;
  const hashes = new Map([[ends.base_seq, expected.previous]]);
  for (;;) {
    const entries = await journal.range({ log, order: 'oldest_first', limit: CHUNK, after_seq: expected.seq - 1 });
    // What was appended after the walk began is left to the next one: `ends` does not know of it.
    const due = entries.filter(({ seq }) => seq <= ends.head_seq);
    for (const entry of due) {
      const fault = faultOf(entry, expected);
      if (fault !== undefined) faults.push(fault);
      if (entry.seq === anchor?.seq) hashes.set(entry.seq, entry.hash ?? '');
      expected = { seq: entry.seq + 1, previous: entry.hash ?? '' };
      checked++;
    }
    if (due.length < CHUNK) break;
  }
  faults.push(...headFaults(ends, expected), ...anchorFaults(anchor, hashes));
  return {
    intact: faults.length === 0,
    checked,
    base: { seq: ends.base_seq, hash: ends.base_hash },
    head: { seq: ends.head_seq, hash: ends.head_hash },
    faults: faults.slice(0, MAX_FAULTS),
  };
}

function faultOf(entry: Entry, expected: { seq: number; previous: string }): ChainFault | undefined {
  const { seq, id } = entry;
  if (seq !== expected.seq) {
    return {
      seq: expected.seq,
      id: null,
      reason: 'missing',
      detail: `Entries ${expected.seq} to ${seq - 1} are not there.`,
    };
  }
  if (entry.hash !== chainHash({ previous: expected.previous, seq, revision: entry.revision, body: entry.body })) {
    return {
      seq,
      id,
      reason: 'altered',
      detail: `Entry ${seq} (${id}) does not have the hash that its text and the entry before it give.`,
    };
  }
  // The columns that queries filter by are copies from the text: they must say the same.
  if (isFiledRight(entry)) return undefined;
  return {
    seq,
    id,
    reason: 'misplaced',
    detail: `Entry ${seq} (${id}) is filed under another id, time, actor, action or target than its text says.`,
  };
}

function isFiledRight(entry: Entry): boolean {
  try {
    const { id, at, action, actor, target } = JSON.parse(entry.body) as TextOfLabels;
    return (
      id === entry.id &&
      Date.parse(at) === entry.at_ms &&
      action === entry.action &&
      actor.id === entry.actor &&
      (target?.id ?? null) === entry.target
    );
  } catch {
    return false; // a text that is not ours at all, under a hash that fits: somebody who knew the rule put it there
  }
}

interface TextOfLabels {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly actor: { readonly id: string | null };
  readonly target: { readonly id: string } | null;
}

function headFaults(
  ends: { head_seq: number; head_hash: string },
  reached: { seq: number; previous: string },
): ChainFault[] {
  if (reached.seq - 1 === ends.head_seq && reached.previous === ends.head_hash) return [];
  const detail = `The trail ends at ${reached.seq - 1}, but its head was recorded as ${ends.head_seq}: the newest entries were removed or replaced.`;
  return [{ seq: reached.seq, id: null, reason: 'cut_off', detail }];
}

function anchorFaults(anchor: Anchor | undefined, hashes: ReadonlyMap<number, string>): ChainFault[] {
  if (anchor === undefined || hashes.get(anchor.seq) === anchor.hash) return [];
  const detail = hashes.has(anchor.seq)
    ? `Entry ${anchor.seq} has another hash than the anchor: the trail was rewritten up to there.`
    : `There is no entry ${anchor.seq}: it was removed, by retention or otherwise.`;
  return [{ seq: anchor.seq, id: null, reason: 'anchor_mismatch', detail }];
}
