import type { Exchange, ProxyOptions } from './lossy-proxy.ts';

/** When each node first tried again, whether or not the coordinator was there. */
export class FirstAttempts implements ProxyOptions {
  readonly #at = new Map<string, number>();

  get count(): number {
    return this.#at.size;
  }

  readonly lose = ({ path, arrived_ms }: Exchange): 'nothing' => {
    const node = /^\/v1\/nodes\/([^/]+)\/heartbeat/.exec(path)?.[1];
    if (node !== undefined && !this.#at.has(node)) this.#at.set(node, arrived_ms);
    return 'nothing';
  };

  forget(): void {
    this.#at.clear();
  }

  /** The most that came within any so long a time. */
  mostWithin(ms: number): number {
    const sorted = [...this.#at.values()].sort((a, b) => a - b);
    let first = 0;
    return sorted.reduce((most, at, index) => {
      while (at - (sorted[first] ?? at) > ms) first += 1;
      return Math.max(most, index - first + 1);
    }, 0);
  }
}
