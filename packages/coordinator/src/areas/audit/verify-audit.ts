import type { ChainReport } from '@meshwork/contract';
import { type Journal, StoreError } from '@meshwork/store';
import { AUDIT_LOG } from '../../mesh/audit-entry.ts';
import type { Call, Reply } from '../handler.ts';
import { cutOff } from './chain-ends.ts';
import { MAX_FAULTS } from './chain-walk.ts';
import { verifyChain } from './verify-chain.ts';

/** Checks the trail and says in the trail what was found, where that is still possible. */
export async function verifyAudit(journal: Journal, call: Call<'audit.verify'>): Promise<Reply<'audit.verify'>> {
  const report = await verifyChain(journal, AUDIT_LOG, call.body.anchor);
  const detail = report.intact ? `${report.checked} entries are intact` : `${report.faults.length} faults found`;
  try {
    return await call.transact((tx) => {
      tx.record({ target: null, detail });
      return { body: report };
    });
  } catch (error) {
    if (!isRefusedByTrail(error)) throw error;
    return { body: unrecorded(report) };
  }
}

/** The place of the next entry is taken, or the file is broken: a fault of the trail, which is what was asked for. */
function isRefusedByTrail(error: unknown): boolean {
  return error instanceof StoreError && (error.fault === 'misuse' || error.fault === 'damaged');
}

function unrecorded(report: ChainReport): ChainReport {
  const { seq } = report.head;
  const fault = cutOff(
    seq + 1,
    `The store takes no entry after ${seq}, so this verification is not in the trail either.`,
  );
  return { ...report, intact: false, faults: [fault, ...report.faults].slice(0, MAX_FAULTS) };
}
