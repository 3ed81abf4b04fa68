import { OPERATION_IDS, OPERATIONS, type Operation, type OperationId } from '@meshwork/contract';
import { assumeJson, bodyLimitOf, meetExpectation, type RateLimit, validationOf, wantedType } from '@meshwork/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { NodeSessions } from '../access/node-session.ts';
import type { Handler, Handlers, Reply, Stream } from '../areas/handler.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { ReportWarnings } from '../node-status/report-warnings.ts';
import { passGate, slowDown } from './gate.ts';
import { RequestCall } from './request-call.ts';
import type { RequestWatch } from './request-watch.ts';
import { sendDocument, sendReply, sendStream } from './send-reply.ts';

interface Parts {
  readonly mesh: Mesh;
  readonly handlers: Handlers;
  readonly sessions: NodeSessions;
  readonly warnings: ReportWarnings;
  readonly limit: RateLimit;
  readonly watch: RequestWatch;
}

/** Makes a route of every operation in the table, HEAD beside each GET, and none besides. */
export function addRoutes(server: FastifyInstance, parts: Parts): void {
  for (const id of OPERATION_IDS) addRoute(server, parts, id);
}

function addRoute<I extends OperationId>(server: FastifyInstance, parts: Parts, id: I): void {
  const operation: Operation = OPERATIONS[id];
  const handler: Handler<I> = parts.handlers[id];
  const validation = validationOf(operation);
  const bodyLimit = bodyLimitOf(operation);
  const offered = operation.answer.also?.map(({ type }) => type) ?? [];
  const send = (request: FastifyRequest, reply: FastifyReply, answer: Reply<I> | Stream) => {
    if ('lines' in answer) {
      parts.watch.answered(request, 200);
      return sendStream(reply, answer).catch((error: unknown) => parts.watch.brokeOff(request, error));
    }
    if ('document' in answer) {
      return sendDocument(reply, operation, answer.document).then((status) => parts.watch.answered(request, status));
    }
    parts.watch.answered(request, sendReply(reply, operation, answer));
    return undefined;
  };
  // Where credentials are in the body, the gate could not slow down who guesses them.
  const refused = (request: FastifyRequest) => (error: unknown) => {
    if (request.actor === undefined) slowDown(parts.limit, error, request);
    throw error;
  };
  server.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit,
    onRequest: (request, reply, done) => {
      request.operation = id;
      passGate(parts, operation, request);
      // Only now: a caller that sent `Expect: 100-continue` may go on only once it is permitted.
      meetExpectation(request, reply, bodyLimit);
      assumeJson(request);
      done();
    },
    handler: (request, reply) => {
      validation.query(request.query);
      const body = validation.body(request.body, (pointers) => {
        parts.warnings.unknownMembers(request.actor?.id ?? 'anonymous', id, pointers);
      });
      const wants = wantedType(request.headers.accept, offered, operation.answer.type);
      const answer = handler(new RequestCall<I>({ mesh: parts.mesh, id, request, reply, body, wants }));
      // Most reads are answered from memory in the same breath: no promise, no further turn of the event loop.
      if (answer instanceof Promise) return answer.then((late) => send(request, reply, late), refused(request));
      return send(request, reply, answer);
    },
  });
}
