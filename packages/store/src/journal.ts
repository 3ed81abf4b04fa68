/**
 * The interface of a store. There are two: `sqlite/` (one coordinator, embedded) and `postgres/` (any number of
 * coordinators). `test/journal-contract.ts` tests both against the rules below.
 *
 * Bodies are opaque JSON text here: the store never looks inside a document or an entry, and gives back the exact text.
 * So that both engines can keep that promise, text has no raw NUL and no half of a surrogate pair (JSON escapes both),
 * and the short texts (kinds, ids, log names, labels, mark keys) have 1 to `NAME_LIMIT` characters. Anything else is
 * misuse.
 *
 * What is decided goes into commits: documents and the entries of logs. What is only seen stays out of their way: marks
 * keep the latest of each key, observations keep all of them for a while.
 */

/** Counts the commits of the whole mesh, from 1. 0 is the empty mesh. */
export type Revision = number;

export interface Document {
  readonly kind: string;
  readonly id: string;
  /** The commit that wrote this version. */
  readonly revision: Revision;
  readonly body: string;
}

export interface Change {
  readonly kind: string;
  readonly id: string;
  /** `null` deletes the document. */
  readonly body: string | null;
}

/** One entry of an append-only log. The three labels are what `range` can filter by. */
export interface Append {
  readonly log: string;
  /** Unique within the log. */
  readonly id: string;
  readonly at_ms: number;
  readonly actor: string | null;
  readonly action: string | null;
  readonly target: string | null;
  readonly body: string;
  /** Whether the entry carries the hash of the one before it. All entries of one log agree on this. */
  readonly chained: boolean;
}

/**
 * One transaction: its changes and log entries become visible together, under one revision. Of several changes to one
 * document the last counts.
 */
export interface Commit {
  readonly revision: Revision;
  readonly changes: readonly Change[];
  readonly appends: readonly Append[];
}

/** What other coordinators committed since a revision. */
export interface News {
  /** The newest revision these changes bring the reader to. */
  readonly revision: Revision;
  /** The latest version of each changed document, in order of revision; `body` is `null` when it was deleted. */
  readonly documents: readonly (Omit<Document, 'body'> & { readonly body: string | null })[];
  /**
   * True when the reader was away for longer than deletions are remembered, or stands at a revision that the store does
   * not have (it was restored from a backup): `documents` is then everything there is, and whatever else the reader
   * holds is gone.
   */
  readonly whole: boolean;
}

/**
 * Called once the caller holds the right to write, with what it had missed (absent: nothing). Returns the commits to
 * write, their revisions counting up by one from the newest. It runs inside the store's critical section, so it is
 * synchronous and short. Throwing writes nothing.
 */
export type Compose = (news: News | undefined) => readonly Commit[];

export interface Entry extends Omit<Append, 'chained'> {
  /** Dense within the log, from 1. */
  readonly seq: number;
  readonly revision: Revision;
  /** Absent (null) in a log that is not chained. */
  readonly hash: string | null;
}

export interface LogQuery {
  readonly log: string;
  readonly order: 'oldest_first' | 'newest_first';
  readonly limit: number;
  /** Only entries beyond this one in the asked order. */
  readonly after_seq?: number;
  readonly from_ms?: number;
  /** Exclusive. */
  readonly to_ms?: number;
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
}

/** The two ends of a log. Entries up to `base_seq` were removed by retention; a chain goes on from `base_hash`. */
export interface LogEnds {
  readonly base_seq: number;
  readonly base_hash: string;
  readonly head_seq: number;
  readonly head_hash: string;
}

/**
 * A sign of life: the last time something was seen. Latest wins; a mark older than the stored one changes nothing. What
 * changes all the time is apart from what seldom does, because a body that stays the same need not be written again.
 */
export interface Mark {
  readonly key: string;
  readonly at_ms: number;
  /** A whole number; 0 for what counts nothing. */
  readonly count: number;
  /** `null`: there is nothing to say beside the time. */
  readonly body: string | null;
}

/**
 * Something seen rather than decided: a roll-up of telemetry, a WAF event, a flow record, a delivery of a webhook. It
 * has no revision and no hash, and it never changes. Its log, time, key and id together are its identity, and time, key
 * and id its place in the log. Clocks may be wrong: any time is kept, and found by that time.
 */
export interface Observation {
  /** Apart from the logs of commits, which may have the same name. 1 to 100 characters. */
  readonly log: string;
  /** What it is about, and what queries select by: a node, a metric of a node, a webhook. */
  readonly key: string;
  readonly at_ms: number;
  /** Tells apart what has the same log, key and time. 1 to 100 characters. */
  readonly id: string;
  /** At most 65,536 characters. */
  readonly body: string;
}

