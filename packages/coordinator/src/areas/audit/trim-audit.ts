import type { ChainPoint } from '@meshwork/contract/chain';
import type { Entry, Journal } from '@meshwork/store';
import { COORDINATOR } from '../../mesh/actor.ts';
import { AUDIT_LOG } from '../../mesh/audit-entry.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import { TRIM, trimTarget } from './trim-point.ts';

const DAY_MS = 24 * 3600 * 1000;

/**
 * Removes entries past the retention that the settings give. The trail says so first, durably, and names the last one
 * to go: whatever happens in between, no entry is ever gone without a word, and the verification can hold where the
 * trail begins against it.
 */
export async function trimAudit(mesh: Mesh): Promise<void> {
  const { retention_days } = settingsOf(mesh.model).audit;
  if (retention_days === null) return;
  const before_ms = mesh.clock.now() - retention_days * DAY_MS;
  const last = await lastDue(mesh.journal, before_ms);
  if (last === undefined) return;
  if (!(await isAnnounced(mesh.journal, last))) {
    const detail = `entries up to ${last.seq}, older than ${retention_days} days, are removed`;
    await mesh.transact({ actor: COORDINATOR, action: TRIM }, (tx) => tx.record({ target: trimTarget(last), detail }));
  }
  // Ends at the same entry, for nothing that is written meanwhile is old.
  await mesh.journal.trim(AUDIT_LOG, before_ms);
}

/** The entry before the first that has to stay. */
async function lastDue(journal: Journal, before_ms: number): Promise<ChainPoint | undefined> {
  const { base_seq } = await journal.ends(AUDIT_LOG);
  const first = await nearest(journal, { order: 'oldest_first' });
  // A trail that does not begin where it should was tampered with, and what is left of it is evidence.
  if (first === undefined || first.seq !== base_seq + 1 || first.at_ms >= before_ms) return undefined;
  const kept = await nearest(journal, { order: 'oldest_first', from_ms: before_ms });
  const last = await nearest(journal, { order: 'newest_first', ...(kept && { after_seq: kept.seq }) });
  return last && { seq: last.seq, hash: last.hash ?? '' };
}

/** Whether a run before this one said so and was interrupted. */
async function isAnnounced(journal: Journal, last: ChainPoint): Promise<boolean> {
  const { id } = trimTarget(last);
  const said = await journal.range({ log: AUDIT_LOG, order: 'newest_first', limit: 1, action: TRIM, target: id });
  return said.length > 0;
}

async function nearest(
  journal: Journal,
  where: { order: 'oldest_first' | 'newest_first'; from_ms?: number; after_seq?: number },
): Promise<Entry | undefined> {
  return (await journal.range({ log: AUDIT_LOG, limit: 1, ...where }))[0];
}
