import { type AuditBody, type AuditEntry, covers, type Scope } from '@meshwork/contract';
import type { Entry } from '@meshwork/store';

/** An entry as callers see it: the text that was hashed, then what the commit gave it. */
export function auditRecord(entry: Entry): AuditEntry {
  const body = JSON.parse(entry.body) as AuditBody;
  return { ...body, seq: entry.seq, revision: entry.revision, hash: entry.hash };
}

/** Who may read an entry: whoever's scope covers what it was about. */
export function isVisible(record: AuditEntry, scope: Scope): boolean {
  return covers(scope, record.scope);
}
