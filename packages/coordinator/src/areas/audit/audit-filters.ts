import { type AuditEntry, invalid } from '@meshwork/contract';
import type { LogQuery } from '@meshwork/store';
import { AUDIT_LOG } from '../../mesh/audit-entry.ts';
import type { Call } from '../handler.ts';
import { momentOf } from '../moment.ts';
import { isVisible } from './audit-record.ts';

/** What the store can narrow the trail by. */
export type Filters = Pick<LogQuery, 'log' | 'actor' | 'action' | 'target' | 'from_ms' | 'to_ms'>;

export function filtersOf(query: Call<'audit.list'>['query']): Filters {
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
    ...(from === undefined ? {} : { from_ms: momentOf('query/from', from) }),
    ...(to === undefined ? {} : { to_ms: momentOf('query/to', to) }),
  };
}

/** What it cannot: the caller's scope, and what stands in the text alone. */
export function isWanted(record: AuditEntry, call: Call<'audit.list'>): boolean {
  const { outcome, token } = call.query;
  return (
    isVisible(record, call.actor.scope) &&
    (outcome === undefined || record.outcome === outcome) &&
    (token === undefined || record.actor.kind === 'token')
  );
}
