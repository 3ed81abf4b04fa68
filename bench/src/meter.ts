export interface Measured {
  /** Processor time that the process has used, threads included. */
  readonly cpu_s: number;
  /** What it holds in memory after tidying up. */
  readonly rss: number;
}

/** In a measured process: answers requests over the channel with what the process has used so far. */
export function answerMeter(): void {
  process.on('message', (tidy) => {
    if (tidy === 'tidy') globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu_s: (user + system) / 1e6, rss: process.memoryUsage.rss() } satisfies Measured);
  });
}
