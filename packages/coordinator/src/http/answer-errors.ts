import { type AuditTarget, ERRORS, MeshError, OPERATION_IDS, OPERATIONS } from '@meshwork/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../access/authenticate.ts';
import { ANONYMOUS } from '../mesh/actor.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { asMeshError, problemHeaders, problemOf } from './problems.ts';
import type { Refusals } from './refusals.ts';
import { causeOf } from './request-call.ts';
import type { RequestWatch } from './request-watch.ts';
import { writeAnswer } from './write-answer.ts';

interface Parts {
  readonly refusals: Refusals;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly watch: RequestWatch;
}

/** The one place where an error becomes an answer, and a refusal an audit entry. */
export function answerErrors(server: FastifyInstance, parts: Parts): void {
  server.setErrorHandler(async (error, request, reply) => {
    const { known, bug } = asMeshError(error);
    if (bug) parts.log.error({ err: error, request_id: request.id, operation: request.operation ?? null }, 'bug');
    await writeDown(parts, known, request);
    return sendProblem(parts, known, reply);
  });
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = methodsOf(path).join(', ');
    const error =
      allowed === ''
        ? new MeshError('route_not_found', `Nothing is at ${path}. /docs lists what is there.`)
        : new MeshError('method_not_allowed', `${path} takes ${allowed}, not ${request.method}.`);
    return sendProblem(parts, error, reply, allowed === '' ? [] : ['allow', allowed]);
  });
}

function sendProblem(
  { watch }: Parts,
  error: MeshError,
  reply: FastifyReply,
  more: readonly string[] = [],
): FastifyReply {
  const { status } = ERRORS[error.code];
  const headers = [...problemHeaders(error), ...more];
  // A body that was refused unread is not worth reading to its end: the connection goes instead.
  if (error.code === 'body_too_large' || error.code === 'shutting_down') headers.push('connection', 'close');
  writeAnswer(reply, status, headers, JSON.stringify(problemOf(error, reply.request.id)));
  watch(reply.request, status);
  return reply;
}

async function writeDown({ refusals, metrics }: Parts, error: MeshError, request: FastifyRequest): Promise<void> {
  const code = error.refused_as ?? (ERRORS[error.code].refusal ? error.code : undefined);
  if (code === undefined || request.operation === undefined) return;
  metrics.refusal(code);
  const actor = error instanceof Refused ? error.actor : (request.actor ?? ANONYMOUS);
  const cause = causeOf(request, request.operation, actor);
  await refusals.record({ cause, code, target: targetOf(request), detail: error.message });
}

/** What the request named in its path, if anything. */
function targetOf(request: FastifyRequest): AuditTarget | null {
  const params = request.params as Readonly<Record<string, string>>;
  const id = params.id ?? params.name;
  if (id === undefined || request.operation === undefined) return null;
  // Anything may stand in a path, and a refused caller chose it: only what can be an id of ours is repeated as one.
  return { kind: request.operation.slice(0, request.operation.indexOf('.')), id: /^[\w-]+$/.test(id) ? id : '?' };
}

const PATHS = OPERATION_IDS.map((id) => ({
  method: OPERATIONS[id].method,
  pattern: new RegExp(`^${OPERATIONS[id].path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

function methodsOf(path: string): string[] {
  return PATHS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}
