import { resolve } from 'node:path';
import { toBatch } from '../batch.ts';
import { BegunWork } from '../begun-work.ts';
import type {
  Compose,
  Document,
  Entry,
  Journal,
  Leadership,
  LeadershipWatch,
  LogEnds,
  LogQuery,
  Mark,
  NewObservation,
  News,
  Observation,
  ObservationCounts,
  ObservationQuery,
  ObservationRetention,
  Revision,
} from '../journal.ts';
import { NEVER_LEADING } from '../leadership.ts';
import { EMPTY_LOG } from '../link-entries.ts';
import { canMatch, requireQuery } from '../log-query.ts';
import type { ObservingOptions } from '../observation-buffer.ts';
import { Observing } from '../observing.ts';
import { OneAtATime } from '../one-at-a-time.ts';
import { isName, requireMessage, requireWhole } from '../storable.ts';
import type { SqliteOptions } from './database.ts';
import { toDocuments } from './document-rows.ts';
import { LocalLeadership } from './local-leadership.ts';
import { MarkLedger } from './mark-ledger.ts';
import { SqliteObservations } from './observations.ts';
import { Thread } from './thread.ts';

/** Documents sent to the main thread at a time. */
const LOAD_CHUNK = 1_000;
/** Entries or deletions removed in one transaction: a few milliseconds that a commit may have to wait. */
const REMOVAL_CHUNK = 2_000;

export async function openSqlite(
  path: string,
  options: SqliteOptions,
  observing: ObservingOptions = {},
): Promise<Journal> {
  const file = resolve(path);
  // Side by side, because starting a thread takes longer than opening the file.
  const starting = [
    Thread.start({ role: 'write', file, options }),
    Thread.start({ role: 'read', file, options }),
  ] as const;
  try {
    const [writer, reader] = await Promise.all(starting);
    const ledger = new MarkLedger(await writer.call('settleMarks'));
    const head = await reader.call('head');
    const observations = new Observing(new SqliteObservations(file, options), observing);
    return new SqliteJournal({ writer, reader, ledger, observations, head });
  } catch (error) {
    for (const thread of await Promise.allSettled(starting)) {
      if (thread.status === 'fulfilled') await thread.value.close();
    }
    throw error;
  }
}

/** The main thread's side of the embedded store: composes batches, and leaves the file to two threads. */
class SqliteJournal implements Journal {
  readonly shared = false;
  readonly #writer: Thread<'write'>;
  readonly #reader: Thread<'read'>;
  readonly #work = new BegunWork();
  readonly #turns = new OneAtATime();
  readonly #marking = new OneAtATime();
  readonly #followers = new Set<() => void>();
  readonly #receivers = new Set<(message: string) => void>();
  readonly #leadership = new LocalLeadership();
  readonly #ledger: MarkLedger;
  readonly #observations: Observing;
  /** No other process writes the file, so this is always the newest revision. */
  #head: Revision;
  #closed: Promise<void> | undefined;

  constructor(parts: {
    writer: Thread<'write'>;
    reader: Thread<'read'>;
    ledger: MarkLedger;
    observations: Observing;
    head: Revision;
  }) {
    this.#writer = parts.writer;
    this.#reader = parts.reader;
    this.#ledger = parts.ledger;
    this.#observations = parts.observations;
    this.#head = parts.head;
  }

  commit(after: Revision, compose: Compose): Promise<Revision> {
    return this.#work.run(() => this.#turns.run(() => this.#commit(after, compose)));
  }

  async #commit(after: Revision, compose: Compose): Promise<Revision> {
    const commits = compose(after === this.#head ? undefined : await this.#news(after));
    if (commits.length === 0) return this.#head;
    const batch = toBatch(this.#head, commits);
    await this.#writer.call('commit', batch);
    this.#head = batch.revision;
    // In a turn of its own, so that the caller has applied the commit before the followers look.
    setImmediate(() => {
      for (const wake of this.#followers) wake();
    });
    return this.#head;
  }

  load(visit: (documents: readonly Document[]) => void): Promise<Revision> {
    return this.#work.run(async () => {
      const { load, revision } = await this.#reader.call('startLoad');
      let next = this.#reader.call('continueLoad', load, LOAD_CHUNK);
      try {
        for (let rows = await next; rows.length > 0; rows = await next) {
          // Asked for before the visit, so that the thread reads on meanwhile.
          next = this.#reader.call('continueLoad', load, LOAD_CHUNK);
          visit(toDocuments(rows) as Document[]);
        }
        return revision;
      } finally {
        await Promise.allSettled([next]);
        await this.#reader.call('endLoad', load);
      }
    });
  }

