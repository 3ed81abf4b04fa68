import { DEFAULT_LIMIT, decodeCursor, encodeCursor, invalid } from '@meshwork/contract';
import type { LogQuery } from '@meshwork/store';
import type { Ledger } from '../../ledger/ledger.ts';
import { TRAIL } from '../../ledger/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { trailEntry } from './trail-entry.ts';

const LIST = 'trail.list';

/** A page of the trail, the newest first. One entry more is read than shown: it tells whether there is another page. */
export async function listTrail(
  { journal }: Pick<Ledger, 'journal'>,
  call: Call<'trail.list'>,
): Promise<Reply<'trail.list'>> {
  const limit = call.query.limit ?? DEFAULT_LIMIT;
  const found = await journal.range({ ...filtersOf(call.query), log: TRAIL, order: 'newest_first', limit: limit + 1 });
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  const next_cursor = last === undefined ? null : encodeCursor(LIST, last.seq);
  return { body: { items: shown.map(trailEntry), next_cursor } };
}

function filtersOf({ actor, action, target, cursor }: Call<'trail.list'>['query']): Partial<LogQuery> {
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(target === undefined ? {} : { target }),
    ...(cursor === undefined ? {} : { after_seq: placeOf(cursor) }),
  };
}

function placeOf(cursor: string): number {
  const seq = decodeCursor(LIST, cursor, 'number');
  if (!Number.isSafeInteger(seq) || seq < 0) throw invalid('query/cursor', 'is not a cursor of this list');
  return seq;
}
