import type { Log, Metrics } from '@meshwork/service';
import type { Incoming } from './exchange.ts';

export interface RequestWatch {
  /** Called for every answer as it is handed to the network. */
  answered(request: Incoming, status: number): void;
  /** Called when an answer broke off half-way through our doing, which the caller can only see as an end too early. */
  brokeOff(request: Incoming, error: unknown): void;
}

/** Counts every request; logs those that change something or went wrong, without headers, bodies or query strings. */
export function watchRequests({ log, metrics }: { log: Log; metrics: Metrics }): RequestWatch {
  const answered = (request: Incoming, status: number) => {
    const took_ms = performance.now() - request.startedAt;
    metrics.request(request.operation ?? request.spoken ?? 'none', status, took_ms);
    // Heartbeats are too many to be logged one by one; the metrics count them.
    if ((request.method === 'GET' || request.actor?.kind === 'node') && status < 400) return;
    log.info(
      {
        request_id: request.id,
        operation: request.operation ?? request.spoken ?? null,
        method: request.method,
        status,
        token_id: request.actor?.kind === 'token' ? request.actor.id : null,
        node_id: request.actor?.kind === 'node' ? request.actor.id : null,
        address: request.ip,
        took_ms: Math.round(took_ms * 100) / 100,
      },
      'request',
    );
  };
  const brokeOff = (request: Incoming, error: unknown) => {
    log.error({ err: error, request_id: request.id, operation: request.operation ?? null }, 'an answer broke off');
  };
  return { answered, brokeOff };
}
