import type { AuditTarget, ErrorCode } from '@meshwork/contract';
import { WHOLE_MESH } from '@meshwork/contract';
import type { Actor } from '../mesh/actor.ts';
import type { Cause } from '../mesh/audit-entry.ts';
import type { Mesh } from '../mesh/mesh.ts';

/** Refusals of one kind within this time share an entry, so that a loop of them cannot flood the trail. */
const WINDOW_MS = 10_000;
/** Kinds of refusals told apart at once. Beyond it they are told apart by code only. */
const KINDS_AT_ONCE = 1000;

interface Refusal {
  readonly cause: Cause;
  readonly code: ErrorCode | 'outside_scope';
  readonly target: AuditTarget | null;
  readonly detail: string;
}

interface Repeats {
  readonly refusal: Refusal;
  count: number;
}

/**
 * Puts every refusal into the audit trail: the first of its kind at once, before it is answered; its repeats within
 * the next seconds as one entry that counts them.
 */
export class Refusals {
  readonly #mesh: Mesh;
  readonly #failed: (error: unknown) => void;
  #repeats = new Map<string, Repeats>();
  readonly #timer: NodeJS.Timeout;

  constructor(mesh: Mesh, failed: (error: unknown) => void) {
    this.#mesh = mesh;
    this.#failed = failed;
    this.#timer = setInterval(() => void this.#flush(), WINDOW_MS).unref();
  }

  /** Never rejects: a refusal is answered as such even when it cannot be written down, and that is logged. */
  async record(refusal: Refusal): Promise<void> {
    const key = this.#keyOf(refusal);
    const repeats = this.#repeats.get(key);
    if (repeats !== undefined) {
      repeats.count++;
      return;
    }
    this.#repeats.set(key, { refusal, count: 0 });
    await this.#write(refusal, 1);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const ended = this.#repeats;
    this.#repeats = new Map();
    const repeated = [...ended.values()].filter(({ count }) => count > 0);
    await Promise.all(repeated.map(({ refusal, count }) => this.#write(refusal, count)));
  }

  async #write({ cause, code, target, detail }: Refusal, count: number): Promise<void> {
    const scope = cause.actor.kind === 'token' ? cause.actor.scope : WHOLE_MESH;
    try {
      await this.#mesh.transact(cause, (tx) => tx.record({ target, scope, detail, outcome: 'refused', code, count }));
    } catch (error) {
      this.#failed(error);
    }
  }

  #keyOf({ cause, code, target }: Refusal): string {
    if (this.#repeats.size >= KINDS_AT_ONCE) return code;
    return [whoOf(cause.actor) ?? cause.request?.address, cause.action, code, target?.id].join('\n');
  }
}

function whoOf(actor: Actor): string | undefined {
  return actor.kind === 'token' ? actor.id : undefined;
}
