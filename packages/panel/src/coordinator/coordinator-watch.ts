/** Checks that the coordinator is reachable, and rotates the panel's own token in time: at once, then every half minute. */

import { MeshError } from '@meshwork/contract';
import type { Log } from '@meshwork/service';
import type { PanelCredential } from './panel-credential.ts';
import type { Reachability } from './reachability.ts';
import { troubleOf } from './unavailable.ts';

const EVERY_MS = 30_000;
const FIRST_PAUSE_MS = 500;
/** `/readyz` sends at most one request in this time. */
const FRESH_MS = 2000;

interface Parts {
  readonly credential: PanelCredential;
  readonly reachability: Reachability;
  readonly log: Log;
  /** Called each time that the coordinator has answered. */
  readonly answered: () => Promise<void>;
}

export class CoordinatorWatch {
  readonly #parts: Parts;
  #checking: Promise<void> | undefined;
  #checked_at = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #pause_ms = FIRST_PAUSE_MS;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns after the first check, whatever the result: a panel also starts while its coordinator does not run. */
  async start(): Promise<void> {
    await this.look();
    this.#again();
  }

  /** For `/readyz`. */
  async readiness(): Promise<{ readonly name: 'coordinator'; readonly ok: boolean; readonly detail: string | null }> {
    if (performance.now() - this.#checked_at > FRESH_MS) await this.look();
    const { reachable: ok, trouble: detail } = this.#parts.reachability;
    return { name: 'coordinator', ok, detail };
  }

  /** One look at a time; it never throws, since what it found is in `reachability`. */
  look(): Promise<void> {
    this.#checking ??= this.#look().finally(() => {
      this.#checking = undefined;
      this.#checked_at = performance.now();
    });
    return this.#checking;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#checking;
  }

  async #look(): Promise<void> {
    const { credential, reachability, log, answered } = this.#parts;
    const before = reachability.trouble;
    try {
      await credential.check();
      reachability.answered();
      await answered();
    } catch (error) {
      const trouble = troubleOf(error) ?? (error instanceof MeshError ? error.message : 'the request failed');
      reachability.failed(trouble);
      if (trouble !== before) log.warn({ err: error }, 'the coordinator is unavailable');
    }
  }

  #again(): void {
    if (this.#closed) return;
    const { reachable } = this.#parts.reachability;
    this.#pause_ms = reachable ? FIRST_PAUSE_MS : Math.min(this.#pause_ms * 2, EVERY_MS);
    this.#timer = setTimeout(() => void this.look().then(() => this.#again()), reachable ? EVERY_MS : this.#pause_ms);
    this.#timer.unref();
  }
}
