import type { AgentOptions, Agent as HttpAgent, IncomingMessage } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { http, https } from '../host/http.ts';
import { PinnedAgent } from './pinned-agent.ts';

/** Ours: an agent has two heartbeats under way at most, and rarely another call beside them. */
const MAX_IDLE = 8;
/** Ours: all about ten thousand peers takes a tenth of it. A server that sends more must not fill the memory of a node. */
const MAX_ANSWER_CHARACTERS = 64 * 1024 * 1024;

/** Whom a connection trusts. Neither: whom the system trusts. */
export interface TlsOptions {
  /** Certificates of this authority alone, as PEM. */
  readonly ca?: string | undefined;
  /** These keys alone. */
  readonly pins?: readonly string[] | undefined;
}

interface Agents {
  readonly 'http:': HttpAgent;
  'https:'?: HttpsAgent;
}

/**
 * A `fetch` for calls to coordinators. It knows whom to trust, can open its connections anew, and takes no memory for parts
 * of the platform's `fetch` that a node does not need. Each call uses the connection that became free last.
 *
 * It does what our client asks of a `fetch`, and no more: text bodies, no redirects followed.
 */
export class LeanFetch {
  readonly #pool: AgentOptions;
  #agents: Agents;
  /** Their connections are used until the calls on them end, and for no other. */
  #retired: readonly HttpAgent[] = [];
  readonly #tls: TlsOptions;
  #context: SecureContext | undefined;

  /** `max_idle`: idle connections that are kept. A process with many agents needs one for each. */
  constructor(tls: TlsOptions = {}, max_idle = MAX_IDLE) {
    this.#tls = tls;
    this.#pool = { keepAlive: true, scheduling: 'lifo', maxFreeSockets: max_idle };
    this.#agents = { 'http:': new http.Agent(this.#pool) };
  }

  readonly fetch: typeof globalThis.fetch = (input, { signal, body, method = 'GET', headers } = {}) => {
    const url = new URL(input as URL | string);
    const options = {
      method,
      headers: { ...(headers as Record<string, string>), ...lengthOf(body as string | undefined) },
    };
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const request =
      url.protocol === 'https:'
        ? https.request(url, { ...options, agent: this.#httpsAgent() })
        : http.request(url, { ...options, agent: this.#agents['http:'] });
    const fail = (cause: unknown) => reject(new TypeError('fetch failed', { cause }));
    const abort = () => {
      const ended = new Error('the call was ended');
      request.destroy(ended);
      fail(ended); // a request that still waits for its connection does not say so itself
    };
    signal?.addEventListener('abort', abort, { once: true });
    request.on('error', fail);
    request.on('close', () => signal?.removeEventListener('abort', abort));
    request.on('response', (incoming) => {
      collect(incoming, (text) => resolve(responseOf(incoming, text)), fail);
    });
    request.end(body);
    return promise;
  };

  /** Calls from now on open connections of their own: what a kept one proves is how things were when it was opened. */
  refresh(): void {
    const agents = this.#current;
    for (const agent of agents) {
      agent.maxFreeSockets = 0; // whatever becomes free is closed
      for (const socket of Object.values(agent.freeSockets).flatMap((list) => list ?? [])) socket.destroy();
    }
    this.#retired = [...this.#retired, ...agents].filter(({ sockets }) => Object.keys(sockets).length > 0);
    this.#agents = { 'http:': new http.Agent(this.#pool) };
  }

  /** Breaks every connection, as a coordinator that dies would. Calls that wait on one are rejected. */
  drop(): void {
    for (const { sockets, freeSockets } of [...this.#retired, ...this.#current]) {
      for (const list of [...Object.values(sockets), ...Object.values(freeSockets)]) {
        for (const socket of [...(list ?? [])]) socket.destroy(broken());
      }
    }
  }

  close(): void {
    for (const agent of [...this.#retired, ...this.#current]) agent.destroy();
  }

  get #current(): readonly HttpAgent[] {
    const { 'http:': plain, 'https:': secure } = this.#agents;
    return secure === undefined ? [plain] : [plain, secure];
  }

  /** Made when it is needed: the list of those that a system trusts takes some megabytes. */
  #httpsAgent(): HttpsAgent {
    this.#agents['https:'] ??= this.#newHttpsAgent();
    return this.#agents['https:'];
  }

  #newHttpsAgent(): HttpsAgent {
    const { ca, pins } = this.#tls;
    if (pins !== undefined) return new PinnedAgent(this.#pool, pins);
    // One context for all connections: each would otherwise read every certificate anew.
    this.#context ??= createSecureContext({ ca: ca ?? systemRoots() });
    return new https.Agent({ ...this.#pool, secureContext: this.#context });
  }
}

/** Those of Node where the system has none. */
function systemRoots(): string[] {
  const roots = getCACertificates('system');
  return roots.length > 0 ? roots : getCACertificates('default');
}

function broken(): Error {
  return Object.assign(new Error('the connection was dropped'), { code: 'ECONNRESET' });
}

function lengthOf(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

function collect(incoming: IncomingMessage, done: (text: string) => void, fail: (cause: unknown) => void): void {
  let text = '';
  incoming.setEncoding('utf8');
  incoming.on('data', (piece: string) => {
    text += piece;
    if (text.length > MAX_ANSWER_CHARACTERS) incoming.destroy(new Error('the answer is too long'));
  });
  incoming.on('end', () => {
    try {
      done(text);
    } catch (error) {
      fail(error); // a status that no answer may have, which would otherwise be the end of the agent
    }
  });
  incoming.on('error', fail);
}

/** The status of a final answer. Others are interim, ask a browser for something, or are no status at all. */
const isStatus = (status: number) => status >= 200 && status <= 599 && status !== 205;

/**
 * What our client reads of an answer, and no more: making one of the platform's own would load all of its `fetch`, which takes
 * some megabytes.
 */
function responseOf({ statusCode: status = 0, headers }: IncomingMessage, text: string): Response {
  if (!isStatus(status)) throw new RangeError(`${status} is no status of an answer`);
  const answer = {
    status,
    ok: status < 300,
    type: 'default',
    body: null,
    headers: { get: (name: string) => headerOf(headers[name.toLowerCase()]) },
    text: async () => text,
  };
  return answer as unknown as Response;
}

function headerOf(value: string | readonly string[] | undefined): string | null {
  return value === undefined ? null : String(value);
}
