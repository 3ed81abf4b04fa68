import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { isCode } from '../host/atomic-file.ts';
import { StateError } from '../host/state-error.ts';

/** The exit code of `flock` when another process has the lock. */
const TAKEN = 1;

interface FolderLock {
  release(): void;
}

/**
 * Takes a lock of the kernel's on a file, which ends with the process however that ends: there is no stale lock to judge,
 * and no process id that may have come to mean another process. Node cannot take one itself; `flock` takes it on a file
 * that this process has open, and it stays with that. The process id in the file is for people.
 */
export async function lockFolder(folder: string, file: string): Promise<FolderLock> {
  const descriptor = openSync(file, 'a+', 0o600);
  try {
    if ((await flock(descriptor)) === TAKEN) {
      const holder = readFileSync(file, 'utf8').trim() || 'unknown';
      throw new StateError('in_use', `another agent (process ${holder}) runs with ${folder}`);
    }
    ftruncateSync(descriptor);
    writeSync(descriptor, `${process.pid}\n`);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return { release: () => closeSync(descriptor) };
}

async function flock(descriptor: number): Promise<number> {
  const child = spawn('flock', ['--exclusive', '--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', descriptor],
  });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code === 0 || code === TAKEN) return code;
    throw new StateError('unfit', `flock failed (${code})`);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
    throw new StateError('unfit', 'flock is not installed: apt-get install util-linux', error);
  }
}
