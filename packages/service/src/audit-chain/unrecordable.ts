import type { ChainReport } from '@meshwork/contract';
import { StoreError } from '@meshwork/store';
import { cutOff } from './chain-ends.ts';
import { MAX_FAULTS } from './chain-walk.ts';

/** The report of a check that could not be put into the trail itself. Throws what has nothing to do with the trail. */
export function unrecordable(report: ChainReport, error: unknown): ChainReport {
  if (!isRefusedByTrail(error)) throw error;
  const { seq } = report.head;
  const fault = cutOff(
    seq + 1,
    `The store takes no entry after ${seq}, so this verification is not in the trail either.`,
  );
  return { ...report, intact: false, faults: [fault, ...report.faults].slice(0, MAX_FAULTS) };
}

/** The place of the next entry is taken, or the file is broken: a fault of the trail, which the report is about. */
function isRefusedByTrail(error: unknown): boolean {
  return error instanceof StoreError && (error.fault === 'misuse' || error.fault === 'damaged');
}
