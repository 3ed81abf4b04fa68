/**
 * The edge: the only place that knows HTTP. A request has to be meant for this panel (`same-site.ts`), passes `gate.ts`
 * (authentication, permission, rate limit) before its body is read, then its schema, then the use case of its operation. Every
 * error becomes a problem document in one place (`answer-errors.ts`).
 */
import { MeshError, PANEL_OPERATIONS } from '@meshwork/contract';
import {
  addressPrefixOf,
  answerBrokenConnection,
  asMeshError,
  assumeJson,
  Connections,
  type Log,
  type Metrics,
  meetExpectation,
  NotRouted,
  RateLimit,
  RoutedPaths,
  requestIds,
  routeExpectations,
  takeBodies,
} from '@meshwork/service';
import type { Clock } from '@meshwork/time';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Handlers } from '../areas/handler.ts';
import type { Coordinator } from '../coordinator/coordinator.ts';
import { PROXIED } from '../coordinator/proxied-operations.ts';
import { TokenCallers } from '../coordinator/token-callers.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Refusals } from '../ledger/refusals.ts';
import { LastSeen } from '../sessions/last-seen.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Site } from '../site.ts';
import { answerError, sendProblem } from './answer-errors.ts';
import { Gate, STRANGERS } from './gate.ts';
import type { PanelRequest } from './panel-request.ts';
import { proxyRoutes } from './proxy/proxy.ts';
import { logRequests } from './request-log.ts';
import { addRoutes } from './routes.ts';
import { ensureMeantForUs } from './same-site.ts';
import { scraperGate } from './scrapers.ts';
import { securityHeaders } from './security-headers.ts';

/** A request, its body included, must have arrived by then. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** What was accepted before the shutdown began may take this long. */
const SHUTDOWN_LIMIT_MS = 10_000;

const PATHS = new RoutedPaths(
  [...Object.values(PANEL_OPERATIONS), ...PROXIED.map(({ path, operation: { method } }) => ({ path, method }))],
  '/api/v1/openapi.json lists what is there.',
);

interface EdgeParts {
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  readonly coordinator: Coordinator;
  readonly site: Site;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly refusals: Refusals;
  readonly handlers: Handlers;
  /** The pages of the dashboard. */
  readonly addPages: (server: FastifyInstance, limit: RateLimit) => void;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly trusted_proxies: readonly string[];
}

export class Edge {
  readonly server: FastifyInstance;
  readonly #refusals: Refusals;
  readonly #connections: Connections;
  readonly #coordinator: Coordinator;
  #closing = false;

  constructor(parts: EdgeParts) {
    const { ledger, sessions, coordinator, site, clock, log, metrics } = parts;
    const limit = new RateLimit(clock);
    this.#refusals = parts.refusals;
    this.#coordinator = coordinator;
    this.server = newServer(parts);
    this.#connections = new Connections(this.server.server);
    this.#openDoors(parts, limit);
    takeBodies(this.server);
    logRequests(this.server, parts);
    const errors = { refusals: this.#refusals, log, metrics };
    this.server.setErrorHandler(async (error, request, reply) => {
      await answerError(errors, error, request, reply);
      return reply;
    });
    const seen = new LastSeen(ledger, (error) => log.error({ err: error }, 'a use of a session was not written down'));
    const tokens = new TokenCallers({ client: coordinator.client, limit });
    const gate = new Gate({ ledger, sessions, access: coordinator.people, site, limit, seen, tokens });
    const { handlers } = parts;
    addRoutes(this.server, { handlers, gate, site, clock, scraperMayEnter: scraperGate(tokens) });
    proxyRoutes(this.server, { gate, ...coordinator.passing });
    parts.addPages(this.server, limit);
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Answers accepted requests, refuses new ones, then closes the port. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#coordinator.dismiss();
    await this.#connections.goWith(this.server.close(), SHUTDOWN_LIMIT_MS);
    await this.#refusals.close();
  }

  /** What comes before any route, known or not. */
  #openDoors({ site }: EdgeParts, limit: RateLimit): void {
    this.server.addHook('onRequest', (request, reply, done) => {
      reply.headers({ ...securityHeaders(site), 'x-request-id': request.id });
      if (this.#closing) throw new MeshError('shutting_down', 'The panel is shutting down. Try again in a moment.');
      ensureMeantForUs(site, request);
      const path = request.url.split('?', 1)[0] ?? '';
      if (!request.is404 && !PATHS.isMisrouted(request.method, path)) return done();
      // Here, before the body is read: an unknown path has no gate that would limit it.
      limit.take(`address ${addressPrefixOf(request.ip)}`, STRANGERS);
      throw new NotRouted(request.method, path, PATHS);
    });
  }
}

function newServer({ tls, site, trusted_proxies }: EdgeParts): FastifyInstance {
  const options = {
    logger: false,
    genReqId: requestIds(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle' as const,
    return503OnClosing: false,
    clientErrorHandler: answerBrokenConnection,
    trustProxy: trusted_proxies.length === 0 ? false : [...trusted_proxies],
    // An id of any length that fits into a request simply is not found.
    routerOptions: { maxParamLength: 16_384 },
    http: { joinDuplicateHeaders: true },
    // A path that cannot be decoded never reaches a route.
    frameworkErrors: (error: Error, _request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(securityHeaders(site));
      sendProblem(asMeshError(error).known, reply);
    },
  };
  // Typed as the plain server: which of the two carries the bytes makes no difference to anything here.
  const server =
    tls === undefined
      ? fastify(options)
      : (fastify({ ...options, https: { ...tls, joinDuplicateHeaders: true } }) as unknown as FastifyInstance);
  server.server.headersTimeout = HEADERS_TIMEOUT_MS;
  routeExpectations(server);
  // Behind the gate, which every route has in its `onRequest`.
  server.addHook('preParsing', (request, reply, payload, done) => {
    meetExpectation(request, reply, request.routeOptions.bodyLimit);
    assumeJson(request);
    done(null, payload);
  });
  server.decorateRequest('panel', {
    getter(): PanelRequest {
      return panelOf(this);
    },
  });
  return server;
}

const KNOWN = new WeakMap<object, PanelRequest>();

/** Made when it is first asked for, so that it is there for whatever the framework does with a request. */
function panelOf(request: object): PanelRequest {
  const known = KNOWN.get(request) ?? {
    operation: undefined,
    person: null,
    token: null,
    started_at: performance.now(),
  };
  KNOWN.set(request, known);
  return known;
}
