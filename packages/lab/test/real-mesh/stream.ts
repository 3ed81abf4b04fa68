import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Place } from '../../src/namespaces/index.ts';
import { until } from '../until.ts';
import type { EndState, StreamAnswers, StreamReply, StreamRequest } from './stream-calls.ts';

const PROGRAM = fileURLToPath(new URL('./stream-process.ts', import.meta.url));
/** Ours: long enough for a WireGuard handshake that is lost once. */
const CONNECTS_WITHIN_MS = 10_000;
/** Of `burst`, but for some that was on its way before. */
const BURST_BYTES = 64 * 1024;

/** The clock that the ends of streams tell times by. */
export function machineTime(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

/** Both ends of a connection, measured where the data arrives: the one that was opened from, and the one that listens. */
type BothEnds = readonly [from: EndState, to: EndState];

/**
 * TCP connections on which both sides talk all the time without waiting for each other, so that it shows at either end what
 * gets through from the other, and when. One process in each namespace, one stream for each port.
 */
export class Streams implements AsyncDisposable {
  readonly #ends = new Map<Place, StreamEnd>();

  async open(from: Place, to: Place, { host, port }: { host: string; port: number }): Promise<Stream> {
    const [near, far] = [this.#end(from), this.#end(to)];
    await far.ask({ do: 'listen', port });
    await near.ask({ do: 'connect', host, port, timeout_ms: CONNECTS_WITHIN_MS });
    const stream = new Stream(port, near, far);
    await stream.untilMoving();
    return stream;
  }

  #end(place: Place): StreamEnd {
    const end = this.#ends.get(place) ?? new StreamEnd(place);
    this.#ends.set(place, end);
    return end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.#ends.values(), (end) => end.close()));
  }
}

export class Stream {
  readonly #port: number;
  readonly #ends: readonly [StreamEnd, StreamEnd];

  constructor(port: number, near: StreamEnd, far: StreamEnd) {
    this.#port = port;
    this.#ends = [near, far];
  }

  async state(): Promise<BothEnds> {
    const [from, to] = await Promise.all(this.#ends.map((end) => end.ask({ do: 'state', port: this.#port })));
    if (from == null || to == null) throw new Error(`the stream on port ${this.#port} is not open at both ends`);
    return [from, to];
  }

  /** Gaps count from here on. */
  async mark(): Promise<void> {
    await Promise.all(this.#ends.map((end) => end.ask({ do: 'mark', port: this.#port })));
  }

  /** Both ends send so much at once that it fills large packets. Resolves when all of it has arrived. */
  async burst(timeout_ms?: number): Promise<void> {
    const before = await this.state();
    await Promise.all(this.#ends.map((end) => end.ask({ do: 'burst', port: this.#port })));
    let now = before;
    await until(
      async () => {
        now = await this.state();
        return now.every(
          ({ received_bytes }, end) => received_bytes > (before[end]?.received_bytes ?? 0) + BURST_BYTES,
        );
      },
      () => `large packets in both directions on port ${this.#port}: ${JSON.stringify({ before, now })}`,
      timeout_ms,
    );
  }

  async end(): Promise<void> {
    await Promise.all(this.#ends.map((end) => end.ask({ do: 'end', port: this.#port })));
  }

  /** Both ends have had something new since now. */
  async untilMoving(timeout_ms = 30_000): Promise<void> {
    const from_ms = machineTime();
    let now: BothEnds | undefined;
    await until(
      async () => {
        const states = await Promise.all(this.#ends.map((end) => end.ask({ do: 'state', port: this.#port })));
        if (states.some((state) => state == null)) return false;
        now = states as unknown as BothEnds;
        return now.every(({ last_ms }) => last_ms > from_ms);
      },
      () => `data in both directions on port ${this.#port}: ${JSON.stringify(now)}`,
      timeout_ms,
    );
  }

  /** Neither end has had anything for so long. */
  async untilQuiet(quiet_ms: number): Promise<BothEnds> {
    let now = await this.state();
    await until(
      async () => {
        now = await this.state();
        const since_ms = machineTime() - quiet_ms;
        return now.every(({ last_ms }) => last_ms < since_ms);
      },
      () => `silence on port ${this.#port}: ${JSON.stringify(now)}`,
    );
    return now;
  }
}

class StreamEnd {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;

  constructor(place: Place) {
    this.#child = place.spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.on('message', (reply: StreamReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ('failed' in reply) waiting?.reject(new Error(`in ${place.name}: ${reply.failed}`));
      else waiting?.resolve(reply.result);
    });
    const giveUp = (why: string) => {
      for (const waiting of this.#waiting.values()) waiting.reject(new Error(`the end in ${place.name} ${why}`));
      this.#waiting.clear();
    };
    this.#child.on('error', (error) => giveUp(`could not be started: ${error.message}`));
    this.#child.on('exit', () => giveUp('has ended'));
  }

  async ask<R extends StreamRequest>(request: R): Promise<StreamAnswers[R['do']]> {
    this.#asked += 1;
    const id = this.#asked;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    if (!this.#child.connected) waiting.reject(new Error('the process at an end of a stream has ended'));
    else this.#child.send({ ...request, id });
    return (await waiting.promise) as StreamAnswers[R['do']];
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
