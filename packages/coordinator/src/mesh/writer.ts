import { MeshError } from '@meshwork/contract';
import { type Clock, storeFailure } from '@meshwork/service';
import { type Commit, type Journal, type News, requireStorable } from '@meshwork/store';
import { auditEntry, type Cause } from './audit-entry.ts';
import { eventEntry } from './event-entry.ts';
import type { Model, Put } from './model.ts';
import { Overlay } from './overlay.ts';
import { Transaction } from './transaction.ts';

/** Waiting transactions beyond this are refused with 503 `busy` (docs/decisions/0005). */
const QUEUE_LIMIT = 4096;
/** Transactions that share one commit at most: bounds how long the last one waits for the first. */
const BATCH_LIMIT = 512;

interface Waiting {
  readonly cause: Cause;
  readonly run: (tx: Transaction) => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly commit: { revision: number; puts: readonly Put[] } | undefined;
    }
  | { readonly ok: false; readonly error: unknown };

export interface WriterWatch {
  /** After each commit, once the model has it: how many transactions shared it, and how long it took. */
  committed(transactions: number, took_ms: number): void;
  failed(error: unknown): void;
}

/**
 * The only place where the mesh changes. One loop takes all waiting transactions, runs them one after another (each
 * sees the ones before it), commits them together, applies them to the model, and only then answers. So writes are
 * serialisable, durable before they are answered, and share one fsync.
 */
export class Writer {
  readonly #journal: Journal;
  readonly #model: Model;
  readonly #clock: Clock;
  readonly #watch: WriterWatch;
  #queue: Waiting[] = [];
  #newsWaiting = false;
  #loop: Promise<void> | undefined;
  #closed = false;
  #heardAt: number;

  constructor(parts: { journal: Journal; model: Model; clock: Clock; watch: WriterWatch }) {
    this.#journal = parts.journal;
    this.#model = parts.model;
    this.#clock = parts.clock;
    this.#watch = parts.watch;
    this.#heardAt = parts.clock.monotonic();
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** How long ago the store last confirmed that the model is up to date. */
  get silent_ms(): number {
    return this.#clock.monotonic() - this.#heardAt;
  }

  transact<T>(cause: Cause, run: (tx: Transaction) => T): Promise<T> {
    if (this.#closed) return Promise.reject(new MeshError('shutting_down', 'The coordinator is shutting down.'));
    if (this.#model.hasFailed) return Promise.reject(restarting());
    if (this.#queue.length >= QUEUE_LIMIT) {
      return Promise.reject(
        new MeshError('busy', `${QUEUE_LIMIT} changes are waiting to be written. Try again in a moment.`, {
          retry_after_s: 1,
        }),
      );
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ cause, run, resolve, reject });
      this.#start();
    });
  }

  /** Another coordinator may have committed. */
  wake(): void {
    this.#newsWaiting = true;
    if (!this.#closed) this.#start();
  }

  /** Takes no more, and returns once everything taken was answered. */
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
      this.#heard(await this.#journal.since(this.#model.revision));
    } catch (error) {
      // The next wake tries again; until then `silent_ms` grows, and the edge refuses once it is too long.
      this.#watch.failed(error);
    }
  }

  #heard(news: News): void {
    if (news.revision > this.#model.revision || news.whole) this.#model.catchUp(news);
    this.#heardAt = this.#clock.monotonic();
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    if (this.#model.hasFailed) {
      for (const waiting of batch) waiting.reject(restarting());
      return;
    }
    const startedAt = performance.now();
    let outcomes: readonly Outcome[] = [];
    let written = 0;
    try {
      await this.#journal.commit(this.#model.revision, (news) => {
        if (news !== undefined) this.#heard(news);
        if (this.#model.hasFailed) throw restarting();
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
    this.#heardAt = this.#clock.monotonic();
    this.#model.applyAll(outcomes.flatMap((outcome) => (outcome.ok ? (outcome.commit ?? []) : [])));
    if (written > 0) this.#watch.committed(written, performance.now() - startedAt);
    for (const [index, waiting] of batch.entries()) settle(waiting, outcomes[index]);
  }

  #run(batch: readonly Waiting[]): { outcomes: Outcome[]; commits: Commit[] } {
    const overlay = new Overlay(this.#model);
    const outcomes: Outcome[] = [];
    const commits: Commit[] = [];
    for (const waiting of batch) {
      const tx = new Transaction(overlay, this.#model.revision + commits.length + 1, this.#clock.now());
      try {
        const value = waiting.run(tx);
        const { changes, deed, told, kept } = tx.result();
        if (changes.length === 0 && deed === undefined && told.length === 0) {
          outcomes.push({ ok: true, value, commit: undefined });
          continue;
        }
        const commit: Commit = {
          revision: tx.revision,
          changes: changes.map(({ kind, id, body }) => ({
            kind,
            id,
            body: body === null ? null : JSON.stringify(body),
          })),
          appends: [
            ...(deed === undefined ? [] : [auditEntry(waiting.cause, deed, changes, tx.now_ms)]),
            ...told.map((one) => eventEntry(one, tx.now_ms)),
            ...kept,
          ],
        };
        requireStorable(commit); // here, where it fails alone
        commits.push(commit);
        for (const change of changes) overlay.lay(change, tx.revision);
        outcomes.push({ ok: true, value, commit: { revision: tx.revision, puts: changes } });
      } catch (error) {
        outcomes.push({ ok: false, error });
      }
    }
    return { outcomes, commits };
  }
}

/**
 * After a watcher threw. The commit during which it did is durable and in the model, so its callers get their answers;
 * no other begins, for it could rest on what the watcher derived.
 */
export function restarting(): MeshError {
  return new MeshError('shutting_down', 'This coordinator failed and is restarting. Nothing was written. Try again.');
}

function settle(waiting: Waiting, outcome: Outcome | undefined): void {
  if (outcome === undefined) waiting.reject(new Error('The store did not ask for the batch.'));
  else if (outcome.ok) waiting.resolve(outcome.value as never);
  else waiting.reject(outcome.error);
}
