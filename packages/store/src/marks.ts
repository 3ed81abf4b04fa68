import type { Mark } from './journal.ts';
import { requireName, requireText, requireWhole } from './storable.ts';

/** One mark a key, the latest; of two at the same time the one that came last. */
export function latestMarks(marks: readonly Mark[]): readonly Mark[] {
  const latest = new Map<string, Mark>();
  for (const mark of marks) {
    requireName('a mark key', mark.key);
    requireWhole(`the time of mark ${mark.key}`, mark.at_ms);
    if (mark.body !== null) requireText(`the body of mark ${mark.key}`, mark.body);
    const known = latest.get(mark.key);
    if (known === undefined || mark.at_ms >= known.at_ms) latest.set(mark.key, mark);
  }
  return [...latest.values()];
}
