import type { Operation } from '@meshwork/contract';
import { type Dispatcher, Pool } from 'undici';
import type { Proxied } from './proxied-operations.ts';
import type { Trust } from './trust.ts';

const CONNECT_MS = 2000;
/** Until the answer begins: longer than any operation computes, and than the longest that one may be asked to wait. */
const ANSWER_MS = 30_000;
const WAITED_ANSWER_MS = 90_000;
/** Between two pieces of an answer. A stream of events says something every 15 seconds. */
const SILENCE_MS = 60_000;

interface UpstreamRequest {
  readonly method: Dispatcher.HttpMethod;
  /** Below `/v1`, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly signal: AbortSignal;
}

/** A pool of connections to the coordinator. Follows no redirect and changes nothing. */
export class Upstream {
  readonly #pool: Pool;
  /** What a proxy in front of the coordinator has its paths begin with. */
  readonly #prefix: string;

  constructor(url: string, trust: Trust = {}) {
    const base = new URL(url);
    this.#prefix = base.pathname.replace(/\/+$/, '');
    // No upper bound on connections: `OpenAnswers` limits them for each session and person.
    this.#pool = new Pool(base.origin, {
      connect: { timeout: CONNECT_MS, ...trust },
      headersTimeout: ANSWER_MS,
      bodyTimeout: SILENCE_MS,
      pipelining: 1,
    });
  }

  send({ path, body, ...request }: UpstreamRequest, { operation }: Pick<Proxied, 'operation'>) {
    return this.#pool.request({
      ...request,
      path: `${this.#prefix}${path}`,
      body: body ?? null,
      headersTimeout: waits(operation.query) ? WAITED_ANSWER_MS : ANSWER_MS,
    });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/** Whether an operation can be asked to answer only once something has happened. */
export function waits(query: Operation['query']): boolean {
  return Object.hasOwn(query?.properties ?? {}, 'wait');
}
