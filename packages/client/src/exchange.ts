import type { BuiltRequest } from './build-request.ts';
import { UnreachableError, unreachable } from './unreachable-error.ts';

interface ExchangeOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly timeout_ms: number;
  readonly signals: readonly AbortSignal[];
}

/** One request and its response, under one time limit that the reader of the response can extend. */
export class Exchange implements Disposable {
  readonly #address: string;
  readonly #signals: readonly AbortSignal[];
  readonly #limit = new AbortController();
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  readonly #response: Promise<Response>;

  constructor(request: BuiltRequest, options: ExchangeOptions) {
    this.#address = request.url.origin;
    this.#signals = options.signals;
    this.#timeoutMs = options.timeout_ms;
    this.#startTimer();
    const { fetch } = options;
    this.#response = fetch(request.url, {
      method: request.method,
      headers: request.headers,
      redirect: 'manual',
      signal: AbortSignal.any([this.#limit.signal, ...options.signals]),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
  }

  response(): Promise<Response> {
    return this.#meaning(this.#response);
  }

  text(response: Response): Promise<string> {
    return this.#meaning(response.text());
  }

  /** The body piece by piece. The limit is for each piece; the time its reader takes with one does not count. */
  async *pieces(response: Response): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    if (reader === undefined) return;
    try {
      while (true) {
        this.#startTimer();
        const { done, value } = await this.#meaning(reader.read());
        clearTimeout(this.#timer);
        if (done) return;
        yield value;
      }
    } finally {
      // Reached early when the reader has had enough: the rest need not be sent.
      await reader.cancel().catch(() => undefined); // already broken, and reported as such
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#limit.abort(), this.#timeoutMs);
  }

  /** Why it failed: the caller's signal first, then the time limit, then the network. */
  async #meaning<T>(step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (failure) {
      for (const signal of this.#signals) signal.throwIfAborted();
      if (this.#limit.signal.aborted) throw new UnreachableError(this.#address, 'timeout');
      throw unreachable(this.#address, failure);
    }
  }
}
