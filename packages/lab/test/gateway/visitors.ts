import { fileURLToPath } from 'node:url';
import type { Place } from '../../src/namespaces/node/place.ts';
import { RemoteProgram } from '../remote-program.ts';
import type {
  Entrance,
  GrpcAnswer,
  LoadState,
  Page,
  PassedThrough,
  SocketState,
  VisitorReplies,
  VisitorRequest,
} from './visitor-calls.ts';

const PROGRAM = fileURLToPath(new URL('./visitor-process.ts', import.meta.url));

export interface RunningLoad {
  /** Other addresses in DNS, for connections from now on. */
  lead(addresses: readonly string[]): Promise<void>;
  state(): Promise<LoadState>;
  end(): Promise<LoadState>;
}

export interface RunningSocket {
  state(): Promise<SocketState>;
  end(): Promise<void>;
}

/** People who use an ingress, somewhere in a lab. */
export class Visitors implements AsyncDisposable {
  readonly #program: RemoteProgram<VisitorRequest, VisitorReplies>;

  constructor(place: Place) {
    this.#program = new RemoteProgram(place, 'visitors', PROGRAM);
  }

  get(entrance: Entrance, path: string, more: Pick<VisitorGet, 'headers' | 'upload'> = {}): Promise<Page> {
    return this.#program.ask({ do: 'get', entrance, path, ...more });
  }

  /** By HTTP/2. */
  get2(entrance: Entrance, path: string): Promise<Page> {
    return this.#program.ask({ do: 'get2', entrance, path });
  }

  /** Visitors who ask one thing after another until they are ended. */
  async load(entrance: Entrance, path: string, visitors: number): Promise<RunningLoad> {
    const load = await this.#program.ask({ do: 'load', entrance, path, visitors });
    return {
      lead: async (addresses) => {
        await this.#program.ask({ do: 'lead', load, addresses });
      },
      state: () => this.#program.ask({ do: 'load_state', load }),
      end: () => this.#program.ask({ do: 'end_load', load }),
    };
  }

  async socket(entrance: Entrance, path: string): Promise<RunningSocket> {
    return this.#running(await this.#program.ask({ do: 'socket', entrance, path }));
  }

  /** By TCP, to a service that begins with its name. */
  async connection(address: string, port: number): Promise<RunningSocket> {
    return this.#running(await this.#program.ask({ do: 'connection', address, port }));
  }

  /** By UDP. Sent again until an answer comes. */
  datagram(address: string, port: number, text: string): Promise<string> {
    return this.#program.ask({ do: 'datagram', address, port, text });
  }

  grpc(entrance: Entrance, messages: readonly string[]): Promise<GrpcAnswer> {
    return this.#program.ask({ do: 'grpc', entrance, messages });
  }

  /** By TLS that the service itself ends. */
  passThrough(entrance: Entrance): Promise<PassedThrough> {
    return this.#program.ask({ do: 'pass_through', entrance });
  }

  #running(socket: number): RunningSocket {
    return {
      state: () => this.#program.ask({ do: 'socket_state', socket }),
      end: async () => {
        await this.#program.ask({ do: 'end_socket', socket });
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
  }
}

type VisitorGet = Extract<VisitorRequest, { readonly do: 'get' }>;
