import {
  type ActorRef,
  type AuditTarget,
  newId,
  type OperationId,
  type PanelAuditEntry,
  type PanelOperationId,
} from '@meshwork/contract';
import * as documents from '@meshwork/service/documents';
import type { Append } from '@meshwork/store';
import type { Documents } from './documents.ts';

/** The chained log of what happened at the panel. */
export const TRAIL = 'trail';

/** An operation of the panel, or one of the coordinator that the panel passes on or refuses to; or what it does by itself. */
export type Action =
  | PanelOperationId
  | `coordinator.${OperationId}`
  | 'panel.start'
  | 'panel.sweep'
  | 'panel.retire_tokens';

/** Why something changes: who, by which operation, from where. */
export interface Cause {
  readonly actor: ActorRef;
  readonly action: Action;
  readonly request_id: string | null;
  readonly address: string | null;
}

export const ANONYMOUS: ActorRef = Object.freeze({ kind: 'anonymous', id: null, name: 'anonymous' });
/** The panel itself. */
export const PANEL: ActorRef = Object.freeze({ kind: 'system', id: null, name: 'panel' });

interface Record {
  readonly target?: AuditTarget;
  readonly detail?: string;
  /** Who did it, where the cause does not know yet: a person who just signed in. */
  readonly actor?: ActorRef;
  /** Set for a refusal: its code. */
  readonly code?: string;
}

/** One change of the ledger while it is made, with the entries of the trail that are written with it. */
export class Transaction extends documents.Transaction<Documents> {
  readonly #cause: Cause;
  readonly #entries: Append[] = [];

  constructor(place: documents.Place<Documents>, cause: Cause) {
    super(place);
    this.#cause = cause;
  }

  get cause(): Cause {
    return this.#cause;
  }

  get entries(): readonly Append[] {
    return this.#entries;
  }

  /** Writes an entry of the trail. Secrets never go in. */
  record({ target, detail, actor = this.#cause.actor, code }: Record = {}): void {
    const { action, request_id, address } = this.#cause;
    const id = newId('audit', this.now_ms);
    const entry: Omit<PanelAuditEntry, 'seq' | 'hash'> = {
      id,
      at: new Date(this.now_ms).toISOString(),
      action,
      outcome: code === undefined ? 'done' : 'refused',
      code: code ?? null,
      actor,
      target: target ?? null,
      request_id,
      address,
      detail: detail ?? null,
    };
    const labels = { actor: actor.id, action, target: target?.id ?? null };
    this.#entries.push({ log: TRAIL, id, at_ms: this.now_ms, ...labels, body: JSON.stringify(entry), chained: true });
  }
}
