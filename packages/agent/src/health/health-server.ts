/**
 * What others may know about an agent, over plain HTTP: probes and Prometheus ask here. `health-source.ts` says what it is
 * read from, `readiness.ts` what it means.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { http } from '../host/http.ts';
import { messageOf } from '../message-of.ts';
import type { AgentMetrics } from './agent-metrics.ts';
import type { HealthSource } from './health-source.ts';
import { readinessOf } from './readiness.ts';

/** Ours: requests need no credentials here, so a client gets no more than a probe needs. */
const LIMITS = {
  maxHeaderSize: 4096,
  requestTimeout: 5000,
  headersTimeout: 5000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000, // how often those limits are looked at; half a minute otherwise
} as const;
/** Ours: a client that is idle for this long must not keep a connection from a probe. */
const IDLE_MS = 6000;
const MAX_CONNECTIONS = 64;
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface Options {
  readonly listen: { readonly host: string; readonly port: number };
  readonly source: HealthSource;
  readonly metrics: AgentMetrics;
  /** Hears of what went wrong here. It never ends an agent. */
  readonly warn: (problem: string) => void;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

export async function serveHealth({ listen, source, metrics, warn }: Options): Promise<HealthServer> {
  const server = http.createServer(LIMITS, (request, response) => {
    answer(request, response, { source, metrics }).catch((error: unknown) => {
      warn(`health check failed: ${messageOf(error)}`);
      send(response, 500, { error: 'the health of the agent could not be read' });
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.maxRequestsPerSocket = 1000;
  server.timeout = IDLE_MS;
  server.listen(listen.port, listen.host);
  await once(server, 'listening');
  server.on('error', ({ message }) => warn(`health is served no more: ${message}`));
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { source, metrics }: Pick<Options, 'source' | 'metrics'>,
): Promise<void> {
  request.resume(); // a body means nothing here
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return send(response, 405, { error: 'only GET and HEAD are answered here' });
  }
  switch (request.url?.split('?', 1)[0]) {
    case '/healthz':
      return send(response, 200, { status: 'ok' });
    case '/readyz': {
      const readiness = readinessOf(source.look());
      return send(response, readiness.ready ? 200 : 503, readiness);
    }
    case '/metrics':
      return end(response, 200, METRICS_TYPE, metrics.text());
    default:
      return send(response, 404, { error: 'there are /healthz, /readyz and /metrics' });
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  end(response, status, 'application/json', `${JSON.stringify(body)}\n`);
}

function end(response: ServerResponse, status: number, type: string, text: string): void {
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .end(text); // to HEAD, Node sends the headers alone
}

async function closed(server: Server): Promise<void> {
  const ended = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await ended;
}
