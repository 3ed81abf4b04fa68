import type { Clock } from '@meshwork/service';
import { type Changed, Model, type View, Writer } from '@meshwork/service/documents';
import type { Journal } from '@meshwork/store';
import { type Documents, KIND_NAMES, type Kind, type Stored } from './documents.ts';
import { type Cause, Transaction } from './transaction.ts';

/** Called after a change of a document, whichever panel made it. Without `after` it is gone. */
type Watcher<K extends Kind> = (before: Stored<K> | undefined, after: Stored<K> | undefined) => void;

/** Changes that wait to be written; beyond it the panel says that it is busy. */
const QUEUE_LIMIT = 1024;
/** Without a word from a store that others write to as well, what is in memory is believed for so long. */
const BELIEVED_MS = 10_000;

interface LedgerParts {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Called when the store failed, whether or not a caller waited for it. */
  readonly failed: (error: unknown) => void;
  /** Called once, with what a watcher threw: the process has to be started again. */
  readonly fatal?: (error: unknown) => void;
  /** Hears once of each kind of document that this version does not know. */
  readonly unknown_kind?: (kind: string) => void;
  /** How many changes shared a commit, and how long it took. */
  readonly committed?: (changes: number, took_ms: number) => void;
}

/**
 * Everything the panel knows, in memory, and the one way to change it. A change runs against what is true at that moment,
 * also across several panels on one store, and is on disk together with its trail entries before its caller hears of it.
 */
export class Ledger implements View<Documents> {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly #model: Model<Documents>;
  readonly #writer: Writer<Documents, Cause, Transaction>;
  #unfollow: () => Promise<void> = () => Promise.resolve();

  private constructor({ journal, clock, failed, committed = () => undefined }: LedgerParts, model: Model<Documents>) {
    this.journal = journal;
    this.clock = clock;
    this.#model = model;
    this.#writer = new Writer({
      journal,
      model,
      clock,
      watch: { committed, failed },
      service: 'panel',
      queue_limit: QUEUE_LIMIT,
      begin: (place, cause) => new Transaction(place, cause),
      entries: (tx) => tx.entries,
    });
  }

  static async open(parts: LedgerParts): Promise<Ledger> {
    const unknown = new Set<string>();
    const model = new Model<Documents>(KIND_NAMES, (kind) => {
      if (!unknown.has(kind)) parts.unknown_kind?.(kind);
      unknown.add(kind);
    });
    await model.load(parts.journal);
    if (parts.fatal !== undefined) model.onFailure(parts.fatal);
    const ledger = new Ledger(parts, model);
    if (parts.journal.shared) ledger.#unfollow = parts.journal.follow(() => ledger.#writer.wake());
    return ledger;
  }

  get revision(): number {
    return this.#model.revision;
  }

  get<K extends Kind>(kind: K, id: string): Stored<K> | undefined {
    return this.#model.get(kind, id);
  }

  all<K extends Kind>(kind: K): Iterable<Stored<K>> {
    return this.#model.all(kind);
  }

  /** How many changes wait to be written. */
  get waiting(): number {
    return this.#writer.waiting;
  }

  /** Whether memory is known to match the store: a session may have ended at another panel. */
  get upToDate(): boolean {
    if (this.#model.hasFailed) return false;
    return !this.journal.shared || this.#writer.silent_ms < BELIEVED_MS;
  }

  watch<K extends Kind>(kind: K, watcher: Watcher<K>): void {
    this.#model.watch({
      changed: (change: Changed<Documents>) => {
        if (change.kind !== kind) return;
        const { before, after } = change as Changed<Documents> as Changed<Documents, K>;
        if (before !== undefined || after !== undefined) watcher(before, after);
      },
      reset: (earlier) => {
        for (const before of earlier.all(kind)) {
          const after = this.get(kind, before.id);
          if (after?.revision !== before.revision) watcher(before, after);
        }
        for (const after of this.all(kind)) if (earlier.get(kind, after.id) === undefined) watcher(undefined, after);
      },
    });
  }

  /** Runs a change and returns its result once it is durable. `run` is synchronous, and may throw to change nothing. */
  transact<T>(cause: Cause, run: (tx: Transaction) => T): Promise<T> {
    return this.#writer.transact(cause, run);
  }

  /** Takes no more, and returns once everything taken was answered. */
  async close(): Promise<void> {
    await this.#unfollow();
    await this.#writer.close();
  }
}
