import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CONNECTIONS = 32;

interface WrkResult {
  readonly requests: number;
  readonly requests_per_s: number;
  readonly p99_ms: number;
}

/** Requests over connections that are kept, as fast as they are answered. */
export async function wrk(port: number, hostname: string, seconds: number, path = '/'): Promise<WrkResult> {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency'];
  const { stdout } = await run('wrk', [...args, `https://${hostname}:${port}${path}`]);
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)\b/.exec(stdout) ?? [];
  const requests_per_s = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? 0);
  if (requests_per_s === 0 || stdout.includes('Non-2xx'))
    throw new Error(`these are not the answers that were asked for: ${stdout}`);
  return {
    requests: Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0),
    requests_per_s,
    p99_ms: Number(p99) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'],
  };
}
