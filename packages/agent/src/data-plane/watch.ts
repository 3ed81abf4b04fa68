import type { SleepingClock } from '@meshwork/time';
import { pause } from '../host/pause.ts';
import { Wake } from '../host/wake.ts';
import type { HostDataPlane } from './host-data-plane.ts';

/** Ours: when links are looked at after something was changed. A handshake takes milliseconds, unless it takes seconds. */
const SOON_MS = [250, 750, 2000] as const;
/** Ours: how often links are read, and how often changes by other programs are looked for where nothing announces them. */
const EVERY_MS = 10_000;
/** Ours: how often everything is compared, while the kernel announces most changes. */
const NET_EVERY_MS = 60_000;
/** Ours: the share of time that looking for changes may take, where there are so many peers that it does take time. */
const SHARE = 1 / 200;
/** Ours: a hole that another program opened stays open no longer than this. On a busy machine everything takes time. */
const AT_LATEST_MS = 30_000;

interface WatchOptions {
  readonly plane: Pick<HostDataPlane, 'look' | 'check'>;
  readonly clock: SleepingClock;
  /** Whether changes are announced: see `Listening`. Absent: they are not. */
  readonly hears?: (() => boolean) | undefined;
  /** A failed look is logged and tried again: if the engine is broken, the next look says so too. */
  readonly failed: (error: unknown) => void;
}

/** Reads links and looks for changes by other programs, while the agent sends heartbeats. */
export class Watch {
  readonly #options: WatchOptions;
  readonly #bell = new Wake();
  #soon = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Something was changed: links come and go now. */
  changed(): void {
    this.#soon = 0;
    this.#bell.ring();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { plane, clock } = this.#options;
    let checkAt = clock.now() + EVERY_MS;
    let wholeAt = clock.now() + NET_EVERY_MS;
    while (!signal.aborted) {
      await this.#rest(signal);
      if (signal.aborted) return;
      await this.#try(() => plane.look());
      const early_ms = checkAt - clock.now();
      if (early_ms > 0 && early_ms <= AT_LATEST_MS) continue; // more than that: the clock was set back
      const from = clock.now();
      const isWhole = this.#options.hears?.() !== true || from >= wholeAt || wholeAt - from > NET_EVERY_MS;
      await this.#try(() => plane.check(isWhole ? 'everything' : 'unheard'));
      const now = clock.now();
      if (isWhole) wholeAt = now + NET_EVERY_MS;
      checkAt = now + Math.min(AT_LATEST_MS, Math.max(EVERY_MS, (now - from) / SHARE));
    }
  }

  /** A change cuts a rest short, to what it is right after one. What changes during that does not: there is always a look. */
  async #rest(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    this.#bell.clear();
    const wait_ms = SOON_MS[this.#soon] ?? EVERY_MS;
    this.#soon += 1;
    const from = clock.now();
    await pause(clock, wait_ms, signal, this.#bell);
    if (this.#soon > 0) return;
    this.#soon = 1;
    await pause(clock, Math.min(SOON_MS[0], wait_ms - (clock.now() - from)), signal);
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.failed(error);
    }
  }
}
