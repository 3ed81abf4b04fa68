import type { WireOperation } from '@meshwork/contract/wire';
import { type SleepingClock, systemClock } from '@meshwork/time';
import { parseBaseUrl } from './base-url.ts';
import { type BuiltRequest, buildRequest, type Caller, checkToken } from './build-request.ts';
import { type Break, EVENTS_SILENCE_MS, type EventsOptions, followEvents, type StreamedEvent } from './events.ts';
import { Exchange } from './exchange.ts';
import { splitLines } from './lines.ts';
import {
  isRedirect,
  mediaType,
  type Received,
  readBody,
  readLine,
  readRefusal,
  redirectRefused,
  unexpected,
} from './read-answer.ts';
import { type AnyRequest, NDJSON } from './requests.ts';
import { DEFAULT_RETRY, mayRetry, NO_RETRY, pauseBefore, type RetryOptions } from './retry.ts';
import { UnreachableError } from './unreachable-error.ts';

export interface ClientOptions {
  /** Of the coordinator, for example `http://127.0.0.1:7400`; may have a path that a proxy puts in front. */
  readonly url: string;
  /** Absent: only operations that need no credentials will succeed. */
  readonly token?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly timeout_ms?: number | undefined;
  readonly user_agent?: string | undefined;
  /** `false`: every call is one attempt. */
  readonly retry?: RetryOptions | false | undefined;
  /** Ends everything that is under way, and everything later. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: SleepingClock | undefined;
  /** From 0 to 1, for the jitter between attempts. */
  readonly random?: (() => number) | undefined;
}

export interface ClientResponse<Body> {
  readonly status: number;
  readonly body: Body;
  readonly etag: string | null;
  readonly location: string | null;
  readonly request_id: string | null;
}

/** The specification names no limit; this one is longer than any answer of the API takes, streams aside. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** What a client does, for any operation: what is precise about a single one is in the types of `Client`, not here. */
export class Wire {
  readonly #caller: Caller;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeoutMs: number;
  readonly #retry: Required<RetryOptions>;
  readonly #signal: AbortSignal | undefined;
  readonly #clock: SleepingClock;
  readonly #random: () => number;

