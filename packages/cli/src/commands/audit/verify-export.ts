import type { AuditEntry, ChainFault, ChainReport } from '@meshwork/contract';
import { CHAIN_START, chainHash } from '@meshwork/contract/chain';

export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

export interface ExportReport extends ChainReport {
  /**
   * The first entry when the export starts in the middle of the trail: nothing here shows what came before it, so its
   * hash is believed. Null: the export starts with the trail itself.
   */
  readonly taken_as_given: ChainPoint | null;
}

/** Where the chain stands. `previous` is undefined where the entry before was lost, so the next cannot be checked. */
interface Place {
  readonly seq: number;
  readonly previous: string | undefined;
}

/**
 * Recomputes the chain of an exported trail, without a coordinator. After a fault it goes on from the hash that stands
 * there, so that one altered entry is named alone. Undefined: there is no entry at all.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  anchor: ChainPoint | undefined,
): Promise<ExportReport | undefined> {
  const faults: ChainFault[] = [];
  let start: { readonly base: ChainPoint; readonly taken_as_given: ChainPoint | null } | undefined;
  let next: Place | undefined;
  let head: ChainPoint = { seq: 0, hash: CHAIN_START };
  let anchored: string | undefined;
  let checked = 0;
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const entry = parseEntry(line);
    if (entry === undefined) {
      faults.push(unreadable(number, next));
      next = next === undefined ? undefined : { seq: next.seq + 1, previous: undefined };
      continue;
    }
    start ??= startAt(entry);
    next ??= entry.seq === 1 ? { seq: 1, previous: CHAIN_START } : { seq: entry.seq, previous: undefined };
    const { fault, isNext, isChecked } = examine(entry, next);
    if (fault !== undefined) faults.push(fault);
    if (isChecked) checked += 1;
    if (!isNext) continue;
    head = { seq: entry.seq, hash: entry.hash ?? '' };
    if (entry.seq === anchor?.seq) anchored = head.hash;
    next = { seq: entry.seq + 1, previous: head.hash };
  }
  if (start === undefined) return undefined;
  if (anchor?.seq === start.base.seq) anchored = start.base.hash;
  if (anchor !== undefined) faults.push(...anchorFaults(anchor, anchored, head));
  return { intact: faults.length === 0, checked, ...start, head, faults };
}

function startAt({ seq, hash }: AuditEntry) {
  const first = { seq, hash: hash ?? '' };
  return seq === 1
    ? { base: { seq: 0, hash: CHAIN_START }, taken_as_given: null }
    : { base: first, taken_as_given: first };
}

function examine(entry: AuditEntry, expected: Place): { fault?: ChainFault; isNext: boolean; isChecked: boolean } {
  const { seq, revision, hash, ...body } = entry;
  const { id } = entry;
  if (seq < expected.seq) {
    const detail = `Entry ${seq} (${id}) stands after entry ${expected.seq - 1}.`;
    return { fault: { seq, id, reason: 'misplaced', detail }, isNext: false, isChecked: false };
  }
  if (seq > expected.seq) {
    const detail = `Entries ${expected.seq} to ${seq - 1} are not there.`;
    return { fault: { seq: expected.seq, id: null, reason: 'missing', detail }, isNext: true, isChecked: false };
  }
  if (expected.previous === undefined) return { isNext: true, isChecked: false };
  if (hash === chainHash({ previous: expected.previous, seq, revision, body: JSON.stringify(body) })) {
    return { isNext: true, isChecked: true };
  }
  const detail = `Entry ${seq} (${id}) does not have the hash that its text and the entry before it give.`;
  return { fault: { seq, id, reason: 'altered', detail }, isNext: true, isChecked: true };
}

function unreadable(line: number, expected: Place | undefined): ChainFault {
  return { seq: expected?.seq ?? 0, id: null, reason: 'altered', detail: `Line ${line} is not an audit entry.` };
}

function anchorFaults(anchor: ChainPoint, found: string | undefined, head: ChainPoint): ChainFault[] {
  const { seq, hash } = anchor;
  if (found === hash) return [];
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
