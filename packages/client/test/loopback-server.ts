import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ERRORS, type ErrorCode, type Problem, problemType } from '@meshwork/contract';

export interface SeenRequest {
  readonly method: string;
  /** With its query, exactly as it came. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface LoopbackServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: SeenRequest[];
}

/** A real HTTP server on loopback that records its requests, and answers as a test wants. */
export async function loopbackServer(
  answer: (request: SeenRequest, response: ServerResponse, number: number) => void,
): Promise<LoopbackServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const piece of incoming.setEncoding('utf8')) body += piece;
    const request = { method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers, body };
    seen.push(request);
    answer(request, response, seen.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

export function problemOf(code: ErrorCode, detail = `a test wanted ${code}`, more: Partial<Problem> = {}): Problem {
  const { status, title, retryable } = ERRORS[code];
  return { type: problemType(code), title, status, detail, code, retryable, request_id: 'req_test-1', ...more };
}

export function problem(response: ServerResponse, document: Problem, headers: Record<string, string> = {}): void {
  json(response, document, document.status, { 'content-type': 'application/problem+json', ...headers });
}
