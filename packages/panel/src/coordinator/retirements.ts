/**
 * Has the coordinator end tokens that people made and may no longer have. Each retirement is a document that was written with the
 * change of the person, and is deleted once the coordinator has confirmed it, so neither a restart nor an outage loses it.
 */
import { ApiError, type Client } from '@meshwork/client';
import type { Token } from '@meshwork/contract';
import type { Log } from '@meshwork/service';
import type { RetirementDocument, Stored } from '../ledger/documents.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { inOrder, pendingFor } from '../users/retire-tokens.ts';
import { plainAddress } from './delegation.ts';
import type { PanelCredential } from './panel-credential.ts';
import { troubleOf, unavailable } from './unavailable.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** A person may be waiting for the answer. */
const PATIENCE_MS = 5000;

interface Parts {
  readonly client: Client;
  readonly credential: PanelCredential;
  readonly ledger: Ledger;
  readonly log: Log;
}

export class Retirements {
  readonly #parts: Parts;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pause_ms = FIRST_PAUSE_MS;
  #closed = false;
  /** Whether the coordinator lacks the operation: its version is older. */
  #isUnknown = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.ledger.watch('retirement', (_before, after) => {
      if (after !== undefined) void this.settle();
    });
  }

  /** How many are still to be carried out. */
  get pending(): number {
    return [...this.#parts.ledger.all('retirement')].length;
  }

  /** Carries out what is pending. Never throws: what fails is logged, stays pending and is tried again. */
  settle(): Promise<void> {
    this.#running ??= this.#settle().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Tries what is pending for a person. True: nothing is left. */
  async settled(user: string): Promise<boolean> {
    // A round that already runs may have begun before this retirement was written.
    for (let round = 0; round < 2 && this.#isPending(user); round++) await this.settle();
    return !this.#isPending(user);
  }

  /**
   * Throws while a retirement of the person is pending. A coordinator of an older version that cannot do it blocks no request: it
   * is asked again once it is upgraded.
   */
  async ensureSettled(user: string): Promise<void> {
    if ((await this.settled(user)) || this.#isUnknown) return;
    throw unavailable('it still has to end tokens that the person may no longer have');
  }

  /** What would end. */
  async preview(asked: Omit<RetirementDocument, 'at'>): Promise<readonly Token[]> {
    try {
      return await this.#ask(asked, true);
    } catch (error) {
      const trouble = isUnknownOperation(error) ? 'its version cannot say which tokens would end' : troubleOf(error);
      throw trouble === undefined ? error : unavailable(trouble, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #settle(): Promise<void> {
    clearTimeout(this.#timer);
    const failed = new Set<string>();
    for (const one of inOrder(this.#parts.ledger)) {
      const { id: user } = one.body.person;
      // Those of one person in order: a later one may allow more than an earlier one left.
      if (this.#closed || failed.has(user)) continue;
      try {
        await this.#carryOut(one);
      } catch (error) {
        failed.add(user);
        this.#isUnknown = isUnknownOperation(error);
        this.#parts.log.warn({ err: error, user }, 'the tokens of a person could not be ended; trying again');
      }
    }
    if (failed.size === 0) this.#pause_ms = FIRST_PAUSE_MS;
    else this.#again();
  }

  #again(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.settle(), this.#pause_ms);
    this.#timer.unref();
    this.#pause_ms = Math.min(this.#pause_ms * 2, LONGEST_PAUSE_MS);
  }

  async #carryOut({ id, body }: Stored<'retirement'>): Promise<void> {
    const ended = await this.#ask(body, false);
    const { by: actor, address, person } = body;
    const cause = { actor, action: 'panel.retire_tokens', request_id: null, address } as const;
    await this.#parts.ledger.transact(cause, (tx) => {
      if (tx.get('retirement', id) === undefined) return; // another panel on the same store was first
      tx.delete('retirement', id);
      if (ended.length === 0) return;
      const names = ended.map((token) => `${token.name} (${token.id})`).join(', ');
      tx.record({ target: { kind: 'user', id: person.id }, detail: `${person.name}: ended ${names}` });
    });
  }

  async #ask(asked: Omit<RetirementDocument, 'at'>, preview: boolean): Promise<readonly Token[]> {
    const { client, credential } = this.#parts;
    const { person, by, limit, keep_tokens } = asked;
    const address = asked.address === null ? null : plainAddress(asked.address);
    const body = { person, by, address, limit, preview, ...(keep_tokens === true ? { keep_tokens } : {}) };
    const call = { body, retry: false, timeout_ms: PATIENCE_MS } as const;
    return (await credential.use((token) => client.call('delegations.retire', { token, ...call }))).body.items;
  }

  #isPending(user: string): boolean {
    return pendingFor(this.#parts.ledger, user).length > 0;
  }
}

function isUnknownOperation(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
