import type { Log, Metrics } from '@meshwork/service';
import type { FastifyInstance } from 'fastify';

/** Counts every request; logs those that change something or went wrong, without headers, bodies or query strings. */
export function logRequests(server: FastifyInstance, { log, metrics }: { log: Log; metrics: Metrics }): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { operation, person, token, started_at } = request.panel;
    const took_ms = performance.now() - started_at;
    metrics.request(operation ?? 'none', reply.statusCode, took_ms);
    if (request.method === 'GET' && reply.statusCode < 400) return done();
    log.info(
      {
        request_id: request.id,
        operation: operation ?? null,
        method: request.method,
        status: reply.statusCode,
        user_id: person?.id ?? null,
        token_id: token?.id ?? null,
        address: request.ip,
        took_ms: Math.round(took_ms * 100) / 100,
      },
      'request',
    );
    done();
  });
}
