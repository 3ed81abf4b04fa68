/**
 * The edge: the only place that knows HTTP. A request passes `gate.ts` (who, may it, how often) before its body is
 * read, then its schema, then the use case of its operation; every error becomes a problem document in one place.
 */

import { MeshError, type OperationId } from '@meshwork/contract';
import {
  addressPrefixOf,
  answerBrokenConnection,
  asMeshError,
  COORDINATOR_PATHS,
  Connections,
  type Log,
  type Metrics,
  NotRouted,
  RateLimit,
  requestIds,
  routeExpectations,
  takeBodies,
} from '@meshwork/service';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { NodeSessions } from '../access/node-session.ts';
import type { Handlers } from '../areas/handler.ts';
import type { Protocol } from '../areas/protocol.ts';
import type { NodeActor, TokenActor } from '../mesh/actor.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { ReportWarnings } from '../node-status/report-warnings.ts';
import { answerErrors, errorAnswerer, sendProblem } from './answer-errors.ts';
import { STRANGERS } from './gate.ts';
import { openHeartbeatLane } from './heartbeat-lane.ts';
import { addProtocols } from './protocols.ts';
import { openRefusals, type Refusals } from './refusals.ts';
import { type RequestWatch, watchRequests } from './request-watch.ts';
import { addRoutes } from './routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    readonly authorization: string | undefined;
    /** Undefined where no operation has the path. */
    operation: OperationId | undefined;
    /** The protocol beside the table of operations that has the path. Undefined: none has. */
    spoken: string | undefined;
    actor: TokenActor | NodeActor | undefined;
    startedAt: number;
  }
}

/** A request, its body included, must have arrived by then. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** What was accepted before the shutdown began may take this long. */
const SHUTDOWN_LIMIT_MS = 10_000;

interface EdgeParts {
  readonly mesh: Mesh;
  readonly handlers: Handlers;
  readonly protocols: readonly Protocol[];
  readonly sessions: NodeSessions;
  readonly warnings: ReportWarnings;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Called when the coordinator closes: requests that wait for something to happen are to be answered now. */
  readonly dismiss: () => void;
}

export class Edge {
  readonly server: FastifyInstance;
  readonly #refusals: Refusals;
  readonly #dismiss: () => void;
  readonly #connections: Connections;
  readonly #newRequestId = requestIds();
  #closing = false;

  constructor(parts: EdgeParts) {
    const { mesh, log, metrics } = parts;
    const limit = new RateLimit(mesh.clock);
    const watch = watchRequests({ log, metrics });
    this.#refusals = openRefusals({
      mesh,
      failed: (error) => log.error({ err: error }, 'a refusal could not be audited'),
      folded: () => metrics.foldedRefusal(),
    });
    this.#dismiss = parts.dismiss;
    this.server = newServer(parts, watch, this.#newRequestId);
    this.#connections = new Connections(this.server.server);
    for (const field of ['operation', 'spoken', 'actor', 'startedAt']) this.server.decorateRequest(field, undefined);
    this.server.decorateRequest('authorization', {
      getter() {
        return this.headers.authorization;
      },
    });
    this.server.addHook('onRequest', (request, _reply, done) => {
      request.startedAt = performance.now();
      if (this.#closing) {
        throw new MeshError('shutting_down', 'This coordinator is going down. Ask another, or come back.');
      }
      const path = request.url.split('?', 1)[0] ?? '';
      if (!request.is404 && !COORDINATOR_PATHS.isMisrouted(request.method, path)) return done();
      // Counted here, before any of the body is read: an unknown path has no caller, only an address.
      limit.take(`address ${addressPrefixOf(request.ip)}`, STRANGERS);
      throw new NotRouted(request.method, path);
    });
    takeBodies(this.server);
    const answerError = errorAnswerer({ refusals: this.#refusals, log, metrics, watch });
    answerErrors(this.server, answerError);
    const { handlers, sessions, warnings } = parts;
    addRoutes(this.server, { mesh, handlers, sessions, warnings, limit, watch });
    addProtocols(this.server, { protocols: parts.protocols, refusals: this.#refusals, watch, log });
    openHeartbeatLane(this.server.server, {
      mesh,
      sessions,
      warnings,
      limit,
      watch,
      answerError,
      handler: handlers['agents.heartbeat'],
      newRequestId: this.#newRequestId,
      isClosing: () => this.#closing,
    });
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Answers what was accepted, refuses what comes now, then lets go of the port. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#dismiss();
    await this.#connections.goWith(this.server.close(), SHUTDOWN_LIMIT_MS);
    await this.#refusals.close();
  }
}

function newServer({ tls }: EdgeParts, watch: RequestWatch, newRequestId: () => string): FastifyInstance {
  const options = {
    logger: false,
    genReqId: newRequestId,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle' as const,
    return503OnClosing: false,
    clientErrorHandler: answerBrokenConnection,
    // An id of any length that fits into a request simply is not found.
    routerOptions: { maxParamLength: 16_384 },
    // Two Authorization headers become one that matches no token, rather than the first of them.
    http: { joinDuplicateHeaders: true },
    // A path that cannot be decoded never reaches a route.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      request.startedAt = performance.now();
      sendProblem({ watch }, asMeshError(error).known, reply);
    },
  };
  // Typed as the plain server: which of the two carries the bytes makes no difference to anything here.
  const server =
    tls === undefined
      ? fastify(options)
      : (fastify({ ...options, https: { ...tls, joinDuplicateHeaders: true } }) as unknown as FastifyInstance);
  server.server.headersTimeout = HEADERS_TIMEOUT_MS;
  routeExpectations(server); // met in `routes.ts`, behind the gate
  return server;
}
