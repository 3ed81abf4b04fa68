import { PANEL_OPERATION_IDS, PANEL_OPERATIONS, type PanelOperation, type PanelOperationId } from '@meshwork/contract';
import { bodyLimitOf, ensureNoBody, validationOf } from '@meshwork/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Handler, Handlers } from '../areas/handler.ts';
import type { Site } from '../site.ts';
import type { Gate } from './gate.ts';
import { callOf } from './request-call.ts';
import { sendForm, sendReply } from './send-reply.ts';

interface RouteParts {
  readonly handlers: Handlers;
  readonly gate: Gate;
  readonly site: Site;
  readonly clock: { now(): number };
  /** Lets a scraper in by a token of the coordinator. False: it brought none. */
  readonly scraperMayEnter: (request: FastifyRequest) => Promise<boolean>;
}

const PROBES: ReadonlySet<PanelOperationId> = new Set(['meta.health', 'meta.ready']);

/** Makes a route of every operation in the table, HEAD beside each GET, and none besides. */
export function addRoutes(server: FastifyInstance, parts: RouteParts): void {
  for (const id of PANEL_OPERATION_IDS) addRoute(server, parts, id);
}

function addRoute<I extends PanelOperationId>(server: FastifyInstance, parts: RouteParts, id: I): void {
  const operation: PanelOperation = PANEL_OPERATIONS[id];
  const handler: Handler<I> = parts.handlers[id];
  const validation = validationOf(operation);
  server.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: bodyLimitOf(operation),
    onRequest: async (request) => {
      request.panel.operation = id;
      const isScraper = id === 'meta.metrics' && (await parts.scraperMayEnter(request));
      // Probes come as often as the operator configured, and cost nothing.
      if (!isScraper && !PROBES.has(id)) await parts.gate.admit(request, operation);
      ensureNoBody(operation, request.headers);
    },
    handler: async (request, reply) => {
      validation.query(request.query);
      const body = validation.body(request.body);
      const answer = await handler(callOf({ id, request, body, site: parts.site, now_ms: parts.clock.now() }));
      if (answer.document !== undefined) return sendForm(reply, await answer.document.answer(request.headers));
      return sendReply(reply, operation, { answer, site: parts.site });
    },
  });
}
