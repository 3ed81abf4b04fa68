import type { ChainReport } from '@meshwork/contract';
import type { ChainPoint } from '@meshwork/contract/chain';
import { type Reading, verifyChain } from '@meshwork/service';
import type { Entry, Journal } from '@meshwork/store';
import { AUDIT_LOG } from '../../mesh/audit-entry.ts';
import { bodyOf } from './audit-body.ts';
import { trimPointOf } from './trim-point.ts';

/** Holds the audit trail against its chain, and what is missing in front against what retention says it removed. */
export function verifyTrail(
  trail: Pick<Journal, 'range' | 'ends'>,
  anchor: ChainPoint | undefined,
): Promise<ChainReport> {
  return verifyChain(trail, { log: AUDIT_LOG, read, anchor });
}

function read(entry: Entry): Reading | undefined {
  const text = bodyOf(entry);
  return text === undefined ? undefined : { text, trimmed: trimPointOf(text) };
}
