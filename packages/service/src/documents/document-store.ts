import { MeshError } from '@meshwork/contract';
import type { Journal } from '@meshwork/store';
import type { Clock } from '@meshwork/time';
import type { Model } from './model.ts';
import type { Transaction } from './transaction.ts';
import { restarting, Writer, type WriterParts } from './writer.ts';

interface DocumentStoreParts<D, Cause, Tx extends Transaction<D>> extends WriterParts<D, Cause, Tx> {
  /**
   * How long the model is trusted when the store does not confirm it, where other processes write to the same store: after that it
   * may be wrong about who has access (docs/decisions/0005).
   */
  readonly stale_after_ms: number;
}

/** The documents of a service: a model that follows its journal, and the only way to change it. */
export class DocumentStore<D, Cause, Tx extends Transaction<D>> {
  readonly journal: Journal;
  readonly model: Model<D>;
  readonly clock: Clock;
  readonly #service: string;
  readonly #stale_after_ms: number;
  readonly #writer: Writer<D, Cause, Tx>;
  #unfollow: () => Promise<void> = () => Promise.resolve();

  constructor(parts: DocumentStoreParts<D, Cause, Tx>) {
    this.journal = parts.journal;
    this.model = parts.model;
    this.clock = parts.clock;
    this.#service = parts.service;
    this.#stale_after_ms = parts.stale_after_ms;
    this.#writer = new Writer(parts);
  }

  /** Keeps the model up to date with the commits of other processes, until `close`. */
  follow(): void {
    if (this.journal.shared) this.#unfollow = this.journal.follow(() => this.#writer.wake());
  }

  /** Runs a change and returns its result once it is durable. `run` is synchronous, and may throw to change nothing. */
  transact<T>(cause: Cause, run: (tx: Tx) => T): Promise<T> {
    return this.#writer.transact(cause, run);
  }

  /** How many changes wait to be written. */
  get waiting(): number {
    return this.#writer.waiting;
  }

  /** Whether the model matches the store, and what is derived from it is right. */
  get upToDate(): boolean {
    if (this.model.hasFailed) return false;
    return !this.journal.shared || this.#writer.silent_ms < this.#stale_after_ms;
  }

  /** Call this before a decision about access. */
  ensureUpToDate(): void {
    if (this.upToDate) return;
    if (this.model.hasFailed) throw restarting(this.#service);
    throw new MeshError('store_unavailable', 'The store does not respond, so access cannot be checked. Try again.', {
      retry_after_s: 2,
    });
  }

  /** Accepts no more changes, and returns once all accepted ones were answered. */
  async close(): Promise<void> {
    await this.#unfollow();
    await this.#writer.close();
  }
}
