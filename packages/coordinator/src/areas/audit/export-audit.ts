import { invalid } from '@meshwork/contract';
import type { Journal, LogQuery } from '@meshwork/store';
import { AUDIT_LOG } from '../../mesh/audit-entry.ts';
import type { Call, Stream } from '../handler.ts';
import { type Filters, filtersOf, isWanted, type Trail } from './audit-filters.ts';
import { auditRecord } from './audit-record.ts';

const CHUNK = 500;

/** Every matching entry, oldest first, up to the one that is the newest now. */
export async function exportAudit(mesh: Trail, call: Call<'audit.list'>, type: string): Promise<Stream> {
  refusePages(call.query);
  const { journal } = mesh;
  const filters = filtersOf(call.query, mesh.model);
  // What is there, not what the log says of itself: an export of a damaged trail is wanted most of all.
  const [newest] = await journal.range({ log: AUDIT_LOG, order: 'newest_first', limit: 1 });
  return { type, lines: linesOf(journal, call, { filters, last_seq: newest?.seq ?? 0 }) };
}

async function* linesOf(
  journal: Journal,
  call: Call<'audit.list'>,
  { filters, last_seq }: { readonly filters: Filters; readonly last_seq: number },
): AsyncGenerator<string> {
  for (let after: Pick<LogQuery, 'after_seq'> = {}; ; ) {
    // A slow reader may take hours, and its token may be revoked meanwhile.
    call.ensureStillAllowed();
    const entries = await journal.range({ ...filters, order: 'oldest_first', limit: CHUNK, ...after });
    for (const entry of entries) {
      if (entry.seq > last_seq) return;
      const record = auditRecord(entry);
      if (isWanted(record, call)) yield `${JSON.stringify(record)}\n`;
      after = { after_seq: entry.seq };
    }
    if (entries.length < CHUNK) return;
  }
}

function refusePages({ limit, cursor }: Call<'audit.list'>['query']): void {
  const given = limit !== undefined ? 'limit' : cursor !== undefined ? 'cursor' : undefined;
  if (given !== undefined) throw invalid(`query/${given}`, 'has no meaning in an export, which has no pages');
}
