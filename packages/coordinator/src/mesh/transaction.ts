import {
  type ActorRef,
  type AuditBody,
  type AuditTarget,
  type ErrorCode,
  type EventData,
  type EventRecord,
  type EventType,
  MeshError,
  type Scope,
  WHOLE_MESH,
} from '@meshwork/contract';
import type { Append, Revision } from '@meshwork/store';
import { type BodyOf, KINDS, type Kind } from '../kinds/kinds.ts';
import type { Put, Stored, View } from './model.ts';
import { Overlay } from './overlay.ts';

/** What a transaction says about itself for the audit trail. */
export interface Deed {
  readonly target: AuditTarget | null;
  /** Who may read the entry: those whose scope covers this. */
  readonly scope: Scope;
  readonly detail: string | null;
  readonly outcome: 'done' | 'refused';
  /** Why it was refused; for the trail `outside_scope` is said plainly, where the caller was told `not_found`. */
  readonly code: ErrorCode | 'outside_scope' | null;
  readonly count: number;
  /** Of several refusals in one entry, when the first and the last came. */
  readonly first_at?: string;
  readonly last_at?: string;
  /** Who did it, and where they sit, where the caller only passes it on: the panel. Absent: the caller itself. */
  readonly by?: { readonly actor: ActorRef; readonly address: string | null };
  /** In place of whole documents, where only a part of a large one is meant. Absent: the documents that changed. */
  readonly changes?: AuditBody['changes'];
}

/** Something to be told of, committed with the change that it tells of. */
export interface Told<T extends EventType = EventType> {
  readonly type: T;
  readonly subject: EventRecord['subject'];
  /** Who may hear of it: those whose scope covers this. */
  readonly scope: Scope;
  readonly data: EventData<T>;
}

/** A change together with what it replaces. */
export interface TrackedPut extends Put {
  readonly before: Stored<Kind> | undefined;
}

/**
 * One run of a change against the mesh: sees the mesh with its own changes in it, and keeps those until the writer
 * takes them. It may be run again when another coordinator was faster, so it has no effects but through its methods.
 */
export class Transaction implements View {
  readonly #beneath: View;
  readonly #overlay: Overlay;
  readonly #changes = new Map<string, TrackedPut>();
  readonly #told: Told[] = [];
  readonly #kept: Append[] = [];
  #deed: Deed | undefined;
  /** The revision this transaction will be, if it writes anything. */
  readonly revision: Revision;
  /** The moment of the change; everything a transaction writes carries this one. */
  readonly now_ms: number;

  constructor(beneath: View, revision: Revision, now_ms: number) {
    this.#beneath = beneath;
    this.#overlay = new Overlay(beneath);
    this.revision = revision;
    this.now_ms = now_ms;
  }

  get<K extends Kind>(kind: K, id: string): Stored<K> | undefined {
    return this.#overlay.get(kind, id);
  }

  all<K extends Kind>(kind: K): Iterable<Stored<K>> {
    return this.#overlay.all(kind);
  }

  put<K extends Kind>(kind: K, id: string, body: BodyOf<K>): Stored<K> {
    this.#change({ kind, id, body });
    return { id, revision: this.revision, body };
  }

  /** Like `put`, for what must not be there yet. */
  create<K extends Kind>(kind: K, id: string, body: BodyOf<K>): Stored<K> {
    if (this.get(kind, id) !== undefined) throw new MeshError('already_exists', `There already is a ${kind} "${id}".`);
    return this.put(kind, id, body);
  }

  delete(kind: Kind, id: string): void {
    this.#change({ kind, id, body: null });
  }

  /** Names what is being done, for the audit trail. Whoever changes an audited document must call this. */
  record(deed: Partial<Deed> & Pick<Deed, 'target'>): void {
    this.#deed = { scope: WHOLE_MESH, detail: null, outcome: 'done', code: null, count: 1, ...deed };
  }

  /** Tells those who follow the events. */
  tell<T extends EventType>(told: Told<T>): void {
    this.#told.push(told);
  }

  /** Writes an entry into a log that is kept for good. */
  keep(entry: { readonly log: string; readonly id: string; readonly body: object }): void {
    const body = JSON.stringify(entry.body);
    const labels = { actor: null, action: null, target: null };
    this.#kept.push({ log: entry.log, id: entry.id, at_ms: this.now_ms, ...labels, body, chained: false });
  }

  /** For the writer, once the run is over. */
  result(): {
    readonly changes: readonly TrackedPut[];
    readonly deed: Deed | undefined;
    readonly told: readonly Told[];
    readonly kept: readonly Append[];
  } {
    const changes = [...this.#changes.values()].filter(({ body, before }) => body !== null || before !== undefined);
    const unsaid = this.#deed === undefined && changes.find(({ kind }) => KINDS[kind].audited);
    if (unsaid) throw new Error(`A transaction changed ${unsaid.kind} "${unsaid.id}" without saying what it does.`);
    return { changes, deed: this.#deed, told: this.#told, kept: this.#kept };
  }

  #change(put: Put): void {
    this.#overlay.lay(put, this.revision);
    this.#changes.set(`${put.kind}/${put.id}`, { ...put, before: this.#beneath.get(put.kind, put.id) });
  }
}
