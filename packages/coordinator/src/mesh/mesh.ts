import { createHmac } from 'node:crypto';
import { type MasterKey, openEnvelope, sealEnvelope } from '@meshwork/service';
import { DocumentStore, type WriterWatch } from '@meshwork/service/documents';
import type { Append, Journal } from '@meshwork/store';
import type { Clock } from '@meshwork/time';
import type { Documents } from '../kinds/kinds.ts';
import { auditEntry, type Cause } from './audit-entry.ts';
import { eventEntry } from './event-entry.ts';
import { type Repeatable, runOnce } from './idempotency.ts';
import { Model } from './model.ts';
import { Presence } from './presence.ts';
import { type TrackedPut, Transaction } from './transaction.ts';

/** See `stale_after_ms`. */
const STALE_AFTER_MS = 5000;
/** Waiting changes beyond this are refused as `busy`. */
const QUEUE_LIMIT = 4096;

/** The whole mesh as the journal has it. */
export async function loadModel(journal: Journal): Promise<Model> {
  const model = new Model();
  await model.load(journal);
  return model;
}

interface MeshParts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly master: MasterKey;
  readonly watch: WriterWatch;
}

/** The mesh: read it through `model`, and change it only through `transact`. */
export class Mesh extends DocumentStore<Documents, Cause, Transaction> {
  readonly presence: Presence;
  readonly #master: MasterKey;

  private constructor(parts: MeshParts & { readonly model: Model }) {
    super({
      ...parts,
      service: 'coordinator',
      queue_limit: QUEUE_LIMIT,
      stale_after_ms: STALE_AFTER_MS,
      begin: (place) => new Transaction(place),
      entries,
    });
    this.#master = parts.master;
    this.presence = new Presence({ journal: parts.journal, failed: (error) => parts.watch.failed(error) });
  }

  /** `model`: from `loadModel`, where it was needed before the key was known. Absent: it is loaded here. */
  static async open(parts: MeshParts & { readonly model?: Model }): Promise<Mesh> {
    const mesh = new Mesh({ ...parts, model: parts.model ?? (await loadModel(parts.journal)) });
    await mesh.presence.open();
    mesh.follow();
    return mesh;
  }

  /** `repeatable`: a request that comes again under the same key gets the earlier answer, and nothing runs. */
  override transact<T>(cause: Cause, run: (tx: Transaction) => T, repeatable?: Repeatable): Promise<T> {
    if (repeatable === undefined) return super.transact(cause, run);
    return super.transact(cause, (tx) => runOnce(tx, repeatable, this.#master, () => run(tx)));
  }

  /** Seals a secret with the master key, for what it belongs to: `authority/ID`. */
  seal(secret: Uint8Array, bound_to: string): string {
    return sealEnvelope(this.#master, secret, bound_to);
  }

  unseal(envelope: string, bound_to: string): Buffer<ArrayBuffer> {
    return openEnvelope(this.#master, envelope, bound_to);
  }

  /** A secret that follows from the master key and a text, and is kept nowhere. */
  derive(from: string): Buffer<ArrayBuffer> {
    return createHmac('sha256', this.#master).update(from).digest();
  }

  override async close(): Promise<void> {
    await super.close();
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
