import { MeshError } from '@meshwork/contract';
import type { Clock } from '@meshwork/service';
import { type Journal, type News, requireStorable } from '@meshwork/store';
import { type Documents, KIND_NAMES, type Kind, type Stored } from './documents.ts';
import { type Cause, Transaction } from './transaction.ts';

interface Waiting {
  readonly cause: Cause;
  readonly run: (tx: Transaction) => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Called after a change of a document, whichever panel made it. Without `after` it is gone. */
type Watcher<K extends Kind> = (before: Stored<K> | undefined, after: Stored<K> | undefined) => void;

interface Told {
  readonly kind: Kind;
  readonly before: Stored<Kind> | undefined;
  readonly after: Stored<Kind> | undefined;
}

/** Changes that wait to be written; beyond it the panel says that it is busy. */
const QUEUE_LIMIT = 1024;
/** Without a word from a store that others write to as well, what is in memory is believed for so long. */
const BELIEVED_MS = 10_000;

/**
 * Everything the panel knows, in memory, and the one way to change it. A change runs against what is true at that moment,
 * also across several panels on one store, and is on disk together with its trail entries before its caller hears of it.
 */
export class Ledger {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly #parts: LedgerParts;
  readonly #watchers = new Map<Kind, Watcher<Kind>[]>();
  #told: Told[] = [];
  readonly #shelves = new Map<Kind, Map<string, Stored<Kind>>>(KIND_NAMES.map((kind) => [kind, new Map()]));
  readonly #unknown = new Set<string>();
  readonly #waiting: Waiting[] = [];
  #revision = 0;
  #writing: Promise<void> | undefined;
  #unfollow: () => Promise<void> = () => Promise.resolve();
  #heardAt: number;
  #closed = false;
  /** A watcher threw. What is in memory is right; what follows from it elsewhere may not be. */
  #hasFailed = false;

  private constructor(parts: LedgerParts) {
    this.journal = parts.journal;
    this.clock = parts.clock;
    this.#parts = parts;
    this.#heardAt = parts.clock.monotonic();
  }

