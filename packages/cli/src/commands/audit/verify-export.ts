import type { AuditEntry, ChainFault, ChainReport } from '@meshwork/contract';
import { CHAIN_START, type ChainPoint, chainHash } from '@meshwork/contract/chain';

export interface ExportReport extends ChainReport {
  /**
   * The first entry when the export starts in the middle of the trail: nothing here shows what came before it, so its
   * hash is believed. Null: the export starts with the trail itself.
   */
  readonly taken_as_given: ChainPoint | null;
}

/**
 * Where the chain stands. `previous` are the hashes that the entry before may have had: after an altered one it is the
 * next that shows whether the text was altered or the hash. None: it was lost, so the next cannot be checked.
 */
interface Place {
  readonly seq: number;
  readonly previous: readonly string[];
}

/**
 * Recomputes the chain of an exported trail, without a coordinator. After a fault it continues, so that one altered entry
 * is named alone. Undefined: there is no entry at all.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  anchor: ChainPoint | undefined,
): Promise<ExportReport | undefined> {
  const faults: ChainFault[] = [];
  let start: { readonly base: ChainPoint; readonly taken_as_given: ChainPoint | null } | undefined;
  let next: Place | undefined;
  let head: ChainPoint = { seq: 0, hash: CHAIN_START };
  let anchored: readonly string[] | undefined;
  let checked = 0;
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const entry = parseEntry(line);
    if (entry === undefined) {
      faults.push(unreadable(number, next));
      next = next === undefined ? undefined : { seq: next.seq + 1, previous: [] };
      continue;
    }
    start ??= startAt(entry);
    next ??= entry.seq === 1 ? { seq: 1, previous: [CHAIN_START] } : { seq: entry.seq, previous: [] };
    const { fault, isChecked, hashes } = examine(entry, next);
    if (fault !== undefined) faults.push(fault);
    if (isChecked) checked += 1;
    if (hashes === undefined) continue;
    head = { seq: entry.seq, hash: entry.hash ?? '' };
    if (entry.seq === anchor?.seq) anchored = hashes;
    next = { seq: entry.seq + 1, previous: hashes };
  }
  if (start === undefined) return undefined;
  if (anchor?.seq === start.base.seq) anchored = [start.base.hash];
  if (anchor !== undefined) faults.push(...anchorFaults(anchor, anchored, head));
  return { intact: faults.length === 0, checked, ...start, head, faults };
}

function startAt({ seq, hash }: AuditEntry) {
  const first = { seq, hash: hash ?? '' };
  return seq === 1
    ? { base: { seq: 0, hash: CHAIN_START }, taken_as_given: null }
    : { base: first, taken_as_given: first };
}

interface Finding {
  readonly fault?: ChainFault;
  readonly isChecked: boolean;
  /** Those that the entry may have had. Undefined: it does not stand where it should, and the chain does not move. */
  readonly hashes?: readonly string[];
}

function examine(entry: AuditEntry, expected: Place): Finding {
  const { seq, revision, hash, ...body } = entry;
  const { id } = entry;
  const stored = hash ?? '';
  if (seq < expected.seq) {
    const detail = `Entry ${seq} (${id}) stands after entry ${expected.seq - 1}.`;
    return { fault: { seq, id, reason: 'misplaced', detail }, isChecked: false };
  }
  if (seq > expected.seq) {
    const detail = `Entries ${expected.seq} to ${seq - 1} are not there.`;
    return { fault: { seq: expected.seq, id: null, reason: 'missing', detail }, isChecked: false, hashes: [stored] };
  }
  const text = hashedText(body);
  const fitting = expected.previous.map((previous) => chainHash({ previous, seq, revision, body: text }));
  if (fitting.length === 0) return { isChecked: false, hashes: [stored] };
  if (fitting.includes(stored)) return { isChecked: true, hashes: [stored] };
  const detail = `Entry ${seq} (${id}) does not have the hash that its text and the entry before it give.`;
  // Of the recomputed, those that go back to the stored hash before and to the last entry that was whole.
  const hashes = [...new Set([stored, ...fitting.slice(0, 1), ...fitting.slice(-1)])];
  return { fault: { seq, id, reason: 'altered', detail }, isChecked: true, hashes };
}

/** What was hashed. Entries of older versions had no `token`, and show it behind everything else. */
function hashedText(body: Omit<AuditEntry, 'seq' | 'revision' | 'hash'>): string {
  const { token, ...older } = body;
  return JSON.stringify(token === null && Object.keys(body).at(-1) === 'token' ? older : body);
}

function unreadable(line: number, expected: Place | undefined): ChainFault {
  return { seq: expected?.seq ?? 0, id: null, reason: 'altered', detail: `Line ${line} is not an audit entry.` };
}

function anchorFaults(anchor: ChainPoint, found: readonly string[] | undefined, head: ChainPoint): ChainFault[] {
  const { seq, hash } = anchor;
  if (found?.includes(hash)) return [];
  if (seq > head.seq) {
    return [{ seq, id: null, reason: 'cut_off', detail: `The export ends at ${head.seq}, before the anchor ${seq}.` }];
  }
  const detail =
    found === undefined
      ? `There is no entry ${seq} to hold against the anchor.`
      : `Entry ${seq} has another hash than the anchor: the trail was rewritten up to there.`;
  return [{ seq, id: null, reason: 'anchor_mismatch', detail }];
}

function parseEntry(line: string): AuditEntry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<AuditEntry> | null;
    const isEntry =
      typeof entry?.id === 'string' &&
      Number.isInteger(entry.seq) &&
      Number.isInteger(entry.revision) &&
      'hash' in entry;
    return isEntry ? (entry as AuditEntry) : undefined;
  } catch {
    return undefined; // reported as a fault, with its line
  }
}
