import { readFile } from 'node:fs/promises';
import { sendSignal } from '../../../src/namespaces/life/living-process.ts';
import type { Place } from '../../../src/namespaces/node/place.ts';

/** The agent's own process: not its children, which may be in the middle of a change that has to be whole. */
export async function agentsAt(place: Place): Promise<number[]> {
  const pids = (await place.exec('ip', ['netns', 'pids', place.namespace])).split('\n').filter((pid) => pid !== '');
  const lines = await Promise.all(pids.map((pid) => commandLineOf(pid)));
  return pids.filter((_, index) => / agent run$/.test(lines[index] ?? '')).map(Number);
}

/** Of one that has just ended: nothing. */
async function commandLineOf(pid: string): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) sendSignal(pid, signal);
}