  since(after: Revision): Promise<News> {
    return this.#work.run(() => this.#news(after));
  }

  async #news(after: Revision): Promise<News> {
    requireWhole('a revision', after, 0);
    if (after === this.#head) return { revision: after, documents: [], whole: false };
    const { rows, ...news } = await this.#reader.call('since', after);
    return { ...news, documents: toDocuments(rows) };
  }

  follow(wake: () => void): () => Promise<void> {
    // A follower of its own, even when the same function follows twice.
    const follower = () => wake();
    if (!this.#work.closed) this.#followers.add(follower);
    return async () => {
      this.#followers.delete(follower);
    };
  }

  /** There is no other coordinator: what this one sends, it receives itself. */
  send(message: string): Promise<void> {
    return this.#work.run(async () => {
      requireMessage(message);
      setImmediate(() => {
        for (const receiver of this.#receivers) receiver(message);
      });
    });
  }

  receive(listener: (message: string) => void): () => Promise<void> {
    const receiver = (message: string) => listener(message);
    if (!this.#work.closed) this.#receivers.add(receiver);
    return async () => {
      this.#receivers.delete(receiver);
    };
  }

  range(query: LogQuery): Promise<readonly Entry[]> {
    return this.#work.run(async () => {
      requireQuery(query);
      return canMatch(query) ? this.#reader.call('range', query) : [];
    });
  }

  entry(log: string, id: string): Promise<Entry | undefined> {
    return this.#work.run(async () => (isName(log) && isName(id) ? this.#reader.call('entry', log, id) : undefined));
  }

  ends(log: string): Promise<LogEnds> {
    return this.#work.run(async () => (isName(log) ? this.#reader.call('ends', log) : EMPTY_LOG));
  }

  async trim(log: string, before_ms: number): Promise<number> {
    requireWhole('before_ms', before_ms);
    return this.#inChunks(() => this.#writer.call('trimSome', log, before_ms, REMOVAL_CHUNK));
  }

  async compact(up_to: Revision): Promise<void> {
    requireWhole('a revision', up_to, 0);
    await this.#inChunks(() => this.#writer.call('compactSome', up_to, REMOVAL_CHUNK));
  }

  /** One at a time: what is settled depends on what was written before. */
  mark(marks: readonly Mark[]): Promise<void> {
    return this.#work.run(() => this.#marking.run(() => this.#mark(marks)));
  }

  async #mark(marks: readonly Mark[]): Promise<void> {
    const batch = this.#ledger.prepare(marks);
    if (batch !== null) this.#ledger.wrote(batch, await this.#writer.call('mark', batch));
  }

  marks(since_stamp: number): Promise<{ readonly stamp: number; readonly marks: readonly Mark[] }> {
    return this.#work.run(() => this.#reader.call('marks', since_stamp));
  }

  get observing(): ObservationCounts {
    return this.#observations.counts;
  }

  observe(observations: readonly NewObservation[]): Promise<void> {
    return this.#work.run(() => this.#observations.observe(observations));
  }

  observations(query: ObservationQuery): Promise<readonly Observation[]> {
    return this.#work.run(() => this.#observations.range(query));
  }

  prune(log: string, retention: ObservationRetention): Promise<number> {
    return this.#work.run(() => this.#observations.prune(log, retention));
  }

  lead(name: string, watch: LeadershipWatch): Leadership {
    return this.#work.closed ? NEVER_LEADING : this.#leadership.lead(name, watch);
  }

  ping(): Promise<void> {
    return this.#work.run(async () => {
      await this.#reader.call('head');
      await this.#writer.call('touch');
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const finished = this.#work.finish();
    this.#observations.flush();
    await finished;
    await this.#observations.close();
    this.#followers.clear();
    this.#receivers.clear();
    this.#leadership.close();
    // The writer last: the connection that closes last folds the write-ahead log into the file.
    await this.#reader.close();
    await this.#writer.close();
  }

  #inChunks(removeSome: () => Promise<number>): Promise<number> {
    return this.#work.run(async () => {
      let removed = 0;
      for (let more = true; more; ) {
        const some = await removeSome();
        removed += some;
        more = some === REMOVAL_CHUNK;
      }
      return removed;
    });
  }
}
