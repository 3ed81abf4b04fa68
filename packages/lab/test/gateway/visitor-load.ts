import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { isIPv6 } from 'node:net';
import type { Entrance, LoadState, Page } from './visitor-calls.ts';

export type { Entrance } from './visitor-calls.ts';

/** Ours: nothing that a test asks for takes longer. */
const GIVE_UP_MS = 20_000;

interface Ask {
  readonly entrance: Entrance;
  readonly address: string;
  readonly path: string;
  readonly agent: PlainAgent | TlsAgent;
  readonly headers?: Readonly<Record<string, string>>;
  readonly upload?: number;
}

/** Rejects with an `AskError`. */
export async function ask({ entrance, address, path, agent, headers, upload }: Ask): Promise<Page> {
  const { promise, resolve, reject } = Promise.withResolvers<Page>();
  const send = entrance.ca === undefined ? plainRequest : tlsRequest;
  const request = send({
    agent,
    host: entrance.host,
    servername: entrance.host,
    port: entrance.port,
    path,
    method: upload === undefined ? 'GET' : 'POST',
    headers: { ...headers },
    timeout: GIVE_UP_MS,
    lookup: (_name, options, found) => {
      const family = isIPv6(address) ? 6 : 4;
      if (options.all) found(null, [{ address, family }]);
      else found(null, address, family);
    },
  });
  let hasAnswer = false;
  request.on('timeout', () => request.destroy(new Error(`no answer within ${GIVE_UP_MS / 1000} s`)));
  request.on('error', (error) => reject(new AskError(error, request.reusedSocket && !hasAnswer)));
  request.on('response', (response) => {
    hasAnswer = true;
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      body += chunk;
    });
    response.on('error', (error) => reject(new AskError(error, false)));
    response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
  });
  request.end(upload === undefined ? undefined : Buffer.alloc(upload, 'x'));
  return await promise;
}

class AskError extends Error {
  readonly code: string;
  /** On a connection that was used before, without any answer: the server may have closed it while it was idle. */
  readonly onIdle: boolean;

  constructor(cause: Error, onIdle: boolean) {
    super(cause.message, { cause });
    this.code = (cause as NodeJS.ErrnoException).code ?? '';
    this.onIdle = onIdle;
  }
}

export function agentFor({ ca, client }: Entrance): PlainAgent | TlsAgent {
  // Not one connection at most: a request that waits for its end is sent to the address of that one.
  return ca === undefined ? new PlainAgent({ keepAlive: true }) : new TlsAgent({ keepAlive: true, ca, ...client });
}

/** Visitors who ask one thing after another, each on a connection of its own. */
export class Load {
  readonly #path: string;
  readonly #state = { answered: 0, by: {} as Record<string, number>, retried: 0, failed: [] as string[] };
  readonly #visitors: Promise<void>[];
  #entrance: Entrance;
  #isEnded = false;

  constructor(entrance: Entrance, path: string, visitors: number) {
    this.#entrance = entrance;
    this.#path = path;
    this.#visitors = Array.from({ length: visitors }, (_, index) => this.#visit(index));
  }

  /** Other addresses in DNS, for connections from now on. */
  lead(addresses: readonly string[]): void {
    this.#entrance = { ...this.#entrance, addresses };
  }

  get state(): LoadState {
    return this.#state;
  }

  async end(): Promise<LoadState> {
    this.#isEnded = true;
    await Promise.all(this.#visitors);
    return this.#state;
  }

  async #visit(index: number): Promise<void> {
    const agent = agentFor(this.#entrance);
    for (let turn = index, refused = 0; !this.#isEnded; ) {
      const { addresses } = this.#entrance;
      const address = addresses[turn % addresses.length] ?? '';
      try {
        this.#count(await ask({ entrance: this.#entrance, address, path: this.#path, agent }));
        refused = 0;
      } catch (error) {
        if (!(error instanceof AskError)) throw error;
        if (error.onIdle) this.#state.retried += 1;
        else if (error.code === 'ECONNREFUSED' && refused < addresses.length) {
          refused += 1;
          turn += 1; // as programs do with a name that has several addresses
        } else {
          this.#state.failed.push(`${new Date().toISOString()} ${address}: ${error.message}`);
          turn += 1;
        }
      }
    }
    agent.destroy();
  }

  #count({ status, body }: Page): void {
    if (status !== 200) {
      this.#state.failed.push(`${new Date().toISOString()} status ${status}: ${body.slice(0, 100)}`);
      return;
    }
    this.#state.answered += 1;
    const { name } = JSON.parse(body) as { readonly name: string };
    this.#state.by[name] = (this.#state.by[name] ?? 0) + 1;
  }
}