  static async open(parts: LedgerParts): Promise<Ledger> {
    const ledger = new Ledger(parts);
    ledger.#revision = await parts.journal.load((documents) => {
      for (const { kind, id, revision, body } of documents) ledger.#put(kind, id, revision, body);
    });
    ledger.#told = []; // nobody watches yet
    if (parts.journal.shared) ledger.#unfollow = parts.journal.follow(() => ledger.#wake());
    return ledger;
  }

  get revision(): number {
    return this.#revision;
  }

  get<K extends Kind>(kind: K, id: string): Stored<K> | undefined {
    return this.#shelf(kind).get(id);
  }

  /** In no particular order. */
  all<K extends Kind>(kind: K): Iterable<Stored<K>> {
    return this.#shelf(kind).values();
  }

  /** How many changes wait to be written. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether what is in memory is what the store has: somebody may have been signed out at another panel. */
  get upToDate(): boolean {
    if (this.#hasFailed) return false;
    return !this.journal.shared || this.clock.monotonic() - this.#heardAt < BELIEVED_MS;
  }

  watch<K extends Kind>(kind: K, watcher: Watcher<K>): void {
    this.#watchers.set(kind, [...(this.#watchers.get(kind) ?? []), watcher as unknown as Watcher<Kind>]);
  }

  /** Runs a change and returns its result once it is durable. `run` is synchronous, and may throw to change nothing. */
  transact<T>(cause: Cause, run: (tx: Transaction) => T): Promise<T> {
    if (this.#closed) return Promise.reject(new MeshError('shutting_down', 'The panel is shutting down.'));
    if (this.#hasFailed) return Promise.reject(new MeshError('shutting_down', 'The panel failed and is restarting.'));
    if (this.#waiting.length >= QUEUE_LIMIT) {
      const detail = `${QUEUE_LIMIT} changes are waiting to be written. Try again in a moment.`;
      return Promise.reject(new MeshError('busy', detail, { retry_after_s: 1 }));
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ cause, run, resolve, reject });
      this.#wake();
    });
  }

  /** Takes no more, and returns once everything taken was answered. */
  async close(): Promise<void> {
    await this.#unfollow();
    this.#closed = true;
    // One that ends may start another for what came in at its very end.
    while (this.#writing !== undefined) await this.#writing;
  }

  /** One round at a time. Whoever comes meanwhile is served by the next. */
  #wake(): void {
    this.#writing ??= this.#rounds()
      .catch(this.#parts.failed)
      .finally(() => {
        this.#writing = undefined;
        if (this.#waiting.length > 0) this.#wake();
      });
  }

  async #rounds(): Promise<void> {
    do {
      const round = this.#waiting.splice(0);
      if (round.length === 0) this.#take(await this.journal.since(this.#revision));
      else await this.#write(round);
    } while (this.#waiting.length > 0);
  }

  async #write(round: readonly Waiting[]): Promise<void> {
    const startedAt = performance.now();
    const done: { readonly tx: Transaction; readonly answer: () => void }[] = [];
    try {
      await this.journal.commit(this.#revision, (news) => {
        if (news !== undefined) this.#take(news);
        done.length = 0;
        for (const waiting of round) this.#run(waiting, done);
        return done.filter(({ tx }) => tx.hasWritten).map(({ tx }) => tx.commit());
      });
    } catch (error) {
      this.#parts.failed(error);
      for (const { reject } of round) reject(error);
      return;
    }
    this.#heardAt = this.clock.monotonic();
    for (const { tx } of done) if (tx.hasWritten) this.#apply(tx);
    this.#tell();
    for (const { answer } of done) answer();
    this.#parts.committed?.(done.length, performance.now() - startedAt);
  }

  /** Each sees the changes of those before it. One that throws changes nothing and stops nobody else. */
  #run(
    { cause, run, resolve, reject }: Waiting,
    done: { readonly tx: Transaction; readonly answer: () => void }[],
  ): void {
    const before = done.map(({ tx }) => tx).filter((tx) => tx.hasWritten);
    const revision = this.#revision + before.length + 1;
    const tx = new Transaction({ view: this, before, revision, cause, now_ms: this.clock.now() });
    try {
      const result = run(tx);
      if (tx.hasWritten) requireStorable(tx.commit()); // here, where it fails alone
      done.push({ tx, answer: () => resolve(result as never) });
    } catch (error) {
      reject(error);
    }
  }

  #apply(tx: Transaction): void {
    const { revision, changes } = tx.commit();
    for (const { kind, id, body } of changes) this.#put(kind, id, revision, body);
    this.#revision = revision;
  }

  #take(news: News): void {
    if (news.whole) {
      const kept = new Set(news.documents.map(({ kind, id }) => `${kind} ${id}`));
      for (const [kind, shelf] of this.#shelves) {
        for (const id of [...shelf.keys()]) if (!kept.has(`${kind} ${id}`)) this.#put(kind, id, news.revision, null);
      }
    }
    for (const { kind, id, revision, body } of news.documents) this.#put(kind, id, revision, body);
    this.#revision = news.revision;
    this.#heardAt = this.clock.monotonic();
    this.#tell();
  }

  /** Once everything of a change is in place. A watcher that throws keeps nobody from an answer, and ends the process. */
  #tell(): void {
    for (const { kind, before, after } of this.#told.splice(0)) {
      for (const watcher of this.#watchers.get(kind) ?? []) {
        try {
          watcher(before, after);
        } catch (error) {
          if (!this.#hasFailed) this.#parts.fatal?.(error);
          this.#hasFailed = true;
        }
      }
    }
  }

  #put(kind: string, id: string, revision: number, body: string | null): void {
    const shelf = this.#shelves.get(kind as Kind);
    if (shelf === undefined) {
      this.#leave(kind);
      return;
    }
    const before = shelf.get(id);
    const after =
      body === null ? undefined : Object.freeze({ id, revision, body: JSON.parse(body) as Documents[Kind] });
    if (after === undefined) shelf.delete(id);
    else shelf.set(id, after);
    if (before !== undefined || after !== undefined) this.#told.push({ kind: kind as Kind, before, after });
  }

  /** A newer panel on the same store wrote it, in a rolling upgrade: it stays there untouched, and this panel does without. */
  #leave(kind: string): void {
    if (this.#unknown.has(kind)) return;
    this.#unknown.add(kind);
    this.#parts.unknown_kind?.(kind);
  }

  #shelf<K extends Kind>(kind: K): Map<string, Stored<K>> {
    return this.#shelves.get(kind) as unknown as Map<string, Stored<K>>;
  }
}

interface LedgerParts {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Hears of a store that failed, whether or not somebody waited for it. */
  readonly failed: (error: unknown) => void;
  /** Called once, with what a watcher threw: the process has to be started again. */
  readonly fatal?: (error: unknown) => void;
  /** Hears once of each kind of document that this version does not know. */
  readonly unknown_kind?: (kind: string) => void;
  /** How many changes shared a commit, and how long it took. */
  readonly committed?: (changes: number, took_ms: number) => void;
}
