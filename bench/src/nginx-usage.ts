/** What nginx has used: of the master and its workers as they are now. */
import { readFile } from 'node:fs/promises';
import { childrenOf } from './children-of.ts';
import { usageOf } from './usage.ts';
import { wrk } from './wrk.ts';

/** What no other process shares. */
export async function memoryOf(master: number): Promise<number> {
  const usages = await Promise.all([master, ...(await childrenOf(master))].map(usageOf));
  return usages.reduce((sum, { own_mb }) => sum + own_mb, 0);
}

/** In seconds, by number. */
async function cpuOfWorkers(master: number): Promise<ReadonlyMap<number, number>> {
  const each = (await childrenOf(master)).map(async (pid) => {
    const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => undefined); // it has just ended
    return text === undefined ? [] : [[pid, Number.parseInt(text, 10) / 1e9] as const];
  });
  return new Map((await Promise.all(each)).flat());
}

/** By the clock, and by the processor time of the workers: another program that has the core for a while does not count there. */
export async function ratesOf(
  { pid, port }: { readonly pid: number; readonly port: number },
  hostname: string,
  seconds: number,
  path?: string,
): Promise<{ readonly by_clock: number; readonly by_cpu: number }> {
  const before = await cpuOfWorkers(pid);
  const { requests, requests_per_s } = await wrk(port, hostname, seconds, path);
  // Of a reload before, a worker may still have been about to end.
  const used = [...(await cpuOfWorkers(pid))].reduce((sum, [worker, s]) => sum + s - (before.get(worker) ?? 0), 0);
  return { by_clock: requests_per_s, by_cpu: requests / used };
}
