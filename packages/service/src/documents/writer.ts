import { MeshError } from '@meshwork/contract';
import { type Append, type Change, type Commit, type Journal, type News, requireStorable } from '@meshwork/store';
import type { Clock } from '@meshwork/time';
import { storeFailure } from '../http/store-failure.ts';
import type { Model, Put } from './model.ts';
import { Overlay } from './overlay.ts';
import type { Place, TrackedPut, Transaction } from './transaction.ts';

/** Transactions that share one commit at most: bounds how long the last one waits for the first. */
const BATCH_LIMIT = 512;

interface Waiting<Cause, Tx> {
  readonly cause: Cause;
  readonly run: (tx: Tx) => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome<D> =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly commit: { revision: number; puts: readonly Put<D>[] } | undefined;
    }
  | { readonly ok: false; readonly error: unknown };

export interface WriterWatch {
  /** After each commit, once the model has it: how many transactions shared it, and how long it took. */
  committed(transactions: number, took_ms: number): void;
  failed(error: unknown): void;
}

export interface WriterParts<D, Cause, Tx extends Transaction<D>> {
  readonly journal: Journal;
  readonly model: Model<D>;
  readonly clock: Clock;
  readonly watch: WriterWatch;
  /** What refusals call the process: `coordinator`. */
  readonly service: string;
  /** Waiting transactions beyond this are refused with 503 `busy` (docs/decisions/0005). */
  readonly queue_limit: number;
  /** Begins a transaction. */
  begin(place: Place<D>, cause: Cause): Tx;
  /** The log entries that are committed with what a transaction changed. Throws when it must not be committed. */
  entries(tx: Tx, cause: Cause, changes: readonly TrackedPut<D>[]): readonly Append[];
}

/**
 * The only place where documents change. One loop takes all waiting transactions, runs them one after another (each
 * sees the ones before it), commits them together, applies them to the model, and only then answers. So writes are
 * serialisable, durable before they are answered, and share one fsync.
 */
export class Writer<D, Cause, Tx extends Transaction<D>> {
  readonly #parts: WriterParts<D, Cause, Tx>;
  readonly #journal: Journal;
  readonly #model: Model<D>;
  readonly #clock: Clock;
  readonly #watch: WriterWatch;
  #queue: Waiting<Cause, Tx>[] = [];
  #newsWaiting = false;
  #loop: Promise<void> | undefined;
  #closed = false;
  #confirmedAt: number;

  constructor(parts: WriterParts<D, Cause, Tx>) {
    this.#parts = parts;
    this.#journal = parts.journal;
    this.#model = parts.model;
    this.#clock = parts.clock;
    this.#watch = parts.watch;
    this.#confirmedAt = parts.clock.monotonic();
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** How long ago the store last confirmed that the model is up to date. */
  get silent_ms(): number {
    return this.#clock.monotonic() - this.#confirmedAt;
  }

  transact<T>(cause: Cause, run: (tx: Tx) => T): Promise<T> {
    const { service, queue_limit } = this.#parts;
    if (this.#closed) return Promise.reject(new MeshError('shutting_down', `The ${service} is shutting down.`));
    if (this.#model.hasFailed) return Promise.reject(restarting(service));
    if (this.#queue.length >= queue_limit) {
      return Promise.reject(
        new MeshError('busy', `${queue_limit} changes are waiting to be written. Try again in a moment.`, {
          retry_after_s: 1,
        }),
      );
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ cause, run, resolve, reject });
      this.#start();
    });
  }

  /** Another process may have committed. */
  wake(): void {
    this.#newsWaiting = true;
    if (!this.#closed) this.#start();
  }

  /** Accepts no more, and returns once everything accepted was answered. */
  async close(): Promise<void> {
    this.#closed = true;
    // One that ends may start another for what came in at its very end.
    while (this.#loop !== undefined) await this.#loop;
  }

  #start(): void {
    this.#loop ??= this.#work().finally(() => {
      this.#loop = undefined;
      // Something may have come in between the last look at the queue and here.
      if (this.#queue.length > 0 || (this.#newsWaiting && !this.#closed)) this.#start();
    });
  }

