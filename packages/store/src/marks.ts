import type { Mark } from './journal.ts';
import { requireName, requireText, requireWhole } from './storable.ts';

export function requireMark({ key, at_ms, count, body }: Mark): void {
  requireName('a mark key', key);
  requireWhole(`the time of mark ${key}`, at_ms);
  requireWhole(`the count of mark ${key}`, count);
  if (body !== null) requireText(`the body of mark ${key}`, body);
}

/** One mark a key, the latest; of two at the same time the one that came last. */
export function latestMarks(marks: readonly Mark[]): readonly Mark[] {
  const latest = new Map<string, Mark>();
  for (const mark of marks) {
    requireMark(mark);
    const known = latest.get(mark.key);
    if (known === undefined || mark.at_ms >= known.at_ms) latest.set(mark.key, mark);
  }
  return [...latest.values()];
}
