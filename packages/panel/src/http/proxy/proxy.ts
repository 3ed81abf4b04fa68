/**
 * The coordinator's API for people with a session: `/api/v1/coordinator/nodes` is `/v1/nodes` there. The routes are derived from the
 * coordinator's table of operations. The coordinator checks permissions; the panel checks the session, and that the person
 * confirmed their identity where the table requires it.
 */
import { Readable } from 'node:stream';
import type { Operation } from '@meshwork/contract';
import { bodyLimitOf, ensureNoBody } from '@meshwork/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isBrokenConnection } from '../../coordinator/broken-connection.ts';
import type { OpenAnswer, OpenAnswers } from '../../coordinator/open-answers.ts';
import { PROXIED, type Proxied } from '../../coordinator/proxied-operations.ts';
import { unavailable } from '../../coordinator/unavailable.ts';
import { waits } from '../../coordinator/upstream.ts';
import type { Gate } from '../gate.ts';
import { type Answer, type AskParts, askCoordinator } from './ask-coordinator.ts';
import { answeredHeaders } from './passed-headers.ts';

interface ProxyParts extends AskParts {
  readonly gate: Pick<Gate, 'enter'>;
  readonly open: OpenAnswers;
}

export function proxyRoutes(server: FastifyInstance, parts: ProxyParts): void {
  void server.register((scope, _options, done) => {
    // Bodies are forwarded unread: the coordinator parses them.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, taken) => taken(null, body));
    for (const proxied of PROXIED) addRoute(scope, parts, proxied);
    done();
  });
}

function addRoute(server: FastifyInstance, parts: ProxyParts, proxied: Proxied): void {
  const { id, operation, path } = proxied;
  server.route({
    method: operation.method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: bodyLimitOf(operation),
    onRequest: async (request) => {
      request.panel.operation = `coordinator.${id}`;
      const { confirmed, answer } = operation;
      const fresh = confirmed === true ? { confirmed } : {};
      await parts.gate.enter(request, { access: 'signed_in', by_itself: isEvents(answer.type), ...fresh });
      ensureNoBody(operation, request.headers);
    },
    handler: (request, reply) => passOn(parts, proxied, request, reply),
  });
}

async function passOn(parts: ProxyParts, proxied: Proxied, request: FastifyRequest, reply: FastifyReply) {
  const { person } = request.panel;
  if (person === null) throw new Error('the gate admitted a request without a person');
  const open = parts.open.begin(person.session, { patient: isPatient(proxied.operation) });
  let hungUp = false;
  reply.raw.once('close', () => {
    hungUp = !reply.raw.writableFinished;
    open.done();
  });
  try {
    const answer = await askCoordinator(parts, { proxied, request, person, open });
    const headers = await soundHeaders(proxied.operation, answer);
    const body = isEvents(headers['content-type']) ? Readable.from(untilItEnds(answer, open)) : answer.body;
    reply.code(answer.statusCode).headers(headers);
    return await reply.send(hasBody(answer) ? body : undefined);
  } catch (error) {
    if (!hungUp) throw error;
    reply.hijack(); // the client is gone
    return reply;
  }
}

/** Ends a stream of events normally, whatever the reason: the browser reconnects with the last id it has seen. */
async function* untilItEnds({ body }: Answer, { stopped }: OpenAnswer): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    if (!stopped.aborted && !isBrokenConnection(error)) throw error;
  }
}

/** Headers that no coordinator sends come from something else. They are not forwarded in the panel's name. */
async function soundHeaders(operation: Operation, answer: Answer): Promise<Record<string, string>> {
  const headers = answeredHeaders(answer.headers);
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400;
  if (!isRedirect && (type === undefined ? !hasBody(answer) : typesOf(operation).has(type))) return headers;
  await answer.body.dump();
  throw unavailable(isRedirect ? 'it answers with a redirect' : 'something else answers at its address');
}

function typesOf({ answer }: Operation): ReadonlySet<string> {
  const others = answer.also?.map(({ type }) => type) ?? [];
  return new Set([answer.type ?? 'application/json', 'application/json', 'application/problem+json', ...others]);
}

function isEvents(type: string | undefined): boolean {
  return type?.startsWith('text/event-stream') === true;
}

/** Answers when something happens, and not before. */
function isPatient({ answer, query }: Operation): boolean {
  return isEvents(answer.type) || waits(query);
}

function hasBody({ statusCode, headers }: Answer): boolean {
  return statusCode !== 204 && headers['content-length'] !== '0';
}
