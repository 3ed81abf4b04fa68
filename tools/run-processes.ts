/**
 * Finds and ends the processes that a test run started. A process belongs to the run when it carries the run's mark in
 * its environment, when it has the run's sid (see setsid(2)), or when its parent belongs. One sign alone would miss
 * some: nginx and PostgreSQL write over their environment, daemons take a sid of their own, and orphans lose their
 * parent. A process that does all three escapes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export const RUN_MARK = 'MESH_TEST_RUN';

export interface Run {
  /** The value of `MESH_TEST_RUN`. */
  readonly mark: string;
  /** The first process of the run, started with setsid, so that its pid is the sid of what it starts. */
  readonly leader: number;
}

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly sid: number;
  /** Ticks since boot. With the pid it names one process for good, however often the number is used again. */
  readonly born: string;
  readonly command: string;
}

/** Living processes of the run. Throws where there is no /proc, which is the only source. */
export function processesOf({ mark, leader }: Run): readonly Process[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []));
  const signed = (process: Process) =>
    process.sid === leader || readText(process.pid, 'environ').split('\0').includes(`${RUN_MARK}=${mark}`);
  return withDescendants(all, all.filter(signed));
}

/** The chosen processes and everything beneath them. */
export function withDescendants(all: readonly Process[], chosen: readonly Process[]): readonly Process[] {
  const pids = new Set(chosen.map(({ pid }) => pid));
  for (let before = -1; before !== pids.size; ) {
    before = pids.size;
    for (const { pid, parent } of all) if (pids.has(parent)) pids.add(pid);
  }
  return all.filter(({ pid }) => pids.has(pid));
}

/** Asks them to end, gives them a moment, and then ends them. */
export async function endProcesses(find: () => readonly Process[]): Promise<void> {
  signal(find(), 'SIGTERM');
  if (await areGone(find, 2_000)) return;
  signal(find(), 'SIGKILL');
  await areGone(find, 2_000);
}

/** Whether there are none left, now or within the time given. */
export async function areGone(find: () => readonly Process[], withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (find().length > 0) {
    if (performance.now() > deadline) return false;
    await pause(20);
  }
  return true;
}

export function signal(processes: readonly Process[], name: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // It has ended meanwhile, or belongs to another user. The caller lists processes again, and sees which.
      const expected = error instanceof Error && 'code' in error && ['ESRCH', 'EPERM'].includes(String(error.code));
      if (!expected) throw error;
    }
  }
}

function readProcess(pid: number): Process | undefined {
  const stat = readText(pid, 'stat');
  // pid (name) state parent group sid …: the name may hold spaces and brackets, so count from the last bracket.
  const [state, parent, , sid, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ended = state === undefined || state === '' || state === 'Z' || state === 'X';
  if (ended) return undefined;
  const command = readText(pid, 'cmdline').replaceAll('\0', ' ').trim();
  return { pid, parent: Number(parent), sid: Number(sid), born: rest[15] ?? '', command };
}

/** Empty when the process has ended meanwhile or belongs to another user. */
function readText(pid: number, file: 'stat' | 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    const expected = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];
    if (error instanceof Error && 'code' in error && expected.includes(String(error.code))) return '';
    throw error;
  }
}
