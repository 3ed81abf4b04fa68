import type { AuditTarget, ErrorCode } from '@meshwork/contract';
import { householdOf } from '@meshwork/service';
import type { Ledger } from './ledger.ts';
import type { Cause } from './transaction.ts';

/** Refusals of one kind within this time share an entry, so that a loop of them cannot flood the trail. */
const WINDOW_MS = 10_000;
/** Kinds told apart at once. Beyond it they are counted together, under no address. */
const KINDS_AT_ONCE = 500;

interface Refusal {
  readonly cause: Cause;
  readonly code: ErrorCode | 'outside_scope';
  readonly target: AuditTarget | null;
}

interface Repeats {
  readonly refusal: Refusal;
  count: number;
}

/**
 * Puts every refusal into the trail: the first of its kind at once, its repeats within the next seconds as one entry that
 * counts them. A kind is who, an operation, a code and whom it is about. What somebody asks for who is not signed in is one
 * kind, whatever it is: a walk over all paths is one story.
 */
export class Refusals {
  readonly #ledger: Ledger;
  readonly #failed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #writing = new Set<Promise<void>>();
  #repeats = new Map<string, Repeats>();

  constructor(ledger: Ledger, failed: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#failed = failed;
    this.#timer = setInterval(() => void this.#flush(), WINDOW_MS).unref();
  }

  /** Never rejects: a refusal is answered as such even when it cannot be written down, and that is logged. */
  async record(given: Refusal): Promise<void> {
    const refusal = this.#repeats.size < KINDS_AT_ONCE ? given : together(given);
    const key = keyOf(refusal);
    const repeats = this.#repeats.get(key);
    if (repeats !== undefined) {
      repeats.count += 1;
      return;
    }
    this.#repeats.set(key, { refusal, count: 0 });
    await this.#write(refusal, null);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
    await Promise.all(this.#writing);
  }

  async #flush(): Promise<void> {
    const ended = this.#repeats;
    this.#repeats = new Map();
    for (const { refusal, count } of ended.values()) {
      if (count > 0) await this.#write(refusal, `${count} more within ${WINDOW_MS / 1000} s`);
    }
  }

  async #write(refusal: Refusal, detail: string | null): Promise<void> {
    const writing = this.#commit(refusal, detail);
    this.#writing.add(writing);
    await writing;
    this.#writing.delete(writing);
  }

  async #commit({ cause, code, target }: Refusal, detail: string | null): Promise<void> {
    try {
      await this.#ledger.transact(cause, (tx) =>
        tx.record({ code, ...(target === null ? {} : { target }), ...(detail === null ? {} : { detail }) }),
      );
    } catch (error) {
      this.#failed(error);
    }
  }
}

function together({ cause, code }: Refusal): Refusal {
  return { cause: { ...cause, request_id: null, address: null }, code, target: null };
}

function keyOf({ cause, code, target }: Refusal): string {
  const who = cause.actor.id ?? householdOf(cause.address ?? 'many');
  const what = code === 'sign_in_required' ? code : cause.action;
  return [who, what, code, target?.id].join('\n');
}
