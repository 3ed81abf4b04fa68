import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';

interface DaemonProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A file for what it says. */
  readonly log: string;
  /** How that is opened. Absent: emptied first. */
  readonly flags?: number | undefined;
}

/** Starts a program that outlives us. Rejects when there is no such program. Tests may put another one in its place. */
export type StartDaemon = (program: DaemonProgram) => Promise<ChildProcess>;

/** Not the agent's own environment: it may hold secrets, and the environment of a process can be read. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * In a session of its own and with nothing of ours open, so that neither our end nor a Ctrl-C is its end: the tunnels stand
 * while the agent is restarted.
 */
export const startDaemon: StartDaemon = async ({ command, args, environment, log, flags = 'w' }) => {
  const file = await open(log, flags, 0o600);
  try {
    const child = spawn(command, [...args], {
      cwd: '/',
      detached: true,
      env: { PATH, ...environment },
      stdio: ['ignore', file.fd, file.fd],
    });
    await once(child, 'spawn');
    child.unref();
    return child;
  } finally {
    await file.close();
  }
};
