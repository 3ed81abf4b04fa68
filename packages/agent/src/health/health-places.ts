import type { SleepingClock } from '@meshwork/time';
import type { HealthListen } from '../config.ts';
import { isCode } from '../host/atomic-file.ts';
import { pause } from '../host/pause.ts';
import { messageOf } from '../message-of.ts';
import type { HealthServer } from './health-server.ts';

/** Ours: an address that was just given to an interface can be used within moments. */
const SOON_MS = 500;
/** Ours: a port that another program has may become free. */
const LATER_MS = 10_000;

interface Options {
  readonly listen: HealthListen;
  readonly serve: (at: { readonly host: string; readonly port: number }) => Promise<HealthServer>;
  readonly clock: SleepingClock;
  readonly warn: (problem: string) => void;
}

/**
 * Where health is served. Unless a host was named, that is loopback and the addresses of the node in the mesh, where the policy
 * says who may ask: it names peers and revisions, which outsiders must not see. Loopback is there from the start, the
 * mesh as soon as the interface has its addresses.
 */
export class HealthPlaces {
  readonly #options: Options;
  readonly #ended = new AbortController();
  readonly #mesh = new Map<string, AbortController>();
  readonly #servers = new Map<string, HealthServer>();
  readonly #seeking = new Set<Promise<void>>();
  #port: number;

  private constructor(options: Options) {
    this.#options = options;
    this.#port = options.listen.port;
  }

  /** Rejects when the one place that must be there cannot be had. */
  static async open(options: Options): Promise<HealthPlaces> {
    const places = new HealthPlaces(options);
    const { host } = options.listen;
    const server = await options.serve({ host: host ?? '127.0.0.1', port: places.#port });
    places.#port = server.port; // where it was left open
    places.#servers.set(host ?? '127.0.0.1', server);
    if (host === null) await places.#openLoopback6();
    return places;
  }

  /** Those of all places there are. */
  get hosts(): readonly string[] {
    return [...this.#servers.keys()];
  }

  get port(): number {
    return this.#port;
  }

  /** The node has these addresses in the mesh now, and no others. */
  follow(addresses: readonly string[]): void {
    if (this.#options.listen.host !== null || this.#ended.signal.aborted) return;
    for (const [host, wanted] of this.#mesh) {
      if (addresses.includes(host)) continue;
      wanted.abort();
      this.#mesh.delete(host);
    }
    for (const host of addresses) {
      if (this.#mesh.has(host)) continue;
      const wanted = new AbortController();
      this.#mesh.set(host, wanted);
      const sought = this.#serveAt(host, AbortSignal.any([wanted.signal, this.#ended.signal]));
      this.#seeking.add(sought);
      void sought.finally(() => this.#seeking.delete(sought));
    }
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#seeking);
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  /** A machine without IPv6 has none, and needs none. */
  async #openLoopback6(): Promise<void> {
    try {
      this.#servers.set('::1', await this.#options.serve({ host: '::1', port: this.#port }));
    } catch (error) {
      if (!isAbsent(error)) this.#options.warn(`health is not served at [::1]:${this.#port}: ${messageOf(error)}`);
    }
  }

  /** Tries until it works, serves until the address is given up, and never rejects. */
  async #serveAt(host: string, signal: AbortSignal): Promise<void> {
    let said = '';
    while (!signal.aborted) {
      try {
        const server = await this.#options.serve({ host, port: this.#port });
        this.#servers.set(host, server);
        await aborted(signal);
        this.#servers.delete(host);
        return await server.close();
      } catch (error) {
        const problem = messageOf(error);
        if (!isAbsent(error) && problem !== said) this.#options.warn(`health is not served at ${host}: ${problem}`);
        said = problem;
        await pause(this.#options.clock, isAbsent(error) ? SOON_MS : LATER_MS, signal);
      }
    }
  }
}

function isAbsent(error: unknown): boolean {
  return isCode(error, 'EADDRNOTAVAIL') || isCode(error, 'EAFNOSUPPORT');
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
