import {
  type AuditTarget,
  areaOf,
  ERRORS,
  ID_PREFIXES,
  type IdPrefix,
  isId,
  type MeshError,
  NODE_NAME_PATTERN,
  ROLE_NAME_PATTERN,
} from '@meshwork/contract';
import { asMeshError, endsUnread, type Log, type Metrics, problemHeaders, problemOf } from '@meshwork/service';
import type { FastifyInstance } from 'fastify';
import { Refused } from '../access/authenticate.ts';
import { ANONYMOUS } from '../mesh/actor.ts';
import type { Incoming, Outgoing } from './exchange.ts';
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

export type AnswerError = (error: unknown, request: Incoming, reply: Outgoing) => Promise<void>;

/** The one place where an error becomes an answer, and a refusal an audit entry. */
export function errorAnswerer(parts: Parts): AnswerError {
  return async (error, request, reply) => {
    const { known, bug } = asMeshError(error);
    if (bug) parts.log.error({ err: error, request_id: request.id, operation: request.operation ?? null }, 'bug');
    await writeDown(parts, known, request);
    sendProblem(parts, known, reply);
  };
}

export function answerErrors(server: FastifyInstance, answerError: AnswerError): void {
  server.setErrorHandler(async (error, request, reply) => {
    await answerError(error, request, reply);
    return reply;
  });
}

export function sendProblem({ watch }: Pick<Parts, 'watch'>, error: MeshError, reply: Outgoing): void {
  const { status } = ERRORS[error.code];
  const headers = problemHeaders(error);
  if (endsUnread(reply.raw) || error.code === 'body_too_large' || error.code === 'shutting_down') {
    headers.push('connection', 'close');
  }
  writeAnswer(reply, status, headers, JSON.stringify(problemOf(error, reply.request.id)));
  watch.answered(reply.request, status);
}

async function writeDown({ refusals, metrics }: Parts, error: MeshError, request: Incoming): Promise<void> {
  const code = error.refused_as ?? (ERRORS[error.code].refusal ? error.code : undefined);
  if (code === undefined || request.operation === undefined) return;
  metrics.refusal(code);
  const actor = error instanceof Refused ? error.actor : (request.actor ?? ANONYMOUS);
  const cause = causeOf(request, request.operation, actor);
  const written = refusals.record({ cause, code, target: targetOf(request), detail: error.message });
  // Waiting for the disk would tell the caller by the clock what the answer keeps from it.
  if (code !== 'outside_scope') await written;
}

/** What the request named in its path, if anything. */
function targetOf(request: Incoming): AuditTarget | null {
  const params = request.params as Readonly<Record<string, string>>;
  const id = params.id ?? params.name ?? params.a;
  if (id === undefined || request.operation === undefined) return null;
  // A refused caller chose what stands in the path, perhaps a secret by mistake: only what is an id is repeated.
  const isOurs = PREFIXES.some((prefix) => isId(prefix, id)) || NAMES.some((name) => name.test(id));
  return { kind: areaOf(request.operation), id: isOurs ? id : '?' };
}

const PREFIXES = Object.keys(ID_PREFIXES) as readonly IdPrefix[];
const NAMES = [new RegExp(ROLE_NAME_PATTERN), new RegExp(NODE_NAME_PATTERN)];
