import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Lets only so many checks run at once. Those that wait get their turn in order, after those that are urgent. No two begin in
 * the same turn of the event loop: opening many connections in one go would hold up everything else.
 */
export class CheckSlots {
  readonly #urgent: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #begun: Promise<void> = Promise.resolve();

  constructor(count: number) {
    this.#free = count;
  }

  async use<T>(work: () => Promise<T>, { urgent }: { readonly urgent: boolean }): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => (urgent ? this.#urgent : this.#waiting).push(resolve));
    try {
      this.#begun = this.#begun.then(() => nextTurn());
      await this.#begun;
      return await work();
    } finally {
      const next = this.#urgent.shift() ?? this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next(); // the slot goes on to it
    }
  }
}
