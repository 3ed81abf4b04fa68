export const WOKEN = Symbol('woken');

/** A bell for one sleeper. Rung while none sleeps, it wakes the next one at once, unless it was cleared. */
export class Wake {
  #rung = false;
  #rouse: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#rouse?.();
  }

  clear(): void {
    this.#rung = false;
  }

  /** What `work` comes to, or `WOKEN` when the bell rings first. The work goes on in that case, and may fail unheard. */
  async race<T>(work: Promise<T>): Promise<T | typeof WOKEN> {
    const bell = Promise.withResolvers<typeof WOKEN>();
    this.#rouse = () => bell.resolve(WOKEN);
    if (this.#rung) this.#rouse();
    try {
      return await Promise.race([work, bell.promise]);
    } finally {
      this.#rouse = undefined;
    }
  }
}
