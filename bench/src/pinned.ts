import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Measured } from './meter.ts';

/** `taskset` keeps a server on one core and the load off it; without it the numbers are noisier, and the output says so. */
export const canPin = spawnSync('taskset', ['--version']).status === 0;
const SERVER_CORE = 0;
export const LOAD_CORE = 1;

export interface Pinned {
  /** What the process printed when it was ready, parsed. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** What it has used so far. `tidy`: after collecting garbage. */
  measure(tidy?: 'tidy'): Promise<Measured>;
  end(): Promise<void>;
}

/** Starts a script on the core for servers, without its logs, and waits until it is ready. */
export async function startPinned(
  script: URL,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Pinned> {
  const command = [process.execPath, '--expose-gc', fileURLToPath(script), ...args];
  const [program = '', ...rest] = canPin ? ['taskset', '-c', String(SERVER_CORE), ...command] : command;
  const child = spawn(program, rest, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  const ready = await new Promise<Record<string, unknown>>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Record<string, unknown>));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script.pathname} ended with ${code}`)));
  });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  const measure = async (tidy?: 'tidy') => {
    const answered = once(child, 'message');
    child.send(tidy ?? 'now');
    const [answer] = (await answered) as [Measured];
    return answer;
  };
  return { ready, measure, end };
}
