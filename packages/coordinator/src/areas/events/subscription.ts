interface Parts {
  /** Who listens: streams are counted by token. */
  readonly token: string;
  /** Throws once the caller may no longer read the stream. */
  ensureAllowed(): void;
  /** How long a stream that has to end may take to do so before its connection is cut. */
  readonly cut_after_ms: number;
}

/**
 * One stream, as the feed knows it. It is looked at from outside as well: one whose reader has stopped reading stands
 * still, and could neither notice that its token was revoked nor that the coordinator goes down.
 */
export class Subscription {
  readonly token: string;
  readonly #parts: Parts;
  readonly #cut = new AbortController();
  #open = true;
  #woken = false;
  #wake: (() => void) | undefined;
  #cutting: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.token = parts.token;
    this.#parts = parts;
  }

  /** Aborted when the stream has to end and does not, because its client does not read what is already sent. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Whether it may go on. */
  check(): boolean {
    if (!this.#open) return false;
    try {
      this.#parts.ensureAllowed();
    } catch {
      this.end(); // a client that reconnects gets the reason
    }
    return this.#open;
  }

  /** Something may have happened. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Returns once it was woken, at once when that was since the last time. */
  async woken(): Promise<void> {
    if (!this.#woken) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    this.#woken = false;
  }

  /** It ends by itself where it can, and is cut off where not. */
  end(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#cutting = setTimeout(() => this.#cut.abort(), this.#parts.cut_after_ms);
    this.wake();
  }

  /** Its stream is over. */
  over(): void {
    this.#open = false;
    clearTimeout(this.#cutting);
  }
}
