/** A token bucket of working time, so that a program that changes something all the time does not keep the agent busy. */
interface BudgetLimits {
  /** The share of time that the work may take in the long run. */
  readonly share: number;
  /** What may be spent at once. */
  readonly burst_ms: number;
}

export class WorkBudget {
  readonly #limits: BudgetLimits;
  #left_ms: number;
  #at_ms: number;

  constructor(limits: BudgetLimits, now_ms: number) {
    this.#limits = limits;
    this.#left_ms = limits.burst_ms;
    this.#at_ms = now_ms;
  }

  /** How long to wait before there is something to spend. */
  wait(now_ms: number): number {
    this.#refill(now_ms);
    return this.#left_ms > 0 ? 0 : Math.ceil((1 - this.#left_ms) / this.#limits.share);
  }

  /** Work is spent after it was done: a single piece may take longer than the burst, and the next one waits for it. */
  spend(took_ms: number, now_ms: number): void {
    this.#refill(now_ms);
    this.#left_ms -= took_ms;
  }

  #refill(now_ms: number): void {
    const { share, burst_ms } = this.#limits;
    const passed_ms = Math.max(0, now_ms - this.#at_ms); // 0: the clock was set back
    this.#at_ms = now_ms;
    this.#left_ms = Math.min(burst_ms, this.#left_ms + passed_ms * share);
  }
}
