/**
 * The edge: the only place that knows HTTP. A request passes `gate.ts` (who, may it, how often) before its body is
 * read, then its schema, then the use case of its operation; every error becomes a problem document in one place.
 */
import { MeshError, type OperationId } from '@meshwork/contract';
import { type FastifyInstance, fastify } from 'fastify';
import type { Handlers } from '../areas/handler.ts';
import type { TokenActor } from '../mesh/actor.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { answerErrors } from './answer-errors.ts';
import { answerBrokenConnection } from './broken-connection.ts';
import { RateLimit } from './rate-limit.ts';
import { Refusals } from './refusals.ts';
import { requestIds } from './request-id.ts';
import { watchRequests } from './request-watch.ts';
import { addRoutes } from './routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where no operation has the path. */
    operation: OperationId | undefined;
    actor: TokenActor | undefined;
    startedAt: number;
  }
}

/** A request, its body included, must have arrived by then. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** What was accepted before the shutdown began may take this long. */
const SHUTDOWN_LIMIT_MS = 10_000;

export interface EdgeParts {
  readonly mesh: Mesh;
  readonly handlers: Handlers;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
}

export class Edge {
  readonly server: FastifyInstance;
  readonly #refusals: Refusals;
  #closing = false;

  constructor(parts: EdgeParts) {
    const { mesh, log, metrics } = parts;
    this.#refusals = new Refusals(mesh, (error) => log.error({ err: error }, 'a refusal could not be audited'));
    this.server = newServer(parts);
    for (const field of ['operation', 'actor', 'startedAt']) this.server.decorateRequest(field, undefined);
    this.server.addHook('onRequest', (request, _reply, done) => {
      request.startedAt = mesh.clock.monotonic();
      if (!this.#closing) return done();
      throw new MeshError('shutting_down', 'This coordinator is going down. Ask another, or come back.');
    });
    const watch = watchRequests({ clock: mesh.clock, log, metrics });
    takeOnlyJson(this.server);
    answerErrors(this.server, { refusals: this.#refusals, log, metrics, watch });
    const limit = new RateLimit(mesh.clock);
    addRoutes(this.server, { mesh, handlers: parts.handlers, limit, watch });
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Answers what was accepted, refuses what comes now, then lets go of the port. */
  async close(): Promise<void> {
    this.#closing = true;
    const limit = setTimeout(() => this.server.server.closeAllConnections(), SHUTDOWN_LIMIT_MS);
    await this.server.close();
    clearTimeout(limit);
    await this.#refusals.close();
  }
}

function newServer({ tls }: EdgeParts): FastifyInstance {
  const options = {
    logger: false,
    genReqId: requestIds(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle' as const,
    return503OnClosing: false,
    clientErrorHandler: answerBrokenConnection,
  };
  // Typed as the plain server: which of the two carries the bytes makes no difference to anything here.
  const server =
    tls === undefined ? fastify(options) : (fastify({ ...options, https: tls }) as unknown as FastifyInstance);
  server.server.headersTimeout = HEADERS_TIMEOUT_MS;
  return server;
}

/** An empty JSON body is no body: then the schema says what is missing, if anything is. */
function takeOnlyJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) done(null, undefined);
    else void parse(request, text as string, done);
  });
}
