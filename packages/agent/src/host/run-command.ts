import { execFile } from 'node:child_process';

interface RunOptions {
  /** Given on standard input. The place for secrets: arguments are in the process list. */
  readonly input?: string | undefined;
  /** Absent: `DEFAULT_TIMEOUT_MS`. */
  readonly timeout_ms?: number | undefined;
  /** True: it answers with what it says on standard error, where some programs put what they are asked for. */
  readonly from_stderr?: boolean | undefined;
  /** What it may say at most. Absent: `MAX_OUTPUT_BYTES`. */
  readonly max_output_bytes?: number | undefined;
  /** Called with the process once it runs, before it can have done anything that others hear of. */
  readonly started?: ((pid: number) => void) | undefined;
}

/** Runs a program and answers with its standard output. Rejects with `CommandError`. Tests may put another one in its place. */
export type RunCommand = (command: string, args: readonly string[], options?: RunOptions) => Promise<string>;

/** Ours: nothing that an agent runs takes longer, unless it hangs. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** Ours: a table with a hundred thousand elements takes some 20 MB. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const SHOWN_CHARACTERS = 300;

export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly command: string;
  /** `ENOENT`: there is no such program. Null: it was ended by a signal, or took too long. */
  readonly exit: number | 'ENOENT' | null;
  readonly stderr: string;

  constructor(command: string, exit: number | 'ENOENT' | null, stderr: string) {
    const said = stderr.trim().split('\n', 1)[0]?.slice(0, SHOWN_CHARACTERS) ?? '';
    const how = exit === 'ENOENT' ? 'is not installed' : exit === null ? 'did not end in time' : `failed (${exit})`;
    super(`${command} ${how}${said === '' ? '' : `: ${said}`}`);
    this.command = command;
    this.exit = exit;
    this.stderr = stderr;
  }
}

/** Never through a shell: arguments are passed as they are. */
export const runCommand: RunCommand = (
  command,
  args,
  { input, timeout_ms = DEFAULT_TIMEOUT_MS, max_output_bytes = MAX_OUTPUT_BYTES, started, from_stderr } = {},
) => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = { timeout: timeout_ms, killSignal: 'SIGKILL', maxBuffer: max_output_bytes } as const;
  const child = execFile(command, [...args], options, (error, stdout, stderr) => {
    if (error === null) return resolve(from_stderr === true ? stderr : stdout);
    const { code } = error;
    if (code === 'ENOENT') return reject(new CommandError(command, 'ENOENT', ''));
    reject(new CommandError(command, typeof code === 'number' ? code : null, stderr || error.message));
  });
  if (child.pid !== undefined) started?.(child.pid);
  child.stdin?.on('error', () => undefined); // it ended without reading: how it ended says more
  child.stdin?.end(input ?? '');
  return promise;
};
