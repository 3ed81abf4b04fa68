import { execFile } from 'node:child_process';
import { LabError } from '../lab-error.ts';

export interface RunOptions {
  /** Given on standard input. */
  readonly input?: string | undefined;
  /** Absent: `HANGS_AFTER_MS`. */
  readonly timeout_ms?: number | undefined;
}

/** For processes that stay: a node has the system's programs, and nothing from the environment of the lab's operator. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Ours: nothing that builds a network takes longer, unless it hangs. */
const HANGS_AFTER_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A program ended with something else than 0. */
export class ProgramFailed extends LabError {
  /** Null: it was ended by a signal, or took too long. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;

  constructor(
    command: string,
    how: { readonly exit: number | null; readonly stdout: string; readonly stderr: string },
  ) {
    const said = (how.stderr.trim() || how.stdout.trim()).split('\n').slice(-5).join('\n');
    const ended = how.exit === null ? 'did not end in time' : `failed (${how.exit})`;
    super('failed', `${command} ${ended}${said === '' ? '' : `: ${said}`}`);
    this.exit = how.exit;
    this.stdout = how.stdout;
    this.stderr = how.stderr;
  }
}

/** Runs a program to its end, never through a shell, and answers with its standard output. */
export function runProgram(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timeout = options.timeout_ms ?? HANGS_AFTER_MS;
  const limits = { timeout, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const;
  const child = execFile(command, [...args], limits, (error, stdout, stderr) => {
    if (error === null) return resolve(stdout);
    const { code } = error;
    if (code === 'ENOENT') return reject(new LabError('failed', `${command} is needed, and is not installed`));
    reject(new ProgramFailed(command, { exit: typeof code === 'number' ? code : null, stdout, stderr }));
  });
  child.stdin?.on('error', () => undefined); // it ended without reading: how it ended says more
  child.stdin?.end(options.input ?? '');
  return promise;
}

/**
 * The same for what changes the machine: it is ended when this process ends. Otherwise what is still running could make
 * another namespace after the keeper has cleaned up behind us.
 */
export function runWithUs(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  return runProgram('setpriv', ['--pdeathsig', 'KILL', '--', command, ...args], options);
}
