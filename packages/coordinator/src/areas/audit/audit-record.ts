import {
  type ActorRef,
  type AuditBody,
  type AuditEntry,
  covers,
  isId,
  type Scope,
  WHOLE_MESH,
} from '@meshwork/contract';
import type { Entry } from '@meshwork/store';
import { bodyOf } from './audit-body.ts';

const UNREADABLE = 'unreadable';
const DETAIL = 'The text of this entry cannot be read: it was changed in the store. Verify the trail.';

/** An entry as callers see it: the text that was hashed, then what the commit gave it. */
export function auditRecord(entry: Entry): AuditEntry {
  const body = bodyOf(entry) ?? unreadable(entry);
  // Entries of older versions have no `token` in their text. Behind everything else it is known not to be of the text.
  return { ...body, token: body.token ?? null, seq: entry.seq, revision: entry.revision, hash: entry.hash };
}

/** A caller may read an entry when its scope covers what the entry is about. */
export function isVisible(record: AuditEntry, scope: Scope): boolean {
  return covers(scope, record.scope);
}

/**
 * Stands in for a text that is lost, with what the entry is filed under, so that one damaged entry does not hide all
 * others. What it was about is not known either, so only those see it who may see anything.
 */
function unreadable({ id, at_ms, action, actor, target }: Entry): AuditBody {
  const at = new Date(at_ms);
  return {
    id,
    at: (Number.isNaN(at.getTime()) ? new Date(0) : at).toISOString(),
    action: action ?? UNREADABLE,
    outcome: 'done',
    code: null,
    count: 1,
    actor: { kind: kindOf(actor), id: actor, name: UNREADABLE },
    token: null,
    target: target === null ? null : { kind: UNREADABLE, id: target },
    scope: WHOLE_MESH,
    request_id: null,
    address: null,
    detail: DETAIL,
    changes: [],
  };
}

function kindOf(id: string | null): ActorRef['kind'] {
  if (id === null) return 'anonymous';
  return isId('user', id) ? 'person' : isId('node', id) ? 'node' : 'token';
}
