import { type AuditTarget, ERRORS, ID_PREFIXES, type IdPrefix, isId, type MeshError } from '@meshwork/contract';
import { asMeshError, endsUnread, type Log, type Metrics, problemHeaders, problemOf } from '@meshwork/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SignInFailed } from '../areas/sign-in/sign-in-failed.ts';
import { actorOf } from '../callers/caller.ts';
import type { Refusals } from '../ledger/refusals.ts';
import { ANONYMOUS, type Cause } from '../ledger/transaction.ts';

interface ErrorParts {
  readonly refusals: Refusals;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The one place where an error becomes an answer, and a refusal an entry of the trail. */
export async function answerError(
  parts: ErrorParts,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { known, bug } = asMeshError(error);
  const { operation } = request.panel;
  if (bug) parts.log.error({ err: error, request_id: request.id, operation: operation ?? null }, 'bug');
  const code = known.refused_as ?? (ERRORS[known.code].refusal ? known.code : undefined);
  if (code !== undefined && operation !== undefined) {
    parts.metrics.refusal(code);
    const written = parts.refusals.record({
      cause: causeOf(request, operation),
      code,
      target: targetOf(known, request),
    });
    // Waiting for the disk would tell by the clock whether there is such a person.
    if (code !== 'sign_in_failed' && code !== 'outside_scope') await written;
  }
  sendProblem(known, reply);
}

export function sendProblem(error: MeshError, reply: FastifyReply): void {
  const headers = problemHeaders(error);
  for (let index = 0; index < headers.length; index += 2) {
    // A browser would open its own password prompt, and the panel has no such passwords.
    if (headers[index] !== 'www-authenticate') reply.header(headers[index] as string, headers[index + 1]);
  }
  if (endsUnread(reply.raw) || error.code === 'body_too_large' || error.code === 'shutting_down') {
    reply.header('connection', 'close');
  }
  // As bytes, so that the framework leaves the media type as it is.
  reply.code(ERRORS[error.code].status).send(Buffer.from(JSON.stringify(problemOf(error, reply.request.id))));
}

export function causeOf(request: FastifyRequest, action: Cause['action']): Cause {
  const { person, token } = request.panel;
  const caller = token ?? person;
  const actor = caller === null ? ANONYMOUS : actorOf(caller);
  return { actor, action, request_id: request.id, address: request.ip };
}

/** The target of the refusal: the account that was tried, else what the path names. */
function targetOf(error: MeshError, request: FastifyRequest): AuditTarget | null {
  if (error instanceof SignInFailed) return error.user === null ? null : { kind: 'user', id: error.user };
  // The path of an anonymous caller is not recorded: it proves nothing, and each would be an entry of its own.
  if (request.panel.person === null && request.panel.token === null) return null;
  const { id } = (request.params ?? {}) as Readonly<Record<string, string>>;
  // A refused caller chose what stands in the path, perhaps a secret by mistake: only what is an id is repeated.
  const prefix = PREFIXES.find((one) => id !== undefined && isId(one, id));
  return prefix === undefined || id === undefined ? null : { kind: prefix, id };
}

const PREFIXES = Object.keys(ID_PREFIXES) as readonly IdPrefix[];
