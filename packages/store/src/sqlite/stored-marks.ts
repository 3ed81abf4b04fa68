import type { Mark } from '../journal.ts';
import { readMarks } from './mark-text.ts';
import type { Statements } from './statements.ts';

/** A mark, and the batch it came in. */
export interface StampedMark extends Mark {
  readonly stamp: number;
}

/**
 * The latest mark of each key, from the rows and the batches. Nothing is written that is older than what is there (see
 * mark-ledger.ts), so what comes later in the order of stamps is the latest, and a body holds until another is given.
 */
export function storedMarks(sql: Statements): ReadonlyMap<string, StampedMark> {
  const rows = sql.all<StampedMark>('SELECT key, at_ms, count, body, stamp FROM marks');
  const latest = new Map(rows.map((mark) => [mark.key, mark]));
  const batches = sql.all<{ stamp: number; marks: string }>('SELECT stamp, marks FROM mark_batches ORDER BY stamp');
  for (const { stamp, marks } of batches) {
    for (const { key, at_ms, count, body } of readMarks(marks)) {
      latest.set(key, { key, at_ms, count, body: body === undefined ? (latest.get(key)?.body ?? null) : body, stamp });
    }
  }
  return latest;
}
