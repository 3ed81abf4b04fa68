import pg from 'pg';
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
import { latestMarks } from '../marks.ts';
import type { ObservingOptions } from '../observation-buffer.ts';
import { Observing } from '../observing.ts';
import { OneAtATime } from '../one-at-a-time.ts';
import { isName, requireMessage, requireWhole } from '../storable.ts';
import { StoreError } from '../store-error.ts';
import { Candidate } from './candidate.ts';
import { clientConfig, prepareSession, type Server } from './connect.ts';
import { Followers, messagesChannelOf } from './followers.ts';
import { migrate } from './migrations.ts';
import { readNews } from './news.ts';
import { PostgresObservations } from './observations.ts';
import * as reads from './reads.ts';
import * as upkeep from './upkeep.ts';
import { PostgresWriter } from './writer.ts';

export interface PostgresOptions {
  /** Everything lives in one schema, so that the database may be shared with others. Absent: `meshwork`. */
  readonly schema?: string;
  /** Called for trouble that the store deals with by itself, such as a broken connection. Absent: not reported. */
  readonly warn?: (message: string, cause: unknown) => void;
  /** How long to look for the outcome of a commit whose connection broke. Absent: ten seconds. */
  readonly settle_within_ms?: number;
}

const READ_CONNECTIONS = 4;

export async function openPostgres(
  url: string,
  options: PostgresOptions,
  observing: ObservingOptions = {},
): Promise<Journal> {
  const { schema = 'meshwork', warn = () => undefined, settle_within_ms = 10_000 } = options;
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) {
    throw new StoreError('misuse', `the schema "${schema}" is not 1 to 40 lower-case letters, digits and _`);
  }
  const server = { url, schema, warn };
  await migrate(server);
  return new PostgresJournal(server, settle_within_ms, observing);
}

/** A store that any number of coordinators share. */
class PostgresJournal implements Journal {
  readonly shared = true;
  readonly #server: Server;
  readonly #pool: pg.Pool;
  readonly #writer: PostgresWriter;
  readonly #followers: Followers;
  readonly #observations: Observing;
  readonly #work = new BegunWork();
  readonly #turns = new OneAtATime();
  readonly #candidates = new Set<Candidate>();
  #closed: Promise<void> | undefined;

  constructor(server: Server, settleWithinMs: number, observing: ObservingOptions) {
    this.#server = server;
    this.#writer = new PostgresWriter(server, settleWithinMs);
    this.#followers = new Followers(server);
    this.#pool = new pg.Pool({
      ...clientConfig(server, 'read'),
      max: READ_CONNECTIONS,
      onConnect: (client) => prepareSession(client, server, 'read'),
    });
    this.#observations = new Observing(new PostgresObservations(server, this.#pool), observing);
    this.#pool.on('error', (error) => server.warn('an idle connection to read broke', error));
  }

  commit(after: Revision, compose: Compose): Promise<Revision> {
    return this.#work.run(() => this.#turns.run(() => this.#writer.commit(after, compose)));
  }

  load(visit: (documents: readonly Document[]) => void): Promise<Revision> {
    return this.#work.run(() => reads.load(this.#pool, visit));
  }

  since(after: Revision): Promise<News> {
    return this.#work.run(async () => {
      requireWhole('a revision', after, 0);
      return readNews(this.#pool, after);
    });
  }

  follow(wake: () => void): () => Promise<void> {
    return this.#work.closed ? async () => undefined : this.#followers.follow(wake);
  }

  send(message: string): Promise<void> {
    return this.#work.run(async () => {
      requireMessage(message);
      await upkeep.notify(this.#pool, messagesChannelOf(this.#server), message);
    });
  }

  receive(listener: (message: string) => void): () => Promise<void> {
    return this.#work.closed ? async () => undefined : this.#followers.receive(listener);
  }

  range(query: LogQuery): Promise<readonly Entry[]> {
    return this.#work.run(async () => {
      requireQuery(query);
      return canMatch(query) ? reads.range(this.#pool, query) : [];
    });
  }

  entry(log: string, id: string): Promise<Entry | undefined> {
    return this.#work.run(async () => (isName(log) && isName(id) ? reads.entry(this.#pool, log, id) : undefined));
  }

  ends(log: string): Promise<LogEnds> {
    return this.#work.run(async () => (isName(log) ? reads.ends(this.#pool, log) : EMPTY_LOG));
  }

  trim(log: string, before_ms: number): Promise<number> {
    return this.#work.run(async () => {
      requireWhole('before_ms', before_ms);
      return isName(log) ? upkeep.trim(this.#pool, log, before_ms) : 0;
    });
  }

  compact(up_to: Revision): Promise<void> {
    return this.#work.run(async () => {
      requireWhole('a revision', up_to, 0);
      return upkeep.compact(this.#pool, up_to);
    });
  }

  mark(marks: readonly Mark[]): Promise<void> {
    return this.#work.run(async () => {
      const latest = latestMarks(marks);
      if (latest.length > 0) await upkeep.putMarks(this.#pool, latest);
    });
  }

  marks(since_stamp: number): Promise<{ readonly stamp: number; readonly marks: readonly Mark[] }> {
    return this.#work.run(() => reads.marks(this.#pool, since_stamp));
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
    if (this.#work.closed) return NEVER_LEADING;
    const candidate = new Candidate(this.#server, name, watch);
    this.#candidates.add(candidate);
    return {
      get leading() {
        return candidate.leading;
      },
      release: () => {
        this.#candidates.delete(candidate);
        return candidate.release();
      },
    };
  }

  ping(): Promise<void> {
    return this.#work.run(() => upkeep.touch(this.#pool, this.#writer.id));
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
    await this.#followers.close();
    await Promise.all([...this.#candidates].map((candidate) => candidate.close()));
    await this.#writer.close();
    await this.#pool.end();
  }
}