  async #work(): Promise<void> {
    // Let everything that is arriving in this turn of the event loop join the first batch.
    await Promise.resolve();
    while (this.#queue.length > 0 || this.#newsWaiting) {
      if (this.#newsWaiting) await this.#catchUp();
      if (this.#queue.length > 0) await this.#commit(this.#queue.splice(0, BATCH_LIMIT));
    }
  }

  async #catchUp(): Promise<void> {
    this.#newsWaiting = false;
    try {
      this.#catchUpWith(await this.#journal.since(this.#model.revision));
    } catch (error) {
      // The next wake tries again; until then `silent_ms` grows, and the edge refuses once it is too long.
      this.#watch.failed(error);
    }
  }

  #catchUpWith(news: News): void {
    if (news.revision > this.#model.revision || news.whole) this.#model.catchUp(news);
    this.#confirmedAt = this.#clock.monotonic();
  }

  async #commit(batch: readonly Waiting<Cause, Tx>[]): Promise<void> {
    const { service } = this.#parts;
    if (this.#model.hasFailed) {
      for (const waiting of batch) waiting.reject(restarting(service));
      return;
    }
    const startedAt = performance.now();
    let outcomes: readonly Outcome<D>[] = [];
    let written = 0;
    try {
      await this.#journal.commit(this.#model.revision, (news) => {
        if (news !== undefined) this.#catchUpWith(news);
        if (this.#model.hasFailed) throw restarting(service);
        const ran = this.#run(batch);
        outcomes = ran.outcomes;
        written = ran.commits.length;
        return ran.commits;
      });
    } catch (error) {
      if (!this.#model.hasFailed) this.#watch.failed(error);
      const failure = storeFailure(error) ?? error;
      for (const waiting of batch) waiting.reject(failure);
      return;
    }
    this.#confirmedAt = this.#clock.monotonic();
    this.#model.applyAll(outcomes.flatMap((outcome) => (outcome.ok ? (outcome.commit ?? []) : [])));
    if (written > 0) this.#watch.committed(written, performance.now() - startedAt);
    for (const [index, waiting] of batch.entries()) settle(waiting, outcomes[index]);
  }

  #run(batch: readonly Waiting<Cause, Tx>[]): { outcomes: Outcome<D>[]; commits: Commit[] } {
    const view = new Overlay(this.#model);
    const outcomes: Outcome<D>[] = [];
    const commits: Commit[] = [];
    for (const { cause, run } of batch) {
      const place = { view, revision: this.#model.revision + commits.length + 1, now_ms: this.#clock.now() };
      try {
        const tx = this.#parts.begin(place, cause);
        const value = run(tx);
        const puts = tx.changes();
        const appends = this.#parts.entries(tx, cause, puts);
        if (puts.length === 0 && appends.length === 0) {
          outcomes.push({ ok: true, value, commit: undefined });
          continue;
        }
        const commit: Commit = { revision: tx.revision, changes: puts.map(changeOf), appends };
        requireStorable(commit); // here, where it fails alone
        commits.push(commit);
        for (const put of puts) view.lay(put, tx.revision);
        outcomes.push({ ok: true, value, commit: { revision: tx.revision, puts } });
      } catch (error) {
        outcomes.push({ ok: false, error });
      }
    }
    return { outcomes, commits };
  }
}

function changeOf<D>({ kind, id, body }: Put<D>): Change {
  return { kind, id, body: body === null ? null : JSON.stringify(body) };
}

/**
 * After a watcher threw. The commit during which it did is durable and in the model, so its callers get their answers;
 * no other begins, for it could rest on what the watcher derived.
 */
export function restarting(service: string): MeshError {
  return new MeshError('shutting_down', `This ${service} failed and is restarting. Nothing was written. Try again.`);
}

function settle<D, Cause, Tx>(waiting: Waiting<Cause, Tx>, outcome: Outcome<D> | undefined): void {
  if (outcome === undefined) waiting.reject(new Error('The store did not ask for the batch.'));
  else if (outcome.ok) waiting.resolve(outcome.value as never);
  else waiting.reject(outcome.error);
}
