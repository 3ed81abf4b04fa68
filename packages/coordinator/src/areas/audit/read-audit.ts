import {
  type AuditEntry,
  DEFAULT_LIMIT,
  decodeCursor,
  encodeCursor,
  invalid,
  isId,
  MeshError,
} from '@meshwork/contract';
import type { Journal } from '@meshwork/store';
import { AUDIT_LOG } from '../../mesh/audit-entry.ts';
import type { Call, Reply, Stream } from '../handler.ts';
import { filtersOf, isWanted, type Trail } from './audit-filters.ts';
import { auditRecord, isVisible } from './audit-record.ts';
import { exportAudit } from './export-audit.ts';

const CHUNK = 500;
/** Chunks one page may look through for entries the caller may see; after that the page is short. */
const CHUNKS_A_PAGE = 20;

export async function listAudit(mesh: Trail, call: Call<'audit.list'>): Promise<Reply<'audit.list'> | Stream> {
  if (call.wants === 'application/x-ndjson') return exportAudit(mesh, call, call.wants);
  const { journal } = mesh;
  const filters = filtersOf(call.query, mesh.model);
  const limit = call.query.limit ?? DEFAULT_LIMIT;
  const items: AuditEntry[] = [];
  let before = call.query.cursor === undefined ? undefined : startOf(call.query.cursor);
  for (let chunk = 0; chunk < CHUNKS_A_PAGE; chunk++) {
    const entries = await journal.range({ ...filters, order: 'newest_first', limit: CHUNK, ...after(before) });
    for (const entry of entries) {
      const record = auditRecord(entry);
      if (isWanted(record, call)) {
        // Only one more that the caller may see makes another page: a cursor alone would reveal what it may not see.
        if (items.length === limit) return page(items, items.at(-1)?.seq);
        items.push(record);
      }
      before = entry.seq;
    }
    if (entries.length < CHUNK) return page(items, undefined);
  }
  return page(items, before);
}

export async function showAudit(journal: Journal, call: Call<'audit.show'>): Promise<Reply<'audit.show'>> {
  const { id } = call.params;
  const entry = isId('audit', id) ? await journal.entry(AUDIT_LOG, id) : undefined;
  const missing = `There is no audit entry "${id}".`;
  if (entry === undefined) throw new MeshError('not_found', missing);
  const record = auditRecord(entry);
  if (!isVisible(record, call.actor.scope)) throw new MeshError('not_found', missing, { refused_as: 'outside_scope' });
  return { body: record };
}

function page(items: AuditEntry[], last_seq: number | undefined): Reply<'audit.list'> {
  return { body: { items, next_cursor: last_seq === undefined ? null : encodeCursor('audit.list', last_seq) } };
}

function startOf(cursor: string): number {
  const seq = decodeCursor('audit.list', cursor, 'number');
  if (!Number.isSafeInteger(seq) || seq < 0) throw invalid('query/cursor', 'is not a cursor of this list');
  return seq;
}

function after(seq: number | undefined): { after_seq?: number } {
  return seq === undefined ? {} : { after_seq: seq };
}
