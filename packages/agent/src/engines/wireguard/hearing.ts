import { setTimeout as pause } from 'node:timers/promises';
import type { EnginePeer } from './driver.ts';

/** Ours: a packet takes less than a millisecond here and a few hundred around the world. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;

type Peers = ReadonlyMap<string, EnginePeer>;

interface Listener {
  readonly from_ms: number;
  readonly until_ms: number;
  /** What had come from each peer that is waited for. */
  readonly awaited: Map<string, number>;
  readonly heard: Map<string, number>;
  readonly end: () => void;
}

interface HearingOptions {
  readonly read: (keys: ReadonlySet<string>) => Promise<Peers>;
  /** Sends a packet to each of these. */
  readonly answer: (keys: readonly string[]) => Promise<void>;
}

/**
 * Waits for packets of peers, by their counters. All that wait share one reading: with ten thousand peers, `wireguard-go`
 * takes more than a hundred milliseconds for one.
 *
 * A peer that is heard is answered: it may have begun to listen after the packet that it was sent first.
 */
export class Hearing {
  readonly #options: HearingOptions;
  readonly #listeners = new Set<Listener>();
  #running: Promise<void> | undefined;
  #pause_ms = FIRST_PAUSE_MS;

  constructor(options: HearingOptions) {
    this.#options = options;
  }

  /**
   * The peers that a packet came from within that time, with the milliseconds it took, or less where it is not waited for any
   * more. `before`: the peers as they were.
   */
  async listen(before: Iterable<EnginePeer>, within_ms: number): Promise<ReadonlyMap<string, number>> {
    const awaited = new Map(Array.from(before, ({ key, rx_bytes }) => [key, rx_bytes]));
    const heard = new Map<string, number>();
    if (awaited.size === 0) return heard;
    const from_ms = performance.now();
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const listener = { from_ms, until_ms: from_ms + within_ms, awaited, heard, end };
    this.#listeners.add(listener);
    this.#pause_ms = FIRST_PAUSE_MS;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    await Promise.race([promise, this.#running]);
    this.#listeners.delete(listener); // where reading failed
    return heard;
  }

  async #run(): Promise<void> {
    while (this.#listeners.size > 0) {
      const ends_ms = Math.min(...Array.from(this.#listeners, ({ until_ms }) => until_ms));
      await pause(Math.max(1, Math.min(this.#pause_ms, ends_ms - performance.now())));
      const from_ms = performance.now();
      // Those that are over by now are over after this reading, which is as new as their time was long.
      const keys = new Set(Array.from(this.#listeners, ({ awaited }) => [...awaited.keys()]).flat());
      const peers = await this.#options.read(keys);
      const heard = new Set([...this.#listeners].flatMap((listener) => newlyHeard(listener, peers)));
      if (heard.size > 0) await this.#options.answer([...heard]);
      for (const listener of [...this.#listeners]) this.#endIfOver(listener, from_ms);
      const took_ms = performance.now() - from_ms;
      this.#pause_ms = Math.max(2 * took_ms, Math.min(2 * this.#pause_ms, LONGEST_PAUSE_MS));
    }
  }

  #endIfOver(listener: Listener, read_ms: number): void {
    if (listener.awaited.size > 0 && read_ms < listener.until_ms) return;
    this.#listeners.delete(listener);
    listener.end();
  }
}

/** Those that a packet came from since the last reading. They are not waited for any more. */
function newlyHeard({ from_ms, awaited, heard }: Listener, peers: Peers): string[] {
  const keys: string[] = [];
  for (const [key, rx_bytes] of awaited) {
    const peer = peers.get(key);
    if (peer === undefined) continue;
    if (peer.rx_bytes > rx_bytes) {
      heard.set(key, performance.now() - from_ms);
      awaited.delete(key);
      keys.push(key);
    } else awaited.set(key, peer.rx_bytes); // less: it was taken away and added, and counts from zero
  }
  return keys;
}
