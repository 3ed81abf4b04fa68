import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Place } from '@meshwork/lab';
import { median } from './measure.ts';

/** `iperf3` that listens on an address of a place until it is disposed of. */
export async function listenForTraffic(place: Place, address: string): Promise<AsyncDisposable> {
  const child = place.spawn('iperf3', ['-s', '--forceflush', '-B', address], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.stdout?.on('data', (text: Buffer) => String(text).includes('listening') && resolve());
  child.once('exit', (code) => reject(new Error(`iperf3 in ${place.name} ended with ${code}`)));
  await promise;
  return { [Symbol.asyncDispose]: () => ended(child) };
}

interface Flow {
  readonly megabits: number;
  readonly seconds: number;
  /** Of `iperf3` at both ends. */
  readonly cpu_s: number;
}

/** One TCP connection, as it arrives. */
export async function sendFor(seconds: number, from: Place, address: string): Promise<Flow> {
  const { end } = JSON.parse(await from.exec('iperf3', ['-c', address, '-t', `${seconds}`, '-J'])) as IperfReport;
  const { host_total, remote_total } = end.cpu_utilization_percent;
  const took = end.sum_received.seconds;
  const megabits = (end.sum_received.bits_per_second * took) / 1e6;
  return { megabits, seconds: took, cpu_s: ((host_total + remote_total) / 100) * took };
}

interface IperfReport {
  readonly end: {
    readonly sum_received: { readonly bits_per_second: number; readonly seconds: number };
    readonly cpu_utilization_percent: { readonly host_total: number; readonly remote_total: number };
  };
}

/** Microseconds: the middle one of many round trips, one every two milliseconds. */
export async function roundTripUs(from: Place, address: string, count: number): Promise<number> {
  const text = await from.exec('ping', ['-n', '-i', '0.002', '-c', `${count}`, address]);
  return median(Array.from(text.matchAll(/ time=([\d.]+) ms/g), ([, ms]) => Number(ms) * 1000));
}

/** Pings that go on, each answer with the moment it came. */
export class Pings implements AsyncDisposable {
  /** By the clock of the machine, as `now()` reads it. */
  readonly answered_ms: number[] = [];
  readonly #child: ChildProcess;
  #rest = '';

  constructor(from: Place, address: string, every_s: number) {
    this.#child = from.spawn('ping', ['-D', '-n', '-i', `${every_s}`, address], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) {
        const at = /^\[([\d.]+)\] .* time=/.exec(line)?.[1];
        if (at !== undefined) this.answered_ms.push(Number(at) * 1000);
      }
    });
  }

  get last_ms(): number {
    return this.answered_ms.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  /** Undefined: none yet. */
  firstAfter(ms: number): number | undefined {
    return this.answered_ms.find((at) => at > ms);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return ended(this.#child);
  }
}

/** The wall clock, finer than a millisecond: the one that `ping` tells the time by. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
