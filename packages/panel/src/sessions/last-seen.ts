import { utc } from '@meshwork/contract';
import { noteActivity } from '../ledger/activity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { PANEL } from '../ledger/transaction.ts';
import type { SignedInAs } from './person-access.ts';
import { SEEN_MS } from './session-limits.ts';

/** Notes that a session was used, at most once a minute, so that it does not end as idle. */
export class LastSeen {
  readonly #ledger: Ledger;
  readonly #failed: (error: unknown) => void;
  readonly #writing = new Set<string>();

  constructor(ledger: Ledger, failed: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#failed = failed;
  }

  /** Returns at once: no request waits for the write. */
  note({ session, user }: SignedInAs, address: string): void {
    const { id, body } = session;
    if (this.#ledger.clock.now() - Date.parse(body.last_seen_at) < SEEN_MS || this.#writing.has(id)) return;
    this.#writing.add(id);
    this.#write(id, user.id, address)
      .catch(this.#failed)
      .finally(() => this.#writing.delete(id));
  }

  #write(session: string, user: string, address: string): Promise<void> {
    const cause = { actor: PANEL, action: 'panel.sweep', request_id: null, address: null } as const;
    return this.#ledger.transact(cause, (tx) => {
      const found = tx.get('session', session);
      if (found === undefined) return; // ended meanwhile, and must not come back
      tx.put('session', session, { ...found.body, last_seen_at: utc(tx.now_ms), address });
      if (tx.get('user', user) !== undefined) noteActivity(tx, user);
    });
  }
}
