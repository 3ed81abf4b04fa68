import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';

/** Hears of every answer as it is handed to the network. */
export type RequestWatch = (request: FastifyRequest, status: number) => void;

/** Counts every request; logs those that change something or went wrong, without headers, bodies or query strings. */
export function watchRequests({ clock, log, metrics }: { clock: Clock; log: Log; metrics: Metrics }): RequestWatch {
  return (request, status) => {
    const took_ms = clock.monotonic() - request.startedAt;
    metrics.request(request.operation ?? 'none', status, took_ms);
    if (request.method === 'GET' && status < 400) return;
    log.info(
      {
        request_id: request.id,
        operation: request.operation ?? null,
        method: request.method,
        status,
        token_id: request.actor?.id ?? null,
        address: request.ip,
        took_ms: Math.round(took_ms * 100) / 100,
      },
      'request',
    );
  };
}
