import { MeshError } from '@meshwork/contract';
import type { Clock, MasterKey } from '@meshwork/service';
import { restarting, Writer, type WriterWatch } from '@meshwork/service/documents';
import type { Append, Journal } from '@meshwork/store';
import type { Documents } from '../kinds/kinds.ts';
import { auditEntry, type Cause } from './audit-entry.ts';
import { eventEntry } from './event-entry.ts';
import { type Repeatable, runOnce } from './idempotency.ts';
import { Model } from './model.ts';
import { Presence } from './presence.ts';
import { type TrackedPut, Transaction } from './transaction.ts';

/**
 * After this long without a word from a store that others write too, the model may be wrong about who is still
 * allowed in, and the edge lets nobody in (docs/decisions/0005).
 */
const SILENCE_LIMIT_MS = 5000;
/** Changes that wait to be written, at most. */
const QUEUE_LIMIT = 4096;
const SERVICE = 'coordinator';

/** The whole mesh as the journal has it. */
export async function loadModel(journal: Journal): Promise<Model> {
  const model = new Model();
  await model.load(journal);
  return model;
}

/** The mesh: read it through `model`, change it through `transact`, and no other way. */
export class Mesh {
  readonly model: Model;
  readonly journal: Journal;
  readonly presence: Presence;
  readonly clock: Clock;
  readonly #writer: Writer<Documents, Cause, Transaction>;
  readonly #master: MasterKey;
  #unfollow: () => Promise<void> = () => Promise.resolve();

  private constructor(parts: { journal: Journal; clock: Clock; master: MasterKey; watch: WriterWatch; model: Model }) {
    this.journal = parts.journal;
    this.clock = parts.clock;
    this.#master = parts.master;
    this.model = parts.model;
    this.#writer = new Writer({
      ...parts,
      service: SERVICE,
      queue_limit: QUEUE_LIMIT,
      begin: (place) => new Transaction(place),
      entries,
    });
    this.presence = new Presence({ journal: parts.journal, failed: (error) => parts.watch.failed(error) });
  }

  /** `model`: what `loadModel` gave, for those who had to look before they knew the key. Absent: it is loaded here. */
  static async open(parts: {
    journal: Journal;
    clock: Clock;
    master: MasterKey;
    watch: WriterWatch;
    model?: Model;
  }): Promise<Mesh> {
    const mesh = new Mesh({ ...parts, model: parts.model ?? (await loadModel(parts.journal)) });
    await mesh.presence.open();
    if (parts.journal.shared) mesh.#unfollow = parts.journal.follow(() => mesh.#writer.wake());
    return mesh;
  }

  /**
   * Runs a change and returns its result once it is durable. `repeatable`: when the same request comes again under the
   * same key, it is answered as before and nothing is run.
   */
  transact<T>(cause: Cause, run: (tx: Transaction) => T, repeatable?: Repeatable): Promise<T> {
    if (repeatable === undefined) return this.#writer.transact(cause, run);
    return this.#writer.transact(cause, (tx) => runOnce(tx, repeatable, this.#master, () => run(tx)));
  }

  /** Changes waiting to be written. */
  get waiting(): number {
    return this.#writer.waiting;
  }

  /** Whether the model can be trusted to be what the store says. */
  get upToDate(): boolean {
    if (this.model.hasFailed) return false;
    return !this.journal.shared || this.#writer.silent_ms < SILENCE_LIMIT_MS;
  }

  /** For whoever is about to let somebody in. */
  ensureUpToDate(): void {
    if (this.upToDate) return;
    if (this.model.hasFailed) throw restarting(SERVICE);
    throw new MeshError('store_unavailable', 'The store has been silent for too long to tell who may come in.', {
      retry_after_s: 2,
    });
  }

  async close(): Promise<void> {
    await this.#unfollow();
    await this.#writer.close();
    await this.presence.close();
    await this.journal.close();
  }
}

/** What is committed with the changes of a transaction: the audit entry, events, and what else is to be kept. */
function entries(tx: Transaction, cause: Cause, changes: readonly TrackedPut[]): readonly Append[] {
  const { details, events, kept } = tx.said(changes);
  return [
    ...(details === undefined ? [] : [auditEntry(cause, details, changes, tx.now_ms)]),
    ...events.map((event) => eventEntry(event, tx.now_ms)),
    ...kept,
  ];
}
