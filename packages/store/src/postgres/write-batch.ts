import { CHAIN_START } from '@meshwork/contract/chain';
import type pg from 'pg';
import type { Batch } from '../batch.ts';
import type { Entry } from '../journal.ts';
import type { LogHead } from '../link-entries.ts';
import { StoreError } from '../store-error.ts';
import { askOne } from './ask.ts';
import { isDuplicate } from './postgres-fault.ts';

/** Everything a commit writes, in one statement and one round trip. Each column of rows travels as one array. */
const WRITE_BATCH = `
  WITH put AS (
    INSERT INTO documents (kind, id, revision, body)
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[])
    ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision, body = excluded.body
  ), appended AS (
    INSERT INTO entries (log, seq, id, at_ms, revision, actor, action, target, body, hash)
    SELECT * FROM unnest($5::text[], $6::bigint[], $7::text[], $8::bigint[], $9::bigint[],
      $10::text[], $11::text[], $12::text[], $13::text[], $14::text[])
  ), logged AS (
    INSERT INTO logs (name, chained, base_seq, base_hash, head_seq, head_hash)
    SELECT name, chained, 0, '${CHAIN_START}', seq, hash
    FROM unnest($15::text[], $16::boolean[], $17::bigint[], $18::text[]) AS moved (name, chained, seq, hash)
    ON CONFLICT (name) DO UPDATE SET head_seq = excluded.head_seq, head_hash = excluded.head_hash
  ), remembered AS (
    INSERT INTO writers (writer, last_commit, seen_at) VALUES ($19, $20, now())
    ON CONFLICT (writer) DO UPDATE SET last_commit = excluded.last_commit, seen_at = excluded.seen_at
  ), moved AS (
    UPDATE head SET revision = $21 WHERE revision = $22 RETURNING revision
  )
  SELECT pg_notify($23, revision::text) FROM moved`;

interface Writing {
  readonly batch: Batch;
  readonly entries: readonly Entry[];
  readonly heads: ReadonlyMap<string, LogHead>;
  readonly writer: string;
  readonly number: number;
  readonly channel: string;
}

export async function writeBatch(client: pg.ClientBase, writing: Writing): Promise<void> {
  const { batch, entries, heads, writer, number, channel } = writing;
  const values = [
    ...columns(batch.documents, ['kind', 'id', 'revision', 'body']),
    ...columns(entries, ['log', 'seq', 'id', 'at_ms', 'revision', 'actor', 'action', 'target', 'body', 'hash']),
    [...heads.keys()],
    ...columns([...heads.values()], ['chained', 'seq', 'hash']),
    writer,
    number,
    batch.revision,
    batch.after,
    channel,
  ];
  try {
    await askOne(client, { name: 'write-batch', text: WRITE_BATCH, values });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new StoreError('misuse', `a log already has an entry with that id. ${error.detail}`, { cause: error });
  }
}

function columns<Row extends object>(rows: readonly Row[], names: readonly (keyof Row)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]));
}
