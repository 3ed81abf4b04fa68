import { ApiError, type Client } from '@meshwork/client';
import { isId, timeOfId } from '@meshwork/contract';
import type { Log } from '@meshwork/service';
import type { Clock } from '@meshwork/time';
import { LIFETIME_S } from './delegation.ts';
import type { PanelCredential } from './panel-credential.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** A sign-out waits for the coordinator no longer than this. */
const PATIENCE_MS = 2000;

interface Parts {
  readonly client: Client;
  readonly credential: PanelCredential;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Ends delegations at the coordinator. While that is unreachable it tries again, for as long as the token could be valid; the
 * panel itself has dropped its secret by then.
 */
export class TokenEnds {
  readonly #parts: Parts;
  readonly #owed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #pause_ms = FIRST_PAUSE_MS;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns after the first attempt, whatever became of it. */
  async end(ids: Iterable<string>): Promise<void> {
    for (const id of ids) if (this.#mayWork(id)) this.#owed.add(id);
    if (this.#owed.size > 0) await this.#settle();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #settle(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([...this.#owed].map((id) => this.#tryToEnd(id)));
    if (this.#owed.size === 0 || this.#closed) {
      this.#pause_ms = FIRST_PAUSE_MS;
      return;
    }
    this.#timer = setTimeout(() => void this.#settle(), this.#pause_ms);
    this.#timer.unref();
    this.#pause_ms = Math.min(this.#pause_ms * 2, LONGEST_PAUSE_MS);
  }

  async #tryToEnd(id: string): Promise<void> {
    const { client, credential, log } = this.#parts;
    try {
      await credential.use((token) =>
        client.call('delegations.end', { token, params: { id }, retry: false, timeout_ms: PATIENCE_MS }),
      );
      this.#owed.delete(id);
    } catch (error) {
      if ((error instanceof ApiError && error.code === 'not_found') || !this.#mayWork(id)) this.#owed.delete(id);
      else log.warn({ err: error, id }, 'a delegation could not be ended; trying again');
    }
  }

  /** Its id says when it was made. */
  #mayWork(id: string): boolean {
    return isId('token', id) && this.#parts.clock.now() < timeOfId(id) + 2 * LIFETIME_S * 1000;
  }
}
