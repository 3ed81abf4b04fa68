/** Processes of this host, as the kernel lists them. */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { isCode } from './atomic-file.ts';

export interface ListedProcess {
  readonly pid: number;
  /** The program and its arguments. One that shows a title of its own has that in the first, and nothing in the rest. */
  readonly argv: readonly string[];
  /** The same, as `ps` shows it. */
  readonly title: string;
  readonly parent: number;
  /** The first process of its session. */
  readonly session: number;
  /** In ticks since the machine started. */
  readonly started: number;
}

interface Ending {
  /** In messages. */
  readonly program: string;
  /** Those that are left. */
  readonly left: () => Promise<readonly number[]>;
  /** One after the other, as long as it takes. */
  readonly signals: readonly NodeJS.Signals[];
}

export const POLL_MS = 20;
/** Ours: what is asked to end gets so long before it is asked less kindly. */
const END_WITHIN_MS = 3000;

export async function allProcesses(): Promise<readonly ListedProcess[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return (await Promise.all(numbers.map(listedProcess))).filter((one) => one !== undefined);
}

/** What the main thread of a process started and what still runs. On a kernel that keeps no such list, all are looked at. */
export async function childrenOf(pid: number): Promise<readonly ListedProcess[]> {
  try {
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1');
    const pids = text.split(' ').filter((one) => one !== '');
    const children = await Promise.all(pids.map((one) => listedProcess(Number(one))));
    return children.flatMap((one) => (one?.parent === pid ? [one] : []));
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'ESRCH')) throw error;
    return (await allProcesses()).filter(({ parent }) => parent === pid);
  }
}

/** Undefined: it has ended. */
export async function listedProcess(pid: number): Promise<ListedProcess | undefined> {
  try {
    const [line, stat] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'latin1'),
    ]);
    // Behind the name, which may have anything in it: state, parent, group, session; the time of its start is the 22nd of all.
    const [state, parent, , session, ...further] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return undefined;
    const argv = line.replace(/\0$/, '').split('\0');
    const title = argv.join(' ').trimEnd();
    return { pid, argv, title, parent: Number(parent), session: Number(session), started: Number(further[15]) };
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ESRCH')) return undefined;
    throw error;
  }
}

/** Whether it runs a program that is not on the disk any more: its package was upgraded. */
export async function isOutdated(pid: number): Promise<boolean> {
  try {
    return (await readlink(`/proc/${pid}/exe`)).endsWith(' (deleted)');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].some((code) => isCode(error, code))) return false; // it cannot be known
    throw error;
  }
}

/** `program` is for the message when that is not allowed. */
export function signalProcess(pid: number, signal: NodeJS.Signals, program: string): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (isCode(error, 'ESRCH')) return; // it has just ended
    if (!isCode(error, 'EPERM')) throw error;
    throw new Error(`${program} (process ${pid}) cannot be ended: the agent needs CAP_KILL for that`, { cause: error });
  }
}

/** Resolves when none is left. */
export async function endProcesses({ program, left, signals }: Ending): Promise<void> {
  const from = performance.now();
  let sent: NodeJS.Signals | undefined;
  for (let pids = await left(); pids.length > 0; pids = await left()) {
    const step = Math.floor((performance.now() - from) / END_WITHIN_MS);
    const signal = signals[Math.min(step, signals.length - 1)];
    if (signal !== undefined && signal !== sent) for (const pid of pids) signalProcess(pid, signal, program);
    sent = signal;
    await pause(POLL_MS);
  }
}
