/** Ours: events that a gateway may have recorded one by one, at once and a second for long. Those beyond are counted. */
const BURST = 1_000;
const PER_S = 10;

interface Allowance {
  left: number;
  at: number;
}

/** One gateway under attack, or one that lies, must not push the events of all others out of the log. */
export class ReportAllowance {
  readonly #now: () => number;
  readonly #nodes = new Map<string, Allowance>();

  /** `now`: in milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many of so many it may have recorded. */
  take(node: string, wanted: number): number {
    const now = this.#now();
    const known = this.#nodes.get(node) ?? { left: BURST, at: now };
    const left = Math.min(BURST, known.left + ((now - known.at) / 1000) * PER_S);
    const taken = Math.min(wanted, Math.floor(left));
    this.#nodes.set(node, { left: left - taken, at: now });
    this.#sweep(now);
    return taken;
  }

  /** One that has all of it again is as one that never reported. Looked at a few at a time. */
  #sweep(now: number): void {
    let looked = 0;
    for (const [node, { left, at }] of this.#nodes) {
      if (left + ((now - at) / 1000) * PER_S >= BURST) this.#nodes.delete(node);
      if (++looked === 2) return;
    }
  }
}
