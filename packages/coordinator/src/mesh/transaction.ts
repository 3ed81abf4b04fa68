import {
  type ActorRef,
  type AuditBody,
  type AuditTarget,
  type ErrorCode,
  type EventData,
  type EventRecord,
  type EventType,
  type Scope,
  WHOLE_MESH,
} from '@meshwork/contract';
import * as documents from '@meshwork/service/documents';
import type { Append } from '@meshwork/store';
import { type Documents, KINDS } from '../kinds/kinds.ts';

/** What a transaction says about itself for the audit trail. */
export interface AuditDetails {
  readonly target: AuditTarget | null;
  /** Who may read the entry: those whose scope covers this. */
  readonly scope: Scope;
  readonly detail: string | null;
  readonly outcome: 'done' | 'refused';
  /** Why it was refused. The trail has `outside_scope` where the caller got `not_found`. */
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

/** An event, committed with the change that it is about. */
export interface NewEvent<T extends EventType = EventType> {
  readonly type: T;
  readonly subject: EventRecord['subject'];
  /** Who may hear of it: those whose scope covers this. */
  readonly scope: Scope;
  readonly data: EventData<T>;
}

export type TrackedPut = documents.TrackedPut<Documents>;

/** One run of a change against the mesh, with what it says for the audit trail, the events and other logs. */
export class Transaction extends documents.Transaction<Documents> {
  readonly #events: NewEvent[] = [];
  readonly #kept: Append[] = [];
  #details: AuditDetails | undefined;

  /** Names the action for the audit trail. Every change of an audited document must call this. */
  record(details: Partial<AuditDetails> & Pick<AuditDetails, 'target'>): void {
    this.#details = { scope: WHOLE_MESH, detail: null, outcome: 'done', code: null, count: 1, ...details };
  }

  /** Writes an event, which those who follow the stream get. */
  emit<T extends EventType>(event: NewEvent<T>): void {
    this.#events.push(event);
  }

  /** Writes an entry into a log that is kept for good. */
  keep(entry: { readonly log: string; readonly id: string; readonly body: object }): void {
    const body = JSON.stringify(entry.body);
    const labels = { actor: null, action: null, target: null };
    this.#kept.push({ log: entry.log, id: entry.id, at_ms: this.now_ms, ...labels, body, chained: false });
  }

  /** What is to be written into logs with these changes. */
  said(changes: readonly TrackedPut[]): {
    readonly details: AuditDetails | undefined;
    readonly events: readonly NewEvent[];
    readonly kept: readonly Append[];
  } {
    const unsaid = this.#details === undefined && changes.find(({ kind }) => KINDS[kind].audited);
    if (unsaid) throw new Error(`A transaction changed ${unsaid.kind} "${unsaid.id}" without saying what it does.`);
    return { details: this.#details, events: this.#events, kept: this.#kept };
  }
}
