/** What WireGuard counted since the look before. */
export interface Look {
  readonly came: number;
  readonly went: number;
  /** WireGuard hands the packets over to the carrier. */
  readonly isHere: boolean;
  /** The look comes long after the one before, so silence says nothing. */
  readonly isLate: boolean;
  readonly now_ms: number;
}

/** `ask`: a question inside the tunnel. `hand over`: packets go through relays too. `dead`: through relays alone. */
type Verdict = 'fine' | 'ask' | 'hand over' | 'dead';

/** WireGuard's keepalive: nothing is expected back. */
export const KEEPALIVE_BYTES = 32;
/** Ours: a path that gave nothing back for so long, or for two round trips, is asked about. */
const SILENT_MS = 350;
/** Ours: one that was in doubt for so long is dead. Nothing is lost by waiting: packets go through relays too. */
const DEAD_MS = 1200;

/**
 * Whether a direct path carries. It is proven by packets of the peer that come by it. When packets leave and none comes back, a
 * question says whether that is the path or the way that programs speak; if nothing comes back to that, it is in doubt.
 */
export class DirectWatch {
  readonly #rtt_ms: number;
  /** When something last came, as far as looks say. */
  #heard_ms: number;
  /** Packets left since then, and a question. */
  #isAsked = false;
  /** From when on nothing says that it carries. Undefined: it is proven. */
  #doubted_ms: number | undefined;

  /** `isProven`: packets came by it before. */
  constructor(now_ms: number, { rtt_ms = 0, isProven = false }: { rtt_ms?: number; isProven?: boolean } = {}) {
    this.#rtt_ms = rtt_ms;
    this.#heard_ms = now_ms;
    this.#doubted_ms = isProven ? undefined : now_ms;
  }

  /** Whether it should be looked at soon. */
  get isDoubtful(): boolean {
    return this.#isAsked || this.#doubted_ms !== undefined;
  }

  look({ came, went, isHere, isLate, now_ms }: Look): Verdict {
    if (isLate && this.#doubted_ms !== undefined) this.#doubted_ms = now_ms;
    if (came > 0 || isLate) {
      this.#heard_ms = now_ms;
      this.#isAsked = false;
    }
    if (isHere) return this.#doubt(now_ms);
    if (came > 0) this.#doubted_ms = undefined;
    else if (went > KEEPALIVE_BYTES || this.#isAsked) return this.#missed(now_ms);
    return 'fine';
  }

  #missed(now_ms: number): Verdict {
    if (now_ms - this.#heard_ms < Math.max(SILENT_MS, 2 * this.#rtt_ms)) return 'fine';
    if (this.#isAsked) {
      this.#doubted_ms ??= now_ms;
      return 'hand over';
    }
    this.#isAsked = true;
    return 'ask';
  }

  /** WireGuard hands packets over: because we had it do so, or because the peer sends through relays. */
  #doubt(now_ms: number): Verdict {
    this.#doubted_ms ??= now_ms;
    return now_ms - this.#doubted_ms < DEAD_MS ? 'ask' : 'dead';
  }
}
