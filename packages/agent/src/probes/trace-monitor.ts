import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { readTraceLine, type TraceLine } from './trace.ts';

const POLL_MS = 5;
/** Of netfilter among the kernel's netlink families, and the bit of the group that traces are sent to. */
const [NETFILTER, TRACE_GROUP] = ['12', 0x100];

interface TraceOptions {
  readonly line: (line: TraceLine) => void;
  readonly signal: AbortSignal;
}

/** Follows packets that are marked, by `nft monitor trace`, from now on and until it is disposed of. */
export async function openTrace({ line, signal }: TraceOptions): Promise<AsyncDisposable> {
  const child = spawn('nft', ['monitor', 'trace'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  const closed = once(child, 'close').catch(() => undefined); // `error` says why
  createInterface({ input: child.stdout }).on('line', (text) => {
    const read = readTraceLine(text);
    if (read !== undefined) line(read);
  });
  const end = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  try {
    while (!(await isListening(child))) {
      signal.throwIfAborted();
      if (failure !== undefined || child.exitCode !== null)
        throw new Error('nft cannot trace packets', { cause: failure });
      await pause(POLL_MS);
    }
  } catch (error) {
    await end();
    throw error;
  }
  return { [Symbol.asyncDispose]: end };
}

/** `nft` does not say when it is ready; the kernel lists which process listens to which group. */
async function isListening({ pid }: ChildProcess): Promise<boolean> {
  if (pid === undefined) return false;
  const text = await readFile(`/proc/${pid}/net/netlink`, 'utf8').catch(() => ''); // it may have ended
  return text.split('\n').some((row) => {
    const [, family, port, groups = '0'] = row.trim().split(/\s+/);
    return family === NETFILTER && port === String(pid) && (Number.parseInt(groups, 16) & TRACE_GROUP) !== 0;
  });
}
