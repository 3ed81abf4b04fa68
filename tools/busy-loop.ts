/** A process that does nothing but keep one core busy, so that tests meet a machine with less time for them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** It looks after us now and then, so that it ends also when we are killed, even before it has begun. */
const LOOP = 'for (let turn = 0; turn % 1e7 !== 0 || process.ppid === Number(process.argv[1]); turn++);';

export async function startBusyLoop(): Promise<AsyncDisposable & { readonly pid: number }> {
  const child = spawn(process.execPath, ['-e', LOOP, String(process.pid)], { stdio: 'ignore' });
  await once(child, 'spawn');
  return {
    pid: child.pid ?? Number.NaN,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
