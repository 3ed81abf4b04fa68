import { readFile } from 'node:fs/promises';

/** A process for good: process ids come around again, so when it started belongs to which one it is. */
export interface ProcessId {
  readonly pid: number;
  /** In ticks since the machine started. */
  readonly started: string;
}

export async function processId(pid: number): Promise<ProcessId | undefined> {
  const stat = await statOf(pid);
  return stat === undefined ? undefined : { pid, started: stat.started };
}

export async function isAlive({ pid, started }: ProcessId): Promise<boolean> {
  const stat = await statOf(pid);
  // A zombie runs nothing any more: it only waits for its parent to ask how it ended.
  return stat !== undefined && stat.started === started && stat.state !== 'Z' && stat.state !== 'X';
}

/** Sends a signal and waits until the process is gone. False: it is not gone after the time given. */
export async function endProcess(id: ProcessId, signal: NodeJS.Signals, patience_ms: number): Promise<boolean> {
  const deadline = performance.now() + patience_ms;
  if (await isAlive(id)) sendSignal(id.pid, signal);
  while (await isAlive(id)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}

/** One that has ended meanwhile needs no signal. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function statOf(pid: number): Promise<{ readonly state: string; readonly started: string } | undefined> {
  let text: string;
  try {
    text = await readFile(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
  // The name stands in parentheses and may hold anything, so the fields are counted from the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}
