import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Leadership } from '@meshwork/store';
import type { Clock } from '@meshwork/time';
import type { Kind } from '../kinds/kinds.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Changed, ModelWatch } from '../mesh/model.ts';
import type { Duty } from './duty.ts';

/** How often it looks which duties are due by time. */
const TICK_MS = 1000;
/** Changes that come closer together than this share a run. */
const BETWEEN_RUNS_MS = 20;
/** After a run that failed. */
const RETRY_MS = 1000;

interface Scheduled {
  readonly duty: Duty;
  /** Whether it has to run whether it noted anything or not. */
  due: boolean;
  /** Milliseconds of leading until it is due by time. */
  wait_ms: number;
  loop: Promise<void> | undefined;
}

/** Runs the duties of all areas, each one by itself: a duty that fails or takes long keeps no other waiting. */
export class Scheduler implements ModelWatch {
  readonly #duties: readonly Scheduled[];
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  readonly #leadership: Leadership;
  readonly #timer: NodeJS.Timeout;
  readonly #closing = new AbortController();
  #leading = false;
  /** When the last duty that is to start has its turn of the event loop. */
  #lastTurn = Promise.resolve();

  constructor(parts: { mesh: Mesh; duties: readonly Duty[]; failed: (error: unknown) => void }) {
    this.#clock = parts.mesh.clock;
    this.#failed = parts.failed;
    this.#duties = parts.duties.map((duty) => ({ duty, due: false, wait_ms: 0, loop: undefined }));
    for (const scheduled of this.#duties) scheduled.duty.attach?.(() => this.#start(scheduled));
    parts.mesh.model.watch(this);
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
    const watch = { gained: () => this.#lead(), lost: () => this.#follow() };
    this.#leadership = parts.mesh.journal.lead('duties', watch);
  }

  changed<K extends Kind>(change: Changed<K>): void {
    if (!this.#leading) return;
    for (const { duty } of this.#duties) duty.on?.[change.kind]?.(change);
  }

  settled(): void {
    for (const scheduled of this.#duties) this.#start(scheduled);
  }

  reset(): void {
    if (this.#leading) this.#lead();
  }

  /** Resolves once nothing waits to be done. */
  async idle(): Promise<void> {
    for (let busy = this.#loops(); busy.length > 0; busy = this.#loops()) await Promise.all(busy);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.idle();
    await this.#leadership.release();
  }

  #loops(): readonly Promise<void>[] {
    return this.#duties.flatMap(({ loop }) => loop ?? []);
  }

  #lead(): void {
    this.#leading = true;
    for (const scheduled of this.#duties) {
      scheduled.duty.begin?.();
      this.#start(scheduled);
    }
  }

  #follow(): void {
    this.#leading = false;
    for (const scheduled of this.#duties) {
      scheduled.due = false;
      scheduled.duty.end?.();
    }
  }

  #tick(): void {
    if (!this.#leading) return;
    const now_ms = this.#clock.now();
    for (const scheduled of this.#duties) {
      const { next_at = Number.POSITIVE_INFINITY } = scheduled.duty;
      if (next_at > now_ms && !hasPassed(scheduled)) continue;
      scheduled.due = true;
      this.#start(scheduled);
    }
  }

  #start(scheduled: Scheduled): void {
    if (!isWaiting(scheduled) || this.#closing.signal.aborted) return;
    scheduled.loop ??= this.#work(scheduled).finally(() => {
      scheduled.loop = undefined;
      // Something may have been noted between the last look and here.
      this.#start(scheduled);
    });
  }

  async #work(scheduled: Scheduled): Promise<void> {
    await this.#pause(0); // lets everything that is arriving in this turn of the event loop join the first run
    await this.#ownTurn();
    while (isWaiting(scheduled) && !this.#closing.signal.aborted) {
      const { due } = scheduled;
      scheduled.due = false;
      try {
        await scheduled.duty.run();
        await this.#pause(BETWEEN_RUNS_MS);
      } catch (error) {
        scheduled.due ||= due;
        this.#failed(error);
        await this.#pause(RETRY_MS);
      }
    }
  }

  /** Duties that are due at the same moment would hold up requests for as long as all of them take together. */
  #ownTurn(): Promise<void> {
    this.#lastTurn = this.#lastTurn.then(() => nextTurn());
    return this.#lastTurn;
  }

  /** Ends early when the scheduler is closed. */
  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }
}

/** Whether the time between two runs is over, which begins anew then. */
function hasPassed(scheduled: Scheduled): boolean {
  const { every_s } = scheduled.duty;
  if (every_s === undefined) return false;
  scheduled.wait_ms -= TICK_MS;
  if (scheduled.wait_ms > 0) return false;
  scheduled.wait_ms = every_s * 1000;
  return true;
}

function isWaiting({ due, duty }: Scheduled): boolean {
  return due || duty.pending === true;
}
