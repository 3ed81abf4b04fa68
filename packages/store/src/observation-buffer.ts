import type { Observation, ObservationCounts } from './journal.ts';
import { StoreError } from './store-error.ts';

export interface ObservingOptions {
  /** How long observations wait for others to share a write with. Absent: half a second. */
  readonly flush_after_ms?: number;
  /** Beyond this much in memory, further observations are refused. Absent: 32 MB. */
  readonly most_waiting_bytes?: number;
}

const FLUSH_AFTER_MS = 500;
const MOST_WAITING_BYTES = 32_000_000;
/** A slice is one transaction. Whatever shares the thread or the connection waits for one of them at most. */
const SLICE_ROWS = 5_000;
const SLICE_BYTES = 4_000_000;
/** About what an observation takes beside its texts. */
const OVERHEAD_BYTES = 100;

/** The observations of one call of `observe`. */
interface Call {
  readonly observations: readonly Observation[];
  readonly done: PromiseWithResolvers<void>;
  /** Not yet on disk. */
  rows: number;
  bytes: number;
  failed: boolean;
}

class Slice {
  readonly rows: Observation[] = [];
  readonly parts = new Map<Call, { rows: number; bytes: number }>();
  #bytes = 0;

  get full(): boolean {
    return this.rows.length >= SLICE_ROWS || this.#bytes >= SLICE_BYTES;
  }

  add(call: Call, observation: Observation): void {
    const part = this.parts.get(call) ?? { rows: 0, bytes: 0 };
    const bytes = bytesOf(observation);
    this.parts.set(call, part);
    part.rows += 1;
    part.bytes += bytes;
    this.rows.push(observation);
    this.#bytes += bytes;
  }
}

/**
 * Collects observations, and has them written in slices: half a second after the first came, or as soon as they fill a
 * slice. Each call resolves when its own are on disk, or rejects with the reason; nothing is lost silently.
 */
export class ObservationBuffer {
  readonly #write: (slice: readonly Observation[]) => Promise<void>;
  readonly #flushAfterMs: number;
  readonly #mostWaitingBytes: number;
  #calls: Call[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing = false;
  /** Another flush was requested during the one under way. */
  #again = false;
  #waiting = { rows: 0, bytes: 0 };
  #written = 0;
  #refused = 0;

  constructor(write: (slice: readonly Observation[]) => Promise<void>, options: ObservingOptions = {}) {
    this.#write = write;
    this.#flushAfterMs = options.flush_after_ms ?? FLUSH_AFTER_MS;
    this.#mostWaitingBytes = options.most_waiting_bytes ?? MOST_WAITING_BYTES;
  }

  get counts(): ObservationCounts {
    return { waiting: this.#waiting.rows, written: this.#written, refused: this.#refused };
  }

  /** A call of any size is taken while there is room: its caller holds it in memory anyway. */
  async add(observations: readonly Observation[]): Promise<void> {
    const rows = observations.length;
    if (rows === 0) return;
    if (this.#waiting.bytes >= this.#mostWaitingBytes) {
      this.#refused += rows;
      throw new StoreError('overloaded', `${this.#waiting.rows} observations wait to be written; try again later`);
    }
    const bytes = observations.reduce((sum, observation) => sum + bytesOf(observation), 0);
    const call: Call = { observations, done: Promise.withResolvers(), rows, bytes, failed: false };
    this.#calls.push(call);
    this.#waiting.rows += rows;
    this.#waiting.bytes += bytes;
    this.#schedule();
    await call.done.promise;
  }

  /** Writes what is waiting now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing) this.#again = true;
    else if (this.#calls.length > 0) void this.#writeAll();
  }

  #schedule(): void {
    if (this.#writing || this.#calls.length === 0) return;
    if (this.#waiting.rows >= SLICE_ROWS || this.#waiting.bytes >= SLICE_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), this.#flushAfterMs);
  }

  /** Never rejects: each call gets its own outcome. Later observations wait for their own time, or for a full slice. */
  async #writeAll(): Promise<void> {
    this.#writing = true;
    do {
      this.#again = false;
      await this.#writeCalls(this.#calls.splice(0));
    } while (this.#again);
    this.#writing = false;
    this.#schedule();
  }

  async #writeCalls(calls: readonly Call[]): Promise<void> {
    let slice = new Slice();
    for (const call of calls) {
      for (const observation of call.observations) {
        if (call.failed) break;
        slice.add(call, observation);
        if (!slice.full) continue;
        await this.#writeSlice(slice);
        slice = new Slice();
      }
    }
    if (slice.rows.length > 0) await this.#writeSlice(slice);
  }

  async #writeSlice({ rows, parts }: Slice): Promise<void> {
    try {
      await this.#write(rows);
    } catch (error) {
      for (const call of parts.keys()) {
        this.#leave(call);
        this.#refused += call.rows;
        call.failed = true;
        call.done.reject(error);
      }
      return;
    }
    this.#written += rows.length;
    for (const [call, part] of parts) {
      this.#leave(part);
      call.rows -= part.rows;
      call.bytes -= part.bytes;
      if (call.rows === 0) call.done.resolve();
    }
  }

  #leave({ rows, bytes }: { readonly rows: number; readonly bytes: number }): void {
    this.#waiting.rows -= rows;
    this.#waiting.bytes -= bytes;
  }
}

function bytesOf({ log, key, id, body }: Observation): number {
  return OVERHEAD_BYTES + log.length + key.length + id.length + body.length;
}
