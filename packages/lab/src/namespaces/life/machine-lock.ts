import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LabError } from '../lab-error.ts';
import { RUN_DIR } from './lab-folder.ts';

/**
 * One process at a time on this machine takes a name or cleans up. Otherwise a slow clean-up could remove a new lab that
 * has the name of the one that was there.
 *
 * `flock` holds it while `cat` lives, and `cat` lives as long as our end of its input is open: also a process that is killed
 * lets go at once. What we write comes back when it is our turn.
 */
export async function withMachineLock<T>(work: () => Promise<T>): Promise<T> {
  await mkdir(RUN_DIR, { recursive: true, mode: 0o700 });
  const holder = spawn('flock', ['--exclusive', join(RUN_DIR, '.lock'), 'cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true, // a Ctrl-C is for us, and must not take the lock from us while we clean up
  });
  const closed = once(holder, 'close');
  try {
    holder.stdin.write('mine\n');
    const ours = await Promise.race([once(holder.stdout, 'data').then(() => true), closed.then(() => false)]);
    if (!ours) throw new LabError('failed', `flock could not lock ${RUN_DIR}/.lock`);
    return await work();
  } finally {
    holder.stdin.end();
    await closed;
  }
}
