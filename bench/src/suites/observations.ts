import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Journal, openStore } from '@meshwork/store';
import { startPostgresServer } from '@meshwork/store/testing';
import { onAllCores } from '../all-cores.ts';
import { interleaved, type Row } from '../measure.ts';
import { newObservations, type RawBatches, rawPostgres, rawSqlite } from '../raw-batches.ts';

const ROUNDS = 5;
/** Appended in a round. */
const APPENDED = 50_000;
const CALLERS = 4;
const CALL = 2_500;
/** As the store slices them. */
const BATCH = 5_000;
/** Commits timed in a round, and what 10,000 nodes with ten measurements a minute come to. */
const COMMITS = 100;
const STEADY_PER_S = 1_700;

/**
 * Observations in bulk, against a raw batched insert in the same engine: into one plain table, and into the same table
 * with the same indexes. And what a commit takes beside them, against a commit by itself.
 */
export function observationsSuite(): Promise<Row[]> {
  return onAllCores(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-bench-'));
    const server = await startPostgresServer();
    try {
      const address = await server.newDatabase();
      const rawFile = (indexed: boolean) => join(folder, indexed ? 'indexed.db' : 'plain.db');
      const sqlite = `sqlite:${join(folder, 'store.db')}`;
      return [
        ...(await compare('SQLite', sqlite, async (indexed) => rawSqlite(rawFile(indexed), indexed))),
        ...(await compare('PostgreSQL', address, (indexed) => rawPostgres(address, indexed))),
      ];
    } finally {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function compare(
  engine: string,
  address: string,
  openRaw: (indexed: boolean) => Promise<RawBatches>,
): Promise<Row[]> {
  const journal = await openStore(address);
  const [plain, indexed] = [await openRaw(false), await openRaw(true)];
  try {
    return [
      await appends(`observations, ${engine}`, journal, { what: 'raw batches, one plain table', raw: plain }),
      await appends('the same', journal, { what: 'raw batches, the same indexes', raw: indexed }),
      await commits(`95 % of commits, beside ${STEADY_PER_S.toLocaleString('en')} a second`, journal, STEADY_PER_S),
      await commits('95 % of commits, beside as many as go', journal, Number.POSITIVE_INFINITY),
    ];
  } finally {
    await Promise.all([journal.close(), plain.close(), indexed.close()]);
  }
}

async function appends(
  what: string,
  journal: Journal,
  against: { readonly what: string; readonly raw: RawBatches },
): Promise<Row> {
  const { ours, theirs } = await interleaved(
    ROUNDS,
    () => perSecond(() => appendAll(journal)),
    () => perSecond(() => rawAll(against.raw)),
  );
  return { what, value: ours, unit: 'rows/s', against: { what: against.what, value: theirs } };
}

async function perSecond(append: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await append();
  return APPENDED / ((performance.now() - startedAt) / 1000);
}

/** Several calls at a time: some wait in memory while others are written. */
async function appendAll(journal: Journal): Promise<void> {
  const caller = async () => {
    for (let done = 0; done < APPENDED / CALLERS; done += CALL) await journal.observe(newObservations(CALL));
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

async function rawAll(raw: RawBatches): Promise<void> {
  for (let done = 0; done < APPENDED; done += BATCH) await raw.insert(newObservations(BATCH));
}

async function commits(what: string, journal: Journal, perSecondBeside: number): Promise<Row> {
  const { ours, theirs } = await interleaved(
    ROUNDS,
    () => beside(journal, perSecondBeside, () => commitTime(journal)),
    () => commitTime(journal),
  );
  return { what, value: ours, unit: 'ms', against: { what: 'by itself', value: theirs } };
}

/** Measures while observations come in: ten times a second, as heartbeats of many nodes do, or as fast as they go. */
async function beside(journal: Journal, perSecondBeside: number, measure: () => Promise<number>): Promise<number> {
  const steady = Number.isFinite(perSecondBeside);
  let ended = false;
  const appending = async () => {
    const appended: Promise<void>[] = [];
    while (!ended) {
      const call = journal.observe(newObservations(steady ? perSecondBeside / 10 : CALL));
      appended.push(call);
      await (steady ? sleep(100) : call);
    }
    await Promise.all(appended);
  };
  const running = Array.from({ length: steady ? 1 : CALLERS }, appending);
  const took = await measure();
  ended = true;
  await Promise.all(running);
  return took;
}

/** Of commits that come one after the other, what all but one in twenty stay within: those that had to wait count. */
async function commitTime(journal: Journal): Promise<number> {
  let revision = await journal.load(() => undefined);
  const times: number[] = [];
  for (let made = 0; made < COMMITS; made += 1) {
    const next = revision + 1;
    const body = JSON.stringify({ next, padding: 'x'.repeat(400) });
    const changes = [{ kind: 'role', id: `role-${next % 100}`, body }];
    const startedAt = performance.now();
    revision = await journal.commit(revision, () => [{ revision: next, changes, appends: [] }]);
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(COMMITS * 0.95)] ?? Number.NaN;
}
