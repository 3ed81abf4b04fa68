import { createHmac } from 'node:crypto';
import { type MasterKey, openEnvelope, sealEnvelope, sealedBy } from '@meshwork/service';
import { DocumentStore, type WriterWatch } from '@meshwork/service/documents';
import type { Append, Journal } from '@meshwork/store';
import type { Clock } from '@meshwork/time';
import type { Documents } from '../kinds/kinds.ts';
import { auditEntry, type Cause } from './audit-entry.ts';
import { DataKeys } from './data-keys.ts';
import { sealingCheck } from './envelopes.ts';
import { eventEntry } from './event-entry.ts';
import { type Repeatable, runOnce } from './idempotency.ts';
import { MasterKeys } from './master-keys.ts';
import { INSTALLATION_ID } from './mesh-id.ts';
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
  readonly master: MasterKeys | MasterKey;
  readonly watch: WriterWatch;
}

/** What opens secrets, and what they are derived from. */
export type Vault = Pick<Mesh, 'data_keys' | 'unseal'>;

/** The mesh: read it through `model`, and change it only through `transact`. */
export class Mesh extends DocumentStore<Documents, Cause, Transaction> {
  readonly presence: Presence;
  readonly master: MasterKeys;
  readonly data_keys: DataKeys;

  private constructor(parts: MeshParts & { readonly model: Model }) {
    super({
      ...parts,
      service: 'coordinator',
      queue_limit: QUEUE_LIMIT,
      stale_after_ms: STALE_AFTER_MS,
      begin: (place) => new Transaction(place),
      entries,
    });
    this.master = parts.master instanceof MasterKeys ? parts.master : new MasterKeys([parts.master]);
    this.data_keys = new DataKeys(parts.model, this.master);
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
    return super.transact(cause, (tx) => runOnce(tx, repeatable, this.data_keys.all(), () => run(tx)));
  }

  /** Seals a secret with the master key, for what it belongs to: `authority/ID`. */
  seal(secret: Uint8Array, bound_to: string): string {
    const check = this.needed_key;
    const key = check === undefined ? this.master.first : this.master.find(check);
    if (key === undefined) throw new Error(`The master key ${check} seals now, and this coordinator does not have it.`);
    return sealEnvelope(key, secret, bound_to);
  }

  unseal(envelope: string, bound_to: string): Buffer<ArrayBuffer> {
    // Without the right one, any other says which it is.
    return openEnvelope(this.master.find(sealedBy(envelope)) ?? this.master.first, envelope, bound_to);
  }

  /** The name of the master key that seals. Undefined: nothing is installed yet. */
  get needed_key(): string | undefined {
    const installation = this.model.get('installation', INSTALLATION_ID)?.body;
    return installation === undefined ? undefined : sealingCheck(installation);
  }

  /** False: another coordinator turned the master key over to one that is not in the file of this one. */
  get hasMasterKey(): boolean {
    return this.needed_key === undefined || this.master.find(this.needed_key) !== undefined;
  }

  /** A secret that follows from a text and a key of this mesh, and is kept nowhere. Another when the master key is turned over. */
  derive(from: string): Buffer<ArrayBuffer> {
    const [used] = this.data_keys.all();
    if (used === undefined) throw new Error('There is no data key.');
    return createHmac('sha256', used.key).update(from).digest();
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