  constructor(options: ClientOptions) {
    if (options.token !== undefined) checkToken(options.token);
    this.#caller = {
      base: parseBaseUrl(options.url),
      token: options.token,
      user_agent: options.user_agent ?? 'meshwork-client',
    };
    this.#fetch = options.fetch ?? globalThis.fetch;
    this.#timeoutMs = options.timeout_ms ?? DEFAULT_TIMEOUT_MS;
    this.#retry = options.retry === false ? NO_RETRY : { ...DEFAULT_RETRY, ...options.retry };
    this.#signal = options.signal;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  call(operation: WireOperation, request: AnyRequest): Promise<ClientResponse<unknown>> {
    return this.#ask(operation, request, operation.answer === undefined ? 'application/json' : operation.answer);
  }

  async text(operation: WireOperation, request: AnyRequest): Promise<ClientResponse<unknown>> {
    const other = operation.also?.find((type) => type !== NDJSON);
    if (other === undefined) throw new TypeError(`${operation.path} has no other form`);
    return this.#ask(operation, request, other);
  }

  /** `type`: the media type of the answer that is wanted. Null: it has no body. */
  async #ask(operation: WireOperation, request: AnyRequest, type: string | null): Promise<ClientResponse<unknown>> {
    const caller = this.#callerOf(request);
    const built = buildRequest(caller, operation, request, type ?? 'application/json');
    return this.#persist(operation, request, async () => {
      using exchange = this.#send(built, request);
      const response = await exchange.response();
      await this.#expectGood(caller, exchange, response);
      const text = await exchange.text(response);
      return clientResponse(response, readBody(type, this.#received(caller, response, text)));
    });
  }

  async *pages(operation: WireOperation, request: AnyRequest): AsyncGenerator<unknown> {
    let cursor: string | null | undefined;
    do {
      const reply = await this.call(operation, { ...request, query: { ...request.query, cursor } });
      const page = reply.body as { items: unknown[]; next_cursor: string | null };
      if (page.next_cursor !== null && page.next_cursor === cursor) {
        throw new Error(`the list of ${operation.path} does not move on from its cursor`);
      }
      cursor = page.next_cursor;
      yield* page.items;
    } while (cursor !== null);
  }

  async *lines(operation: WireOperation, request: AnyRequest): AsyncGenerator<unknown> {
    const caller = this.#callerOf(request);
    const built = buildRequest(caller, operation, request, NDJSON);
    // Only the opening is retried: delivered items cannot be taken back.
    const opened = await this.#persist(operation, request, () => this.#open(caller, built, request, NDJSON));
    using exchange = opened.exchange;
    const { response } = opened;
    let number = 0;
    for await (const line of splitLines(exchange.pieces(response))) {
      number += 1;
      if (line !== '') yield readLine(line, number, this.#received(caller, response, ''));
    }
  }

  events(operation: WireOperation, asked: AnyRequest & EventsOptions): AsyncGenerator<StreamedEvent> {
    const request = { ...asked, timeout_ms: asked.timeout_ms ?? EVENTS_SILENCE_MS };
    const caller = this.#callerOf(request);
    const built = buildRequest(caller, operation, request);
    return followEvents({
      open: async (last_event_id) => {
        const place = last_event_id === undefined ? {} : { 'last-event-id': last_event_id };
        const resumed = { ...built, headers: { ...built.headers, ...place } };
        const { exchange, response } = await this.#open(caller, resumed, request, built.headers.accept ?? '');
        request.opened?.();
        return {
          lines: splitLines(exchange.pieces(response)),
          unexpected: (what) => unexpected(this.#received(caller, response, ''), what),
          [Symbol.dispose]: () => exchange[Symbol.dispose](),
        };
      },
      comeBack: (how) => this.#comeBack(how, request),
    });
  }

  async #comeBack({ error, failures, was_open, retry_ms }: Break, request: AnyRequest & EventsOptions) {
    const rules = request.retry === false ? NO_RETRY : this.#retry;
    const ended = error === undefined;
    if (rules.attempts <= 1 && ended) return false;
    const passing = ended || mayRetry(error, { method: 'GET', guarded: false }) || (was_open && isTimeout(error));
    if (!passing || rules.attempts <= 1 || (!was_open && failures >= rules.attempts)) throw error;
    const pause = pauseBefore(failures + 1, error, { ...rules, base_ms: retry_ms ?? rules.base_ms }, this.#random);
    if (pause === null) throw error;
    request.broke?.(error);
    await this.#clock.sleep(pause, AbortSignal.any(this.#signals(request)));
    return true;
  }

  /** Tries until it works, must not be tried again, or has been tried often enough. */
  async #persist<T>(operation: WireOperation, request: AnyRequest, attempt: () => Promise<T>): Promise<T> {
    const rules = request.retry === false ? NO_RETRY : this.#retry;
    const facts = { method: operation.method, guarded: request.if_match !== undefined };
    for (let next = 2; ; next++) {
      try {
        return await attempt();
      } catch (error) {
        if (next > rules.attempts || !mayRetry(error, facts)) throw error;
        const pause = pauseBefore(next, error, rules, this.#random);
        if (pause === null) throw error;
        await this.#clock.sleep(pause, AbortSignal.any(this.#signals(request)));
      }
    }
  }

  /** A streamed response. Its reader disposes of the exchange. */
  async #open(
    caller: Caller,
    built: BuiltRequest,
    request: AnyRequest,
    type: string,
  ): Promise<{ exchange: Exchange; response: Response }> {
    const exchange = this.#send(built, request);
    try {
      const response = await exchange.response();
      await this.#expectGood(caller, exchange, response);
      if (mediaType(response) !== type) {
        await response.body?.cancel();
        throw unexpected(this.#received(caller, response, ''), `with ${mediaType(response)}, not ${type}`);
      }
      return { exchange, response };
    } catch (error) {
      exchange[Symbol.dispose]();
      throw error;
    }
  }

  #send(built: BuiltRequest, request: AnyRequest): Exchange {
    return new Exchange(built, {
      fetch: this.#fetch,
      timeout_ms: request.timeout_ms ?? this.#timeoutMs,
      signals: this.#signals(request),
    });
  }

  #signals(request: AnyRequest): AbortSignal[] {
    return [this.#signal, request.signal].filter((signal) => signal !== undefined);
  }

  #callerOf({ token }: AnyRequest): Caller {
    if (token === undefined) return this.#caller;
    checkToken(token);
    return { ...this.#caller, token };
  }

  async #expectGood(caller: Caller, exchange: Exchange, response: Response): Promise<void> {
    if (isRedirect(response)) {
      await exchange.text(response); // so that the connection is free again
      throw redirectRefused(this.#received(caller, response, ''));
    }
    if (!response.ok) throw readRefusal(this.#received(caller, response, await exchange.text(response)));
  }

  #received({ base, token }: Caller, response: Response, text: string): Received {
    return { address: base.origin, response, text, token, now_ms: this.#clock.now() };
  }
}

/** A stream that fell silent, or a network that drops packets: another connection may work. */
function isTimeout(error: unknown): boolean {
  return error instanceof UnreachableError && error.reason === 'timeout';
}

function clientResponse(response: Response, body: unknown): ClientResponse<unknown> {
  const { status, headers } = response;
  return {
    status,
    body,
    etag: headers.get('etag'),
    location: headers.get('location'),
    request_id: headers.get('x-request-id'),
  };
}
