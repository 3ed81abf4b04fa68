import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A child process of a test, with the lines it prints. */
interface Child {
  readonly process: ChildProcess;
  readonly lines: AsyncIterator<string>;
  /** Ends it as the kernel does when memory runs out, and waits until it is gone. */
  kill(): Promise<void>;
}

export function startChild(script: string, args: readonly string[], wrapper: readonly string[] = []): Child {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const [command = process.execPath, ...rest] = [...wrapper, process.execPath, path, ...args];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH } });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    lines,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The next line of a child, or the complaint that it ended. */
export async function nextLine(child: Child): Promise<string> {
  const { done, value } = await child.lines.next();
  if (done) throw new Error('the child ended without a word');
  return value;
}
