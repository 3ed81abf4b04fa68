import {
  type AuditEntry,
  DEFAULT_LIMIT,
  decodeCursor,
  encodeCursor,
  invalid,
  isId,
  MeshError,
} from '@meshwork/contract';
import type { Journal, LogQuery } from '@meshwork/store';
import { AUDIT_LOG } from '../../mesh/audit-entry.ts';
import type { Call, Reply, Stream } from '../handler.ts';
import { auditRecord, isVisible } from './audit-record.ts';

const CHUNK = 500;
/** Chunks one page may look through for entries the caller may see; after that the page is short. */
const CHUNKS_A_PAGE = 20;

export async function listAudit(journal: Journal, call: Call<'audit.list'>): Promise<Reply<'audit.list'> | Stream> {
  const filters = filtersOf(call.query);
  if (call.wants === 'application/x-ndjson') return { type: call.wants, lines: exported(journal, call, filters) };
  const limit = call.query.limit ?? DEFAULT_LIMIT;
  const items: AuditEntry[] = [];
  let before = call.query.cursor === undefined ? undefined : startOf(call.query.cursor);
  for (let chunk = 0; chunk < CHUNKS_A_PAGE; chunk++) {
    const entries = await journal.range({ ...filters, order: 'newest_first', limit: CHUNK, ...after(before) });
    for (const entry of entries) {
      if (items.length === limit) return { body: { items, next_cursor: encodeCursor('audit.list', before ?? 0) } };
      before = entry.seq;
      const record = auditRecord(entry);
      if (isWanted(record, call)) items.push(record);
    }
    if (entries.length < CHUNK) return { body: { items, next_cursor: null } };
  }
  return { body: { items, next_cursor: encodeCursor('audit.list', before ?? 0) } };
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

async function* exported(journal: Journal, call: Call<'audit.list'>, filters: Filters): AsyncGenerator<string> {
  for (let last: number | undefined; ; ) {
    const entries = await journal.range({ ...filters, order: 'oldest_first', limit: CHUNK, ...after(last) });
    for (const entry of entries) {
      const record = auditRecord(entry);
      if (isWanted(record, call)) yield `${JSON.stringify(record)}\n`;
      last = entry.seq;
    }
    if (entries.length < CHUNK) return;
  }
}

function isWanted(record: AuditEntry, call: Call<'audit.list'>): boolean {
  const { outcome, token } = call.query;
  return (
    isVisible(record, call.actor.scope) &&
    (outcome === undefined || record.outcome === outcome) &&
    (token === undefined || record.actor.kind === 'token')
  );
}

type Filters = Pick<LogQuery, 'log' | 'actor' | 'action' | 'target' | 'from_ms' | 'to_ms'>;

function filtersOf(query: Call<'audit.list'>['query']): Filters {
  const { actor, token, action, target, from, to } = query;
  if (actor !== undefined && token !== undefined && actor !== token) {
    throw invalid('query/token', 'names another than query/actor; give one of them');
  }
  const who = token ?? actor;
  return {
    log: AUDIT_LOG,
    ...(who === undefined ? {} : { actor: who }),
    ...(action === undefined ? {} : { action }),
    ...(target === undefined ? {} : { target }),
    ...(from === undefined ? {} : { from_ms: moment('query/from', from) }),
    ...(to === undefined ? {} : { to_ms: moment('query/to', to) }),
  };
}

function moment(pointer: string, text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid(pointer, `"${text}" is not a date and time that exists`);
  return ms;
}

function startOf(cursor: string): number {
  const seq = decodeCursor('audit.list', cursor, 'number');
  if (!Number.isSafeInteger(seq) || seq < 0) throw invalid('query/cursor', 'is not a cursor of this list');
  return seq;
}

function after(seq: number | undefined): { after_seq?: number } {
  return seq === undefined ? {} : { after_seq: seq };
}
