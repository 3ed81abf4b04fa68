import { answersWithin, type Load } from './load.ts';
import { interleaved, type Row } from './measure.ts';
import { type Pinned, startPinned } from './pinned.ts';

/** Many and short: other load on the machine varies, and has to affect both servers alike. */
const ROUNDS = 25;
const SECONDS = 0.4;
const CONNECTIONS = 64;

interface Ratio {
  readonly ours: number;
  readonly theirs: number;
}

/** Compares requests to a server with a bare `node:http` server on the same core that reads and writes the same JSON. */
export async function againstBare(
  server: Pinned,
  given: { readonly request: (count: number) => string; readonly status: number; readonly answer: string },
): Promise<Ratio> {
  const script = new URL('./bare-server.ts', import.meta.url);
  const bare = await startPinned(script, [given.answer, String(given.status)]);
  try {
    const load = { request: given.request, status: given.status, connections: CONNECTIONS, seconds: SECONDS };
    return await interleaved(
      ROUNDS,
      () => answersPerCpuSecond(server, load),
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
  const before = await server.measure();
  const answered = await answersWithin({ ...load, port: server.ready.port as number });
  const after = await server.measure();
  return answered / (after.cpu_s - before.cpu_s);
}

export function ratioRow(what: string, { ours, theirs }: Ratio, bare: string, aim?: string): Row {
  const against = { what: bare, value: theirs };
  return { what, value: ours, unit: 'req/CPU s', against, ...(aim === undefined ? {} : { aim }) };
}

/** A request as it goes over the wire. */
export function postOf(path: string, token: string, body: object): string {
  const text = JSON.stringify(body);
  const headers = `Host: bench\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`;
  return `POST ${path} HTTP/1.1\r\n${headers}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
