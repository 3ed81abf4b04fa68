export interface Measured {
  /** Processor time that the process has used, threads included. */
  readonly cpu_s: number;
  /** What it holds in memory after tidying up. */
  readonly rss: number;
  /** The longest that its event loop turned to nothing else, since it was asked to watch. Zero: it was not. */
  readonly held: Held;
}

interface Held {
  /** By the clock: also while another process had the core, or the disk was waited for. */
  readonly ms: number;
  /** By processor time of that thread alone. */
  readonly cpu_ms: number;
}

/** `tidy`: after collecting garbage. `watch`: the event loop is watched from now on. `now`: neither. */
export type Question = 'now' | 'tidy' | 'watch';

const LOOK_MS = 1;

/** In a measured process: answers requests over the channel with what the process has used so far. */
export function answerMeter(): void {
  let held = { ms: 0, cpu_ms: 0 };
  let watching: NodeJS.Timeout | undefined;
  process.on('message', (question: Question) => {
    if (question === 'tidy') globalThis.gc?.();
    if (question === 'watch') {
      clearInterval(watching);
      held = { ms: 0, cpu_ms: 0 };
      watching = watchHolds(held);
    }
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu_s: (user + system) / 1e6, rss: process.memoryUsage.rss(), held } satisfies Measured);
  });
}

/** Each look that comes late was held up by what ran before it. */
function watchHolds(held: { ms: number; cpu_ms: number }): NodeJS.Timeout {
  let [at, cpu] = [performance.now(), threadCpuMs()];
  return setInterval(() => {
    const [now, used] = [performance.now(), threadCpuMs()];
    held.ms = Math.max(held.ms, now - at - LOOK_MS);
    held.cpu_ms = Math.max(held.cpu_ms, used - cpu);
    [at, cpu] = [now, used];
  }, LOOK_MS).unref();
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
