import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request and its answer, as they crossed the wire. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly request: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** Passes everything on to a coordinator, and keeps the exchanges in the order of their answers. */
export async function recordingProxy(upstream: string) {
  const exchanges: Exchange[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { authorization, 'idempotency-key': key } = request.headers;
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    try {
      const answer = await fetch(upstream + request.url, {
        method: request.method ?? 'GET',
        headers: {
          ...(authorization === undefined ? {} : { authorization }),
          ...(key === undefined ? {} : { 'idempotency-key': String(key) }),
          ...(body === '' ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === '' ? {} : { body }),
        signal: gone.signal,
      });
      const text = await answer.text();
      exchanges.push({
        method: request.method ?? 'GET',
        path: request.url ?? '/',
        request: JSON.parse(body),
        status: answer.status,
        answer: JSON.parse(text),
      });
      const type = answer.headers.get('content-type') ?? 'application/json';
      response.writeHead(answer.status, { 'content-type': type }).end(text);
    } catch {
      response.destroy(); // either side went away
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
