import { type AuditTarget, type ErrorCode, type Scope, WHOLE_MESH } from '@meshwork/contract';
import { householdOf } from '@meshwork/service';
import type { Cause } from '../mesh/audit-entry.ts';
import type { Mesh } from '../mesh/mesh.ts';

/** Refusals of one kind within this time share an entry, so that a loop of them cannot flood the trail. */
const WINDOW_MS = 10_000;
/** Strangers told apart by address at once. Beyond it they are counted together, under no address. */
const STRANGERS_AT_ONCE = 200;

export interface Refusal {
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
 * Puts every refusal into the audit trail: the first of its kind at once, its repeats within the next seconds as one
 * entry that counts them. A kind is a caller, an operation and a code. What a refused caller names in a path is its own
 * choice and makes no kind, except where it was found and lies outside the scope.
 */
export class Refusals {
  readonly #mesh: Mesh;
  readonly #failed: (error: unknown) => void;
  #repeats = new Map<string, Repeats>();
  #strangers = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(mesh: Mesh, failed: (error: unknown) => void) {
    this.#mesh = mesh;
    this.#failed = failed;
    this.#timer = setInterval(() => void this.#flush(), WINDOW_MS).unref();
  }

  /** Never rejects: a refusal is answered as such even when it cannot be written down, and that is logged. */
  async record(given: Refusal): Promise<void> {
    const refusal = this.#together(given);
    const key = keyOf(refusal);
    const isRepeated = this.#repeats.has(key);
    this.#count(key, refusal, isRepeated ? 1 : 0);
    if (!isRepeated) await this.#write(refusal, 1);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const ended = this.#repeats;
    this.#repeats = new Map();
    this.#strangers = 0;
    const repeated = [...ended].filter(([, { count }]) => count > 0);
    await Promise.all(repeated.map(([, { refusal, count }]) => this.#write(refusal, count)));
  }

  async #write(refusal: Refusal, count: number): Promise<void> {
    const { cause, code, target, detail } = refusal;
    try {
      await this.#mesh.transact(cause, (tx) =>
        tx.record({ target, scope: scopeOf(cause, code), detail, outcome: 'refused', code, count }),
      );
    } catch (error) {
      this.#failed(error);
      // The next flush tries again.
      const again = this.#together(refusal);
      this.#count(keyOf(again), again, count);
    }
  }

  #count(key: string, refusal: Refusal, count: number): void {
    const repeats = this.#repeats.get(key);
    if (repeats !== undefined) repeats.count += count;
    else {
      this.#repeats.set(key, { refusal, count });
      if (refusal.cause.actor.kind === 'anonymous') this.#strangers++;
    }
  }

  /** Strangers beyond the number we tell apart are one stranger from nowhere. */
  #together(refusal: Refusal): Refusal {
    const { actor, action } = refusal.cause;
    if (actor.kind !== 'anonymous' || this.#strangers < STRANGERS_AT_ONCE) return refusal;
    return { ...refusal, cause: { actor, action }, target: null, detail: 'From many addresses at once.' };
  }
}

function keyOf({ cause, code, target }: Refusal): string {
  const { actor } = cause;
  const who =
    actor.kind === 'token' || actor.kind === 'node' ? actor.id : householdOf(cause.request?.address ?? 'many');
  return [who, cause.action, code, code === 'outside_scope' ? target?.id : ''].join('\n');
}

/**
 * Who may read the entry. That something lies outside the caller's scope is not for the caller to read, nor for others
 * of its scope: it would tell them that the thing exists.
 */
function scopeOf({ actor }: Cause, code: Refusal['code']): Scope {
  return actor.kind === 'token' && code !== 'outside_scope' ? actor.scope : WHOLE_MESH;
}
