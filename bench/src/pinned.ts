import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** `taskset` keeps a server on one core and the load off it; without it the numbers are noisier, and that is said. */
export const canPin = spawnSync('taskset', ['--version']).status === 0;
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

export interface Pinned {
  /** What the process said when it was up, parsed. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** Processor time it has used so far. */
  cpuSeconds(): Promise<number>;
  end(): Promise<void>;
}

/** Starts one of our scripts on the core for servers, its logs thrown away, and waits until it says that it is ready. */
export async function startPinned(
  script: URL,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Pinned> {
  const command = [process.execPath, fileURLToPath(script), ...args];
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
  const cpuSeconds = async () => {
    const answered = once(child, 'message');
    child.send('cpu');
    const [answer] = (await answered) as [{ cpu_s: number }];
    return answer.cpu_s;
  };
  return { ready, cpuSeconds, end };
}
