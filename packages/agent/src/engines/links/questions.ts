import type { Carrier } from '../../carrier/carrier.ts';
import type { CarrierEvent } from '../../carrier/control/messages.ts';
import type { Place } from '../../stun/xor-address.ts';

export type Answered = (facts: CarrierEvent<'answered'>) => void;

interface Pending {
  readonly answered: Answered;
  readonly at_ms: number;
}

/** Ours: what comes later than this is of no use. */
const PENDING_MS = 10_000;

/** Binding requests from WireGuard's own port, and who waits for their answers. */
export class Questions {
  readonly #carrier: Pick<Carrier, 'ask'>;
  /** In the order in which they were asked. */
  readonly #pending = new Map<string, Pending>();

  constructor(carrier: Pick<Carrier, 'ask' | 'events'>) {
    this.#carrier = carrier;
    // An answer may stand in the same read as the number of its question, whose `ask` has then not gone on yet.
    carrier.events.on('answered', (facts) => setImmediate(() => this.#answer(facts)));
  }

  /** `peer`: only that peer is believed. False: it was not sent, because there are too many at once or no way there. */
  async ask(to: Place, peer: string | undefined, answered: Answered): Promise<boolean> {
    const sent = await this.#carrier.ask('ask', peer === undefined ? { to } : { to, peer }).catch(() => undefined);
    if (sent === undefined) return false;
    const now_ms = performance.now();
    for (const [old, { at_ms }] of this.#pending) {
      if (now_ms - at_ms < PENDING_MS) break;
      this.#pending.delete(old);
    }
    this.#pending.set(sent.transaction, { answered, at_ms: now_ms });
    return true;
  }

  #answer(facts: CarrierEvent<'answered'>): void {
    const pending = this.#pending.get(facts.transaction);
    this.#pending.delete(facts.transaction);
    pending?.answered(facts);
  }
}
