import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/**
 * Where those are that a node reaches outside of the mesh, whatever the routes into it say: its coordinators and its relay.
 * A name that cannot be resolved now keeps the addresses it had: the resolver may be what is away.
 */
export class OutsideAddresses {
  #hosts: readonly string[] = [];
  readonly #known = new Map<string, readonly string[]>();

  get all(): readonly string[] {
    return [...new Set(this.#hosts.flatMap((host) => this.#known.get(host) ?? []))].sort();
  }

  /** Says whether the addresses are others than before. */
  async setHosts(hosts: readonly string[]): Promise<boolean> {
    const before = this.all.join();
    this.#hosts = hosts;
    await Promise.all(hosts.map((host) => this.#resolve(host)));
    return this.all.join() !== before;
  }

  async #resolve(host: string): Promise<void> {
    if (isIP(host) !== 0) {
      this.#known.set(host, [host]);
      return;
    }
    try {
      const found = await lookup(host, { all: true });
      this.#known.set(
        host,
        found.map(({ address }) => address),
      );
    } catch {
      // What was known stays, and the heartbeat says whether the coordinator can be reached.
    }
  }
}

/** The host of a URL, as a resolver takes it. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
