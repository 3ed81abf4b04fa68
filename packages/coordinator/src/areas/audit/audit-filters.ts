import { type AuditEntry, invalid, isId, type TokenId, timeOfId } from '@meshwork/contract';
import type { LogQuery } from '@meshwork/store';
import { DELEGATION_REMEMBERED_MS } from '../../access/token-state.ts';
import { AUDIT_LOG } from '../../mesh/audit-entry.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { View } from '../../mesh/model.ts';
import type { Call } from '../handler.ts';
import { momentOf } from '../moment.ts';
import { isVisible } from './audit-record.ts';

/** What the store can narrow the trail by. */
export type Filters = Pick<LogQuery, 'log' | 'actor' | 'action' | 'target' | 'from_ms' | 'to_ms'>;

/** Where the entries are, and what shows who did them. */
export type Trail = Pick<Mesh, 'journal' | 'model'>;

type Query = Call<'audit.list'>['query'];

/** Clocks of coordinators on one store may differ by as much. */
const LEEWAY_MS = 5 * 60_000;

export function filtersOf(query: Query, view: View): Filters {
  const { action, target, from, to } = query;
  const who = whoFilters(query, view);
  const from_ms = latest(from === undefined ? undefined : momentOf('query/from', from), who.from_ms);
  const to_ms = earliest(to === undefined ? undefined : momentOf('query/to', to), who.to_ms);
  return {
    log: AUDIT_LOG,
    ...(who.actor === undefined ? {} : { actor: who.actor }),
    ...(action === undefined ? {} : { action }),
    ...(target === undefined ? {} : { target }),
    ...(from_ms === undefined ? {} : { from_ms }),
    ...(to_ms === undefined ? {} : { to_ms }),
  };
}

interface WhoFilters {
  readonly actor?: string;
  readonly from_ms?: number;
  readonly to_ms?: number;
}

/**
 * Entries are filed under who did it. What was done through the token of a person is filed under that person, so it is
 * looked for there; once the token is forgotten, in the time in which it can have been used, which its id tells.
 */
function whoFilters({ actor, token }: Query, view: View): WhoFilters {
  if (token === undefined) return actor === undefined ? {} : { actor };
  const known = view.get('token', token)?.body;
  const isPerson = actor !== undefined && isId('user', actor);
  if (actor !== undefined && actor !== token && !isPerson) {
    throw invalid('query/token', 'names another than query/actor; give one of them');
  }
  if (isPerson) return { actor };
  if (known !== undefined) return { actor: known.on_behalf_of?.id ?? token };
  return isId('token', token) ? timeOf(token) : { actor: token };
}

function timeOf(token: TokenId): WhoFilters {
  const made_ms = timeOfId(token);
  return { from_ms: made_ms - LEEWAY_MS, to_ms: made_ms + DELEGATION_REMEMBERED_MS + LEEWAY_MS };
}

/** What it cannot: the caller's scope, and what stands in the text alone. */
export function isWanted(record: AuditEntry, call: Call<'audit.list'>): boolean {
  const { outcome, token } = call.query;
  return (
    isVisible(record, call.actor.scope) &&
    (outcome === undefined || record.outcome === outcome) &&
    (token === undefined || isBy(record, token))
  );
}

/** Entries of older versions do not name the token beside who did it. */
function isBy({ token, actor }: AuditEntry, wanted: string): boolean {
  return token === wanted || (actor.kind === 'token' && actor.id === wanted);
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
