import {
  type ActorRef,
  type AuditTarget,
  newId,
  type OperationId,
  type PanelAuditEntry,
  type PanelOperationId,
} from '@meshwork/contract';
import type { Append, Change, Commit } from '@meshwork/store';
import type { Documents, Kind, Stored } from './documents.ts';

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

interface View {
  get<K extends Kind>(kind: K, id: string): Stored<K> | undefined;
  all<K extends Kind>(kind: K): Iterable<Stored<K>>;
}

interface Parts {
  readonly view: View;
  /** Those of the same round that come before this one and have written. */
  readonly before: readonly Transaction[];
  readonly revision: number;
  readonly cause: Cause;
  readonly now_ms: number;
}

export const ANONYMOUS: ActorRef = Object.freeze({ kind: 'anonymous', id: null, name: 'anonymous' });
/** The panel itself. */
export const PANEL: ActorRef = Object.freeze({ kind: 'system', id: null, name: 'panel' });

interface Record {
  readonly target?: AuditTarget;
  readonly detail?: string;
  /** Who did it, when the cause does not know yet: somebody who just signed in. */
  readonly actor?: ActorRef;
  /** Set for a refusal: its code. */
  readonly code?: string;
}

/** One change of the ledger while it is made: reads see what it has written so far. */
export class Transaction {
  readonly revision: number;
  readonly now_ms: number;
  readonly #parts: Parts;
  readonly #written = new Map<
    string,
    { readonly kind: Kind; readonly stored: Stored<Kind> | null; readonly id: string }
  >();
  readonly #appends: Append[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.revision = parts.revision;
    this.now_ms = parts.now_ms;
  }

  get<K extends Kind>(kind: K, id: string): Stored<K> | undefined {
    for (const tx of [this, ...this.#parts.before.toReversed()]) {
      const found = tx.#written.get(keyOf(kind, id));
      if (found !== undefined) return (found.stored ?? undefined) as Stored<K> | undefined;
    }
    return this.#parts.view.get(kind, id);
  }

  /** In no particular order. */
  *all<K extends Kind>(kind: K): Iterable<Stored<K>> {
    const changed = new Set<string>();
    for (const tx of [...this.#parts.before, this]) {
      for (const written of tx.#written.values()) if (written.kind === kind) changed.add(written.id);
    }
    for (const stored of this.#parts.view.all(kind)) if (!changed.has(stored.id)) yield stored;
    for (const id of changed) {
      const stored = this.get(kind, id);
      if (stored !== undefined) yield stored;
    }
  }

  put<K extends Kind>(kind: K, id: string, body: Documents[K]): Stored<K> {
    const stored = { id, revision: this.revision, body };
    this.#written.set(keyOf(kind, id), { kind, id, stored });
    return stored;
  }

  delete(kind: Kind, id: string): void {
    this.#written.set(keyOf(kind, id), { kind, id, stored: null });
  }

  /** Writes an entry of the trail. Secrets never go in. */
  record({ target, detail, actor = this.#parts.cause.actor, code }: Record = {}): void {
    const { action, request_id, address } = this.#parts.cause;
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
    this.#appends.push({ log: TRAIL, id, at_ms: this.now_ms, ...labels, body: JSON.stringify(entry), chained: true });
  }

  get hasWritten(): boolean {
    return this.#written.size > 0 || this.#appends.length > 0;
  }

  /** What goes to the store. */
  commit(): Commit {
    const changes = [...this.#written.values()].map(
      ({ kind, id, stored }): Change => ({ kind, id, body: stored === null ? null : JSON.stringify(stored.body) }),
    );
    return { revision: this.revision, changes, appends: this.#appends };
  }
}

function keyOf(kind: Kind, id: string): string {
  return `${kind} ${id}`;
}
