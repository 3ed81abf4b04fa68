import type { ObservationPlace, ObservationQuery, ObservationRetention } from './journal.ts';
import { type ParameterSign, type Sql, SqlConditions } from './sql-conditions.ts';

const COLUMNS = 'log, key, at_ms, id, body';

/** The place in a log, which an index has in this order. */
const PLACE = ['at_ms', 'key', 'id'] as const;

export function inOrder(query: Pick<ObservationQuery, 'order'>): string {
  const direction = query.order === 'newest_first' ? 'DESC' : 'ASC';
  return PLACE.map((column) => `${column} ${direction}`).join(', ');
}

/** The time window, and what lies beyond the place to go on from. */
function addBounds(where: SqlConditions, { order, from_ms, to_ms, after }: ObservationQuery): void {
  where.add('at_ms >=', from_ms);
  where.add('at_ms <', to_ms);
  where.add(`(${PLACE.join(', ')}) ${beyond(order)}`, after?.at_ms, after?.key, after?.id);
}

/** The same for an index that has the key before the time: it can start at a time, though not at a place. */
export function addBoundsByKey(where: SqlConditions, query: ObservationQuery): void {
  addBounds(where, query);
  where.add(`at_ms ${beyond(query.order)}=`, query.after?.at_ms);
}

function beyond(order: ObservationQuery['order']): '<' | '>' {
  return order === 'newest_first' ? '<' : '>';
}

/** Observations of every key. */
export function everyKeySql(query: ObservationQuery, sign: ParameterSign): Sql {
  const where = new SqlConditions(sign);
  where.add('log =', query.log);
  addBounds(where, query);
  const limit = where.parameter(query.limit);
  const text = `SELECT ${COLUMNS} FROM observations WHERE ${where.text} ORDER BY ${inOrder(query)} LIMIT ${limit}`;
  return { text, values: where.values };
}

/** The latest observation that is beyond the most that a log may have. */
export function firstBeyondSql(sign: ParameterSign): string {
  const newestFirst = inOrder({ order: 'newest_first' });
  return `SELECT at_ms, key, id FROM observations WHERE log = ${sign}1 ORDER BY ${newestFirst} LIMIT 1 OFFSET ${sign}2`;
}

/** What to remove of a log: what is before a time, or up to a place. */
export type Removal = { readonly before_ms: number } | { readonly up_to: ObservationPlace };

/** Selects the oldest rows that are to go, by the name that the engine has for a row. */
export function removalSql(
  row: 'rowid' | 'ctid',
  { log, removal, limit }: { readonly log: string; readonly removal: Removal; readonly limit: number },
): Sql {
  const where = new SqlConditions(row === 'rowid' ? '?' : '$');
  where.add('log =', log);
  if ('before_ms' in removal) where.add('at_ms <', removal.before_ms);
  else {
    const { at_ms, key, id } = removal.up_to;
    where.add(`(${PLACE.join(', ')}) <=`, at_ms, key, id);
  }
  const most = where.parameter(limit);
  const oldestFirst = inOrder({ order: 'oldest_first' });
  const text = `SELECT ${row} FROM observations WHERE ${where.text} ORDER BY ${oldestFirst} LIMIT ${most}`;
  return { text, values: where.values };
}

/** The removals that a retention asks for, one after the other. */
export async function removalsOf(
  { before_ms, most }: ObservationRetention,
  firstBeyond: (most: number) => Promise<ObservationPlace | undefined>,
  remove: (removal: Removal) => Promise<number>,
): Promise<number> {
  const byAge = before_ms === undefined ? 0 : await remove({ before_ms });
  const up_to = most === undefined ? undefined : await firstBeyond(most);
  return byAge + (up_to === undefined ? 0 : await remove({ up_to }));
}
