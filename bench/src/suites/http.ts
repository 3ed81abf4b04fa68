import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersWithin, type Load } from '../load.ts';
import { interleaved, type Row } from '../measure.ts';
import { type Pinned, startPinned } from '../pinned.ts';

const ROUNDS = 7;
const SECONDS = 1.5;

/** A read and a durable write over HTTP, against a bare `node:http` server that does the same JSON work on the same core. */
export async function httpSuite(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mesh-bench-'));
  const coordinator = await startPinned(new URL('../coordinator-process.ts', import.meta.url), [], {
    MESH_DATA_DIR: folder,
    MESH_COORDINATOR_LISTEN: '127.0.0.1:0',
    MESH_LOG_LEVEL: 'info',
  });
  try {
    const { port, token } = coordinator.ready as { port: number; token: string };
    await liftLimits(port, token);
    const credentials = `Authorization: Bearer ${token}\r\n`;
    const get = () => `GET /v1/auth/whoami HTTP/1.1\r\nHost: bench\r\n${credentials}\r\n`;
    const body = (count: number) => JSON.stringify({ name: `bench ${count}`, scope: SCOPE, expires: EXPIRES });
    const post = (count: number) => {
      const text = body(count);
      return `POST /v1/auth/tokens HTTP/1.1\r\nHost: bench\r\n${credentials}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    };
    const read = await against(coordinator, get, 200, await sample(port, token, 'GET', '/v1/auth/whoami'));
    const made = await sample(port, token, 'POST', '/v1/auth/tokens', body(0));
    const write = await against(coordinator, post, 201, made);
    return [
      row('GET /v1/auth/whoami', read, 'bare node:http', '≥ 0.75'),
      row('POST /v1/auth/tokens, durable and audited', write, 'bare node:http, not durable'),
    ];
  } finally {
    await coordinator.end();
    await rm(folder, { recursive: true, force: true });
  }
}

const SCOPE = { team: 'platform', surface: 'git', environment: 'production' };
const EXPIRES = new Date(Date.now() + 3_600_000).toISOString();

function row(what: string, { ours, theirs }: { ours: number; theirs: number }, bare: string, aim?: string): Row {
  const against = { what: bare, value: theirs };
  return { what, value: ours, unit: 'req/CPU s', against, ...(aim === undefined ? {} : { aim }) };
}

async function against(coordinator: Pinned, request: (count: number) => string, status: number, answer: string) {
  const bare = await startPinned(new URL('../bare-server.ts', import.meta.url), [answer]);
  try {
    const load = { request, status, connections: 64, seconds: SECONDS };
    return await interleaved(
      ROUNDS,
      () => answersPerCpuSecond(coordinator, load),
      () => answersPerCpuSecond(bare, load),
    );
  } finally {
    await bare.end();
  }
}

/**
 * What one core would answer if it did nothing else. Counted by the processor time that the server used, and not by
 * the clock, so that neither a slow load nor a busy machine makes the two servers look alike.
 */
async function answersPerCpuSecond(server: Pinned, load: Omit<Load, 'port'>): Promise<number> {
  const before = await server.cpuSeconds();
  const answered = await answersWithin({ ...load, port: server.ready.port as number });
  return answered / ((await server.cpuSeconds()) - before);
}

/** One real answer, for the bare server to give too. */
async function sample(port: number, token: string, method: string, path: string, body?: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return await response.text();
}

async function liftLimits(port: number, token: string): Promise<void> {
  const body = JSON.stringify({ api: { rate_per_s: 1_000_000, burst: 1_000_000 } });
  await sample(port, token, 'PATCH', '/v1/settings', body);
}
