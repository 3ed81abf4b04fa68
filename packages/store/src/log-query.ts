import type { LogQuery } from './journal.ts';
import { type ParameterSign, type Sql, SqlConditions } from './sql-conditions.ts';
import { isName, requireWhole } from './storable.ts';

const COLUMNS = 'log, seq, id, at_ms, revision, actor, action, target, body, hash';

/**
 * Up to how many entries of a time window are looked at to find where in the log the window lies.
 * Entries stand in order of `seq`, and their times only roughly follow. Walking the log by `seq` past everything outside
 * a narrow window far back would read the whole log; reading a wide window to sort it by `seq` would too.
 */
const NARROW_WINDOW = 20_000;

/** A user may query for names that no entry can have. They find nothing, in both engines. */
export function canMatch(query: Pick<LogQuery, 'log' | 'actor' | 'action' | 'target'>): boolean {
  return [query.log, query.actor, query.action, query.target].every((name) => name === undefined || isName(name));
}

export function requireQuery(query: LogQuery): void {
  requireWhole('the limit', query.limit, 1);
  if (query.after_seq !== undefined) requireWhole('after_seq', query.after_seq, 0);
  if (query.from_ms !== undefined) requireWhole('from_ms', query.from_ms);
  if (query.to_ms !== undefined) requireWhole('to_ms', query.to_ms);
}

/** Asks how many entries lie in the query's time window, and between which places. Absent: the query has no window. */
export function windowSql(query: LogQuery, sign: ParameterSign): Sql | undefined {
  if (query.from_ms === undefined && query.to_ms === undefined) return undefined;
  const where = new SqlConditions(sign);
  where.add('log =', query.log);
  where.add('at_ms >=', query.from_ms);
  where.add('at_ms <', query.to_ms);
  const inside = `SELECT seq FROM entries WHERE ${where.text} LIMIT ${NARROW_WINDOW + 1}`;
  const text = `SELECT count(*) AS entries, min(seq) AS first, max(seq) AS last FROM (${inside}) AS inside`;
  return { text, values: where.values };
}

export interface Window {
  readonly entries: number;
  readonly first: number | null;
  readonly last: number | null;
}

export function rangeSql(query: LogQuery, window: Window | undefined, sign: ParameterSign): Sql {
  const newestFirst = query.order === 'newest_first';
  const where = new SqlConditions(sign);
  where.add('log =', query.log);
  where.add(newestFirst ? 'seq <' : 'seq >', query.after_seq);
  if (window !== undefined && window.entries <= NARROW_WINDOW) {
    where.add('seq >=', window.first ?? 0);
    where.add('seq <=', window.last ?? 0);
  }
  where.add('at_ms >=', query.from_ms);
  where.add('at_ms <', query.to_ms);
  where.add('actor =', query.actor);
  where.add('action =', query.action);
  where.add('target =', query.target);
  const order = newestFirst ? 'DESC' : 'ASC';
  const limit = where.parameter(query.limit);
  const text = `SELECT ${COLUMNS} FROM entries WHERE ${where.text} ORDER BY seq ${order} LIMIT ${limit}`;
  return { text, values: where.values };
}

export function entrySql(sign: ParameterSign): string {
  return `SELECT ${COLUMNS} FROM entries WHERE log = ${sign}1 AND id = ${sign}2`;
}
