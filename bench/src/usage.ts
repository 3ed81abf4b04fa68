import { readFile } from 'node:fs/promises';
import type { LabNode } from '@meshwork/lab';

/** What the kernel counts processor time in, on every Linux that we know. */
const TICKS_PER_S = 100;

export interface Usage {
  readonly cpu_s: number;
  /** Of children that have ended: for an agent, `nft` and `ip`. */
  readonly children_s: number;
  readonly rss_mb: number;
  /** What no other process shares: without the text of the program and of its libraries. */
  readonly own_mb: number;
}

export async function usageOf(pid: number): Promise<Usage> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // Fields are counted from behind the name, which may have anything in it: the state is the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (...numbers: number[]) =>
    numbers.reduce((sum, number) => sum + Number(fields[number - 3]), 0) / TICKS_PER_S;
  const memory = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (field: string) =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(memory)?.[1]) * 1024) / 1e6;
  return {
    cpu_s: seconds(14, 15),
    children_s: seconds(16, 17),
    rss_mb: megabytes('Rss'),
    own_mb: megabytes('Anonymous'),
  };
}

/** The one process of a node that has these words in its command line. */
export async function processIn(node: LabNode, words: string): Promise<number> {
  const pids = (await node.exec('ip', ['netns', 'pids', node.namespace])).trim().split('\n').map(Number);
  const lines = await Promise.all(pids.map(async (pid) => [pid, await commandLine(pid)] as const));
  const [pid] = lines.find(([, line]) => line.includes(words)) ?? [];
  if (pid === undefined) throw new Error(`there is no "${words}" in ${node.name}`);
  return pid;
}

/** Of one that ended while we looked: nothing. */
async function commandLine(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
