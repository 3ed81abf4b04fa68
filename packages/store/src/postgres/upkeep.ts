/** What is written outside commits: signs of life, and the removal of what is no longer wanted. */
import type pg from 'pg';
import type { Mark, Revision } from '../journal.ts';
import { ask, askOne } from './ask.ts';

/** Rows removed by one statement: commits that touch the same rows wait for it. */
const REMOVAL_CHUNK = 2_000;

/**
 * The rows come from joining the new stamp, so the stamp's lock is taken before any mark's: two coordinators never wait
 * for each other. A mark older than the stored one changes nothing, the stamp included.
 */
const PUT_MARKS = `
  WITH next AS (UPDATE mark_stamp SET stamp = stamp + 1 RETURNING stamp)
  INSERT INTO marks (key, at_ms, count, body, stamp)
  SELECT seen.key, seen.at_ms, seen.count, seen.body, next.stamp
  FROM next, unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) AS seen (key, at_ms, count, body)
  ON CONFLICT (key) DO UPDATE
  SET at_ms = excluded.at_ms, count = excluded.count, body = excluded.body, stamp = excluded.stamp
  WHERE excluded.at_ms >= marks.at_ms`;

/**
 * The base moves after the entries are gone, in the same statement, so that the log's row is locked only briefly: each
 * commit needs it. Where another coordinator was faster, nothing is removed and the base stays.
 */
const TRIM = `
  WITH oldest AS (
    SELECT seq, at_ms, hash FROM entries WHERE log = $1 ORDER BY seq LIMIT $3
  ), last AS (
    SELECT seq, hash FROM oldest
    WHERE seq < coalesce((SELECT min(seq) FROM oldest WHERE at_ms >= $2), 9223372036854775807)
    ORDER BY seq DESC LIMIT 1
  ), removed AS (
    DELETE FROM entries WHERE log = $1 AND seq <= (SELECT seq FROM last) RETURNING seq
  ), total AS (
    SELECT count(*) AS entries FROM removed
  ), moved AS (
    UPDATE logs SET base_seq = last.seq, base_hash = coalesce(last.hash, base_hash)
    FROM last, total WHERE name = $1 AND total.entries > 0
  )
  SELECT entries FROM total`;

/** Passes over what a commit is just writing again: waiting for each other in different orders would be a deadlock. */
const FORGET_DELETIONS = `
  WITH forgotten AS (
    DELETE FROM documents WHERE (kind, id) IN (
      SELECT kind, id FROM documents WHERE body IS NULL AND revision <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*) AS entries FROM forgotten`;

export async function notify(pool: pg.Pool, channel: string, message: string): Promise<void> {
  await ask(pool, { text: 'SELECT pg_notify($1, $2)', values: [channel, message] });
}

export async function putMarks(pool: pg.Pool, marks: readonly Mark[]): Promise<void> {
  const values = [
    marks.map(({ key }) => key),
    marks.map(({ at_ms }) => at_ms),
    marks.map(({ count }) => count),
    marks.map(({ body }) => body),
  ];
  await ask(pool, { text: PUT_MARKS, values });
}

export function trim(pool: pg.Pool, log: string, beforeMs: number): Promise<number> {
  return inChunks(() => askOne(pool, { text: TRIM, values: [log, beforeMs, REMOVAL_CHUNK] }));
}

/** The horizon moves first: from then on no reader relies on the deletions. */
export async function compact(pool: pg.Pool, upTo: Revision): Promise<void> {
  const { horizon } = await askOne<{ horizon: Revision }>(pool, {
    text: 'UPDATE head SET horizon = greatest(horizon, least(revision, $1)) RETURNING horizon',
    values: [upTo],
  });
  await inChunks(() => askOne(pool, { text: FORGET_DELETIONS, values: [horizon, REMOVAL_CHUNK] }));
}

/** Reads, and writes durably, without waiting for anyone's commit. */
export async function touch(pool: pg.Pool, writer: string): Promise<void> {
  await ask(pool, {
    text: `INSERT INTO writers (writer, last_commit, seen_at) VALUES ($1, 0, now())
      ON CONFLICT (writer) DO UPDATE SET seen_at = excluded.seen_at`,
    values: [writer],
  });
  await askOne(pool, 'SELECT revision FROM head');
}

async function inChunks(removeSome: () => Promise<{ readonly entries: number }>): Promise<number> {
  let removed = 0;
  for (let more = true; more; ) {
    const { entries } = await removeSome();
    removed += entries;
    more = entries === REMOVAL_CHUNK;
  }
  return removed;
}
