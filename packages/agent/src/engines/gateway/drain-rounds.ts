import { setTimeout as pause } from 'node:timers/promises';

/** Ours: workers notice within half a second what they have to end. What they could not end yet is tried again so often. */
const ENDED_WITHIN_MS = 600;
const MOST_ROUNDS = 10;

interface DrainRoundsOptions {
  /** Until the next deadline, in milliseconds. Undefined: there is none. */
  readonly next: () => number | undefined;
  /** Tells nginx what has to end. */
  readonly order: () => Promise<void>;
  /** Whether any of that is still open. */
  readonly isLeft: () => Promise<boolean>;
  readonly ended: () => void;
  readonly failed: (error: unknown) => void;
}

/** Has nginx end what is still open through ingresses whose deadline has come, until nothing is. */
export class DrainRounds {
  readonly #options: DrainRoundsOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DrainRoundsOptions) {
    this.#options = options;
  }

  /** The next deadline, whatever it was before. */
  await(): void {
    this.stop();
    const left_ms = this.#options.next();
    if (left_ms === undefined) return;
    this.#timer = setTimeout(() => {
      this.await();
      this.begin();
    }, left_ms).unref();
  }

  begin(rounds = MOST_ROUNDS): void {
    this.#round(rounds).catch(this.#options.failed);
  }

  async #round(rounds: number): Promise<void> {
    const { order, isLeft, ended } = this.#options;
    await order();
    await pause(ENDED_WITHIN_MS, undefined, { ref: false });
    if ((await isLeft()) && rounds > 1) this.begin(rounds - 1);
    else ended();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
