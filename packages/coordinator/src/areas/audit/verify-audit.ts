import { unrecordable } from '@meshwork/service';
import type { Journal } from '@meshwork/store';
import type { Call, Reply } from '../handler.ts';
import { verifyTrail } from './verify-trail.ts';

/** Checks the trail and says in the trail what was found, where that is still possible. */
export async function verifyAudit(journal: Journal, call: Call<'audit.verify'>): Promise<Reply<'audit.verify'>> {
  const report = await verifyTrail(journal, call.body.anchor);
  const detail = report.intact ? `${report.checked} entries are intact` : `${report.faults.length} faults found`;
  try {
    return await call.transact((tx) => {
      tx.record({ target: null, detail });
      return { body: report };
    });
  } catch (error) {
    return { body: unrecordable(report, error) };
  }
}
