import { type Reading, unrecordable, verifyChain } from '@meshwork/service';
import type { Entry } from '@meshwork/store';
import type { Ledger } from '../../ledger/ledger.ts';
import { TRAIL } from '../../ledger/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { textOf } from './trail-entry.ts';

/** Checks the trail and records the result in it, where that is still possible. */
export async function verifyTrail(
  ledger: Pick<Ledger, 'journal' | 'transact'>,
  call: Call<'trail.verify'>,
): Promise<Reply<'trail.verify'>> {
  const report = await verifyChain(ledger.journal, { log: TRAIL, read });
  const detail = report.intact ? `${report.checked} entries are intact` : `${report.faults.length} faults found`;
  try {
    await ledger.transact(call.cause, (tx) => tx.record({ detail }));
    return { body: report };
  } catch (error) {
    return { body: unrecordable(report, error) };
  }
}

/** The panel keeps its trail forever: no entry is about a removal. */
function read(entry: Entry): Reading | undefined {
  const text = textOf(entry);
  return text === undefined ? undefined : { text };
}
