import { mergePatch } from '../../api/merge-patch.ts';

/** Of these, members count one by one. */
const MERGED: ReadonlySet<string> = new Set(['upstream', 'check', 'traffic', 'networks', 'limits', 'tls']);

/** What is other than before in an ingress, or in a part of it. */
export function changesBetween<Change extends object>(now: Change, before: object): Partial<Change> {
  return mergePatch(now, before, MERGED);
}
