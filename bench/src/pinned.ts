import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Measured, Question } from './meter.ts';

/** `taskset` keeps a server on one core and the load off it; without it the numbers are noisier, and the output says so. */
export const canPin = spawnSync('taskset', ['--version']).status === 0;
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

export interface Pinned {
  /** What the process printed when it was ready, parsed. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** What it answers to a message. */
  ask(message: string): Promise<unknown>;
  /** What it has used so far. */
  measure(question?: Question): Promise<Measured>;
  end(): Promise<void>;
}

/**
 * Starts a script on the core for servers, without its logs, and waits until it is ready. `cores`: on all of them, for one whose
 * threads should not have to take turns.
 */
export async function startPinned(
  script: URL,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  cores: 'one' | 'all' = 'one',
): Promise<Pinned> {
  const list = cores === 'one' ? String(SERVER_CORE) : `0-${cpus().length - 1}`;
  const command = [process.execPath, '--expose-gc', fileURLToPath(script), ...args];
  const [program = '', ...rest] = canPin ? ['taskset', '-c', list, ...command] : command;
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
  const ask = async (message: string) => {
    const answered = once(child, 'message');
    child.send(message);
    const [answer] = (await answered) as [unknown];
    return answer;
  };
  const measure = async (question: Question = 'now') => (await ask(question)) as Measured;
  return { ready, ask, measure, end };
}
