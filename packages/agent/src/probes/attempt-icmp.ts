import { type ExecFileException, execFile } from 'node:child_process';
import { codeOf } from '../host/lack.ts';
import type { Attempt, Outcome } from './outcome.ts';

interface Ended {
  /** Null: it was answered. */
  readonly error: ExecFileException | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Why it did not run, by the code of the system. */
const NOT_RUN: Readonly<Record<string, string>> = {
  ENOENT: 'ping is not installed: apt-get install iputils-ping',
  EPERM: 'the agent may not run ping: its service lacks CAP_NET_RAW',
  EACCES: 'the agent may not run ping: its service lacks CAP_NET_RAW',
};

/** One echo request, by `ping` of iputils. */
export async function tryPing({ flow, within_ms }: Attempt, signal: AbortSignal): Promise<Outcome> {
  const seconds = String(Math.ceil(within_ms / 1000));
  const { error, stdout, stderr } = await ping(['-n', '-c', '1', '-W', seconds, '-I', flow.from, flow.to], {
    timeout: within_ms,
    signal,
  });
  if (error === null) return { outcome: 'answered' };
  signal.throwIfAborted();
  // `From 100.64.0.7 icmp_seq=1 Destination Host Unreachable`, or the same in the language of the host
  const refusal = stdout.split('\n').find((line) => line.includes(' icmp_seq='));
  if (refusal !== undefined) return { outcome: 'unreachable', detail: refusal.slice(0, 200) };
  const said = stderr.trim().split('\n', 1)[0]?.slice(0, 200) ?? '';
  if (/not permitted|unreachable|Required key/i.test(said)) return { outcome: 'unreachable', detail: said };
  if (error.killed || error.code === 1) return { outcome: 'timed_out' };
  throw new Error(`ping failed: ${said === '' ? error.message : said}`);
}

async function ping(args: readonly string[], options: { timeout: number; signal: AbortSignal }): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  try {
    execFile('ping', args, { ...options, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      resolve({ error, stdout, stderr });
    });
    const ended = await promise;
    if (typeof ended.error?.code === 'string') throw ended.error;
    return ended;
  } catch (error) {
    // Some of these are thrown, and others reported.
    const words = NOT_RUN[codeOf(error)];
    throw words === undefined ? error : new Error(words, { cause: error });
  }
}
