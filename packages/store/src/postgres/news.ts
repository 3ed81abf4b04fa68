import type pg from 'pg';
import type { News, Revision } from '../journal.ts';
import { ask } from './ask.ts';

type Version = News['documents'][number];

/** The head, and one changed document beside it; without a kind there is none. */
type Row = { readonly head: Revision; readonly horizon: Revision } & (Version | { readonly kind: null });

/**
 * One statement each, and so one moment. Not kept prepared: a plan made without knowing the revision would read the
 * whole table. LIMIT tells the planner, which knows nothing of a new store, that there is one head.
 * The first gives no documents where the answer has to be whole.
 */
const CHANGED = `
  SELECT head.revision AS head, head.horizon, documents.kind, documents.id, documents.revision, documents.body
  FROM (SELECT revision, horizon FROM head LIMIT 1) AS head
  LEFT JOIN documents ON documents.revision > $1 AND $1 BETWEEN head.horizon AND head.revision
  ORDER BY documents.revision`;
const EVERYTHING = `
  SELECT head.revision AS head, head.horizon, documents.kind, documents.id, documents.revision, documents.body
  FROM (SELECT revision, horizon FROM head LIMIT 1) AS head
  LEFT JOIN documents ON documents.body IS NOT NULL
  ORDER BY documents.revision`;

/** What was committed after a revision: for `since`, and for a commit that finds itself behind. */
export async function readNews(asked: pg.ClientBase | pg.Pool, after: Revision): Promise<News> {
  const changed = await ask<Row>(asked, { text: CHANGED, values: [after] });
  const { head, horizon } = headOf(changed);
  if (after >= horizon && after <= head) return { revision: head, documents: changed.flatMap(toVersion), whole: false };
  const everything = await ask<Row>(asked, EVERYTHING);
  return { revision: headOf(everything).head, documents: everything.flatMap(toVersion), whole: true };
}

function headOf([first]: readonly Row[]): Row {
  if (first === undefined) throw new Error('the head row is missing');
  return first;
}

function toVersion(row: Row): readonly Version[] {
  if (row.kind === null) return [];
  const { kind, id, revision, body } = row;
  return [{ kind, id, revision, body }];
}
