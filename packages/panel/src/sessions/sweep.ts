import type { Ledger } from '../ledger/ledger.ts';
import { PANEL } from '../ledger/transaction.ts';
import { isAlive } from './sessions.ts';

const EVERY_MS = 60_000;

/** Removes expired sessions and invitations. Nothing depends on it: every read checks the expiry. */
export class Sweep {
  readonly #ledger: Ledger;
  readonly #failed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;

  constructor(ledger: Ledger, failed: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#failed = failed;
    this.#timer = setInterval(() => void this.run(), EVERY_MS).unref();
  }

  run(): Promise<void> {
    this.#running ??= this.#remove()
      .catch(this.#failed)
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #remove(): Promise<void> {
    if (!this.#hasEnded(this.#ledger, this.#ledger.clock.now())) return;
    const cause = { actor: PANEL, action: 'panel.sweep', request_id: null, address: null } as const;
    await this.#ledger.transact(cause, (tx) => {
      for (const { id } of endedSessions(tx, tx.now_ms)) tx.delete('session', id);
      for (const { id } of endedInvitations(tx, tx.now_ms)) tx.delete('invitation', id);
    });
  }

  #hasEnded(ledger: Ledger, now_ms: number): boolean {
    return endedSessions(ledger, now_ms).length > 0 || endedInvitations(ledger, now_ms).length > 0;
  }
}

type View = Pick<Ledger, 'all'>;

function endedSessions(view: View, now_ms: number) {
  return [...view.all('session')].filter(({ body }) => !isAlive(body, now_ms));
}

function endedInvitations(view: View, now_ms: number) {
  return [...view.all('invitation')].filter(({ body }) => Date.parse(body.expires) <= now_ms);
}
