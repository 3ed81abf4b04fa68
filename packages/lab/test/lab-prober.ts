import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Place } from '../src/namespaces/node/place.ts';
import type { Contact, FlowState, Opening, ProbeAnswers, ProbeReply, ProbeRequest, Protocol } from './lab-probes.ts';

const PROGRAM = fileURLToPath(new URL('./lab-probe-process.ts', import.meta.url));
/** Ours: long enough for a WireGuard handshake that is lost once, on a busy machine; what is dropped costs a test this long. */
const CONNECTS_WITHIN_MS = 10_000;

/**
 * One small process in a namespace that listens, connects and keeps connections for a test, so that hundreds of probes
 * need no process each. It ends with the test, also with one that is killed.
 */
export class Prober implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;

  constructor(place: Place) {
    this.#child = place.spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.on('message', (reply: ProbeReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ('failed' in reply) waiting?.reject(new Error(`in ${place.name}: ${reply.failed}`));
      else waiting?.resolve(reply.result);
    });
    const giveUp = (why: string) => {
      for (const waiting of this.#waiting.values()) waiting.reject(new Error(`the prober in ${place.name} ${why}`));
      this.#waiting.clear();
    };
    this.#child.on('error', (error) => giveUp(`could not be started: ${error.message}`));
    this.#child.on('exit', () => giveUp('has ended'));
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

  async #ask<R extends ProbeRequest>(request: R): Promise<ProbeAnswers[R['do']]> {
    this.#asked += 1;
    const id = this.#asked;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    if (!this.#child.connected) waiting.reject(new Error('the prober has ended'));
    else this.#child.send({ ...request, id });
    return (await waiting.promise) as ProbeAnswers[R['do']];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

export interface LiveFlow {
  state(): Promise<FlowState>;
  end(): Promise<void>;
}
