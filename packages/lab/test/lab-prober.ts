import { fileURLToPath } from 'node:url';
import type { Place } from '../src/namespaces/node/place.ts';
import type { Contact, FlowState, Opening, ProbeAnswers, ProbeRequest, Protocol } from './lab-probes.ts';
import { RemoteProgram } from './remote-program.ts';

const PROGRAM = fileURLToPath(new URL('./lab-probe-process.ts', import.meta.url));
/** Ours: long enough for a WireGuard handshake that is lost once, on a busy machine; what is dropped costs a test this long. */
const CONNECTS_WITHIN_MS = 10_000;

/**
 * One small process in a namespace that listens, connects and keeps connections for a test, so that hundreds of probes
 * need no process each. It ends with the test, also with one that is killed.
 */
export class Prober implements AsyncDisposable {
  readonly #program: RemoteProgram<ProbeRequest, ProbeAnswers>;

  constructor(place: Place) {
    this.#program = new RemoteProgram(place, 'prober', PROGRAM);
  }

  /** On all addresses, from now on. Echoes what it receives. */
  async listen(port: number, protocol: Protocol = 'tcp'): Promise<void> {
    await this.#ask({ do: 'listen', protocol, port });
  }

  /** Listens no more. What is open stays open. */
  async hush(port: number, protocol: Protocol = 'tcp'): Promise<void> {
    await this.#ask({ do: 'hush', protocol, port });
  }

  async connect(
    host: string,
    port: number,
    { protocol = 'tcp', timeout_ms = CONNECTS_WITHIN_MS }: { protocol?: Protocol; timeout_ms?: number } = {},
  ): Promise<Contact> {
    return await this.#ask({ do: 'connect', protocol, host, port, timeout_ms });
  }

  /** A connection that goes on until it is ended, or cut. Its other end is a prober that listens. */
  async flow(host: string, port: number, timeout_ms = CONNECTS_WITHIN_MS): Promise<LiveFlow> {
    const flow = await this.#ask({ do: 'flow', host, port, timeout_ms });
    return {
      state: () => this.#ask({ do: 'flow_state', flow }),
      end: async () => {
        await this.#ask({ do: 'end_flow', flow });
      },
    };
  }

  /** Addresses that getaddrinfo gives for a name here, in its order. Empty: the name does not resolve. */
  async lookup(name: string): Promise<readonly string[]> {
    return await this.#ask({ do: 'lookup', name });
  }

  /** Sends a datagram every few milliseconds. Ending it returns the times during which they were answered. */
  async beat(host: string, port: number, every_ms = 5): Promise<() => Promise<readonly Opening[]>> {
    const beat = await this.#ask({ do: 'beat', host, port, every_ms });
    return () => this.#ask({ do: 'end_beat', beat });
  }

  #ask<R extends ProbeRequest>(request: R): Promise<ProbeAnswers[R['do']]> {
    return this.#program.ask(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
  }
}

export interface LiveFlow {
  state(): Promise<FlowState>;
  end(): Promise<void>;
}
