import { type Changed, DocumentStore, Model, type View } from '@meshwork/service/documents';
import type { Journal } from '@meshwork/store';
import type { Clock } from '@meshwork/time';
import { type Documents, KIND_NAMES, type Kind, type Stored } from './documents.ts';
import { type Cause, Transaction } from './transaction.ts';

/** Called after a change of a document, whichever panel made it. Without `after` it was deleted. */
type Watcher<K extends Kind> = (before: Stored<K> | undefined, after: Stored<K> | undefined) => void;

/** Waiting changes beyond this are refused as `busy`. */
const QUEUE_LIMIT = 1024;
/** See `stale_after_ms`. */
const STALE_AFTER_MS = 10_000;

interface LedgerParts {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Called when the store failed, whether or not a caller waited for it. */
  readonly failed: (error: unknown) => void;
  /** Called once, with what a watcher threw: the process has to restart. */
  readonly fatal?: (error: unknown) => void;
  /** Called once for each kind of document that this version does not know. */
  readonly unknown_kind?: (kind: string) => void;
  /** How many changes shared a commit, and how long it took. */
  readonly committed?: (changes: number, took_ms: number) => void;
}

/**
 * The documents of the panel in memory, and the only way to change them. A change runs against the current state, also across
 * several panels on one store, and is on disk together with its trail entries before its caller gets the result.
 */
export class Ledger extends DocumentStore<Documents, Cause, Transaction> implements View<Documents> {
  private constructor({ journal, clock, failed, committed = () => undefined }: LedgerParts, model: Model<Documents>) {
    super({
      journal,
      model,
      clock,
      watch: { committed, failed },
      service: 'panel',
      queue_limit: QUEUE_LIMIT,
      stale_after_ms: STALE_AFTER_MS,
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
    ledger.follow();
    return ledger;
  }

  get revision(): number {
    return this.model.revision;
  }

  get<K extends Kind>(kind: K, id: string): Stored<K> | undefined {
    return this.model.get(kind, id);
  }

  all<K extends Kind>(kind: K): Iterable<Stored<K>> {
    return this.model.all(kind);
  }

  /** In order of id, which is the order of creation, from just after a given id. */
  after<K extends Kind>(kind: K, id: string | undefined): Iterable<Stored<K>> {
    return this.model.after(kind, id);
  }

  watch<K extends Kind>(kind: K, watcher: Watcher<K>): void {
    this.model.watch({
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
}