/**
 * Without an id the store makes one, and those of one coordinator keep their order. With an id, an observation that is
 * already there is not stored again, whatever its body: so a call may be repeated whose outcome is unknown.
 */
export type NewObservation = Omit<Observation, 'id'> & { readonly id?: string };

/** Where an observation stands in its log. */
export type ObservationPlace = Pick<Observation, 'at_ms' | 'key' | 'id'>;

export interface ObservationQuery {
  readonly log: string;
  readonly order: 'oldest_first' | 'newest_first';
  readonly limit: number;
  /** Absent: every key. */
  readonly keys?: readonly string[];
  readonly from_ms?: number;
  /** Exclusive. */
  readonly to_ms?: number;
  /** Only observations beyond this place in the asked order; the last one of a page leads to the next. */
  readonly after?: ObservationPlace;
}

/** What `prune` keeps of a log. An absent limit limits nothing. */
export interface ObservationRetention {
  /** Observations of before this time go. */
  readonly before_ms?: number;
  /** Of what is left, no more than so many stay: the latest. */
  readonly most?: number;
}

/** Since the store was opened. */
export interface ObservationCounts {
  /** Taken, and not yet on disk. */
  readonly waiting: number;
  readonly written: number;
  /** Not written, and their callers know: the buffer was full, or the store failed. */
  readonly refused: number;
}

export interface Leadership {
  readonly leading: boolean;
  /** Stops competing and lets the next take over. Nothing is called afterwards, `lost` included. */
  release(): Promise<void>;
}

export interface LeadershipWatch {
  gained(): void;
  /** Leadership went without `release`: the connection broke, or the store was closed. */
  lost(): void;
}

export interface Journal {
  /** Whether other coordinators may be writing too. */
  readonly shared: boolean;

  /** Every document, in chunks, in no particular order. Returns the revision they are the state of. */
  load(visit: (documents: readonly Document[]) => void): Promise<Revision>;

  /**
   * Writes the composed commits in one durable step: all or nothing, on disk before it returns. `after` is the revision
   * the caller stands at. Returns the newest revision (`after` when `compose` returned nothing and there was no news).
   */
  commit(after: Revision, compose: Compose): Promise<Revision>;

  /** What was committed after a revision, complete and consistent. */
  since(after: Revision): Promise<News>;

  /** Calls `wake` soon after each commit of any coordinator, and now and then without one. Returns how to stop it. */
  follow(wake: () => void): () => Promise<void>;

  /**
   * Sends a message to every coordinator that receives messages, this one included. Nothing is kept: a message is lost where
   * the connection is broken at that moment. At most `MESSAGE_LIMIT` bytes.
   */
  send(message: string): Promise<void>;
  /** Calls back with each message that a coordinator sends. Returns how to stop it. */
  receive(listener: (message: string) => void): () => Promise<void>;

  range(query: LogQuery): Promise<readonly Entry[]>;
  entry(log: string, id: string): Promise<Entry | undefined>;
  ends(log: string): Promise<LogEnds>;
  /**
   * Removes the oldest entries up to the first that is not before a time, and remembers where the log now starts.
   * Returns how many.
   */
  trim(log: string, before_ms: number): Promise<number>;

  /**
   * Forgets deletions up to a revision (at most the newest). Readers further behind than that get a `whole` answer from
   * `since`.
   */
  compact(up_to: Revision): Promise<void>;

  /** Durable, though not part of any commit and not counted as a revision. */
  mark(marks: readonly Mark[]): Promise<void>;
  /**
   * Marks stored since a stamp that an earlier answer gave (0: all), each with its body, whenever that was written. May
   * repeat some; never omits one.
   */
  marks(since_stamp: number): Promise<{ readonly stamp: number; readonly marks: readonly Mark[] }>;

  /**
   * Takes observations, and resolves when all of them are on disk, within a second in a store that keeps up. Those of
   * several calls share a write, and no commit waits for it. Fails with `overloaded` when too much waits already. When a
   * call of thousands fails otherwise, some of it may have been written.
   */
  observe(observations: readonly NewObservation[]): Promise<void>;
  observations(query: ObservationQuery): Promise<readonly Observation[]>;
  /** Removes what the retention does not keep of a log of observations, bit by bit. Returns how many. */
  prune(log: string, retention: ObservationRetention): Promise<number>;
  readonly observing: ObservationCounts;

  /** Competes for a name among all coordinators. At most one leads it at a time; the next takes over when it goes. */
  lead(name: string, watch: LeadershipWatch): Leadership;

  /** Resolves when the store can be read and written, and rejects with the reason when it cannot. */
  ping(): Promise<void>;

  /** Finishes what was begun, then lets go of every file, connection and thread. Later calls are `unavailable`. */
  close(): Promise<void>;
}
