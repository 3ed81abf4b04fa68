import { MeshError } from '@meshwork/contract';
import type { FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import type { Person } from '../../callers/caller.ts';
import { codeOf, isBrokenConnection } from '../../coordinator/broken-connection.ts';
import type { Delegation } from '../../coordinator/delegation.ts';
import type { OpenAnswer } from '../../coordinator/open-answers.ts';
import type { PersonTokens } from '../../coordinator/person-tokens.ts';
import type { Proxied } from '../../coordinator/proxied-operations.ts';
import type { Reachability } from '../../coordinator/reachability.ts';
import { unavailable } from '../../coordinator/unavailable.ts';
import type { Upstream } from '../../coordinator/upstream.ts';
import { askedPath } from './asked-path.ts';
import { askedHeaders } from './passed-headers.ts';

export interface AskParts {
  readonly upstream: Upstream;
  readonly tokens: PersonTokens;
  readonly reachability: Reachability;
}

interface Asking {
  readonly proxied: Proxied;
  readonly request: FastifyRequest;
  readonly person: Person;
  readonly open: OpenAnswer;
}

export type Answer = Dispatcher.ResponseData;

/**
 * Sends the request with the person's delegation. The coordinator checks the token first, so a request whose token it refuses had no
 * effect, and is sent again with another.
 */
export async function askCoordinator(parts: AskParts, asking: Asking): Promise<Answer> {
  const { session } = asking.person;
  const delegation = await parts.tokens.delegationOf(session, asking.request.ip);
  const answer = await send(parts, asking, delegation);
  if (answer.statusCode !== 401) return answer;
  await answer.body.dump();
  parts.tokens.refused(session, delegation);
  const again = await send(parts, asking, await parts.tokens.delegationOf(session, asking.request.ip));
  if (again.statusCode !== 401) return again;
  await again.body.dump();
  throw unavailable('it refuses the token of the person');
}

async function send(parts: AskParts, asking: Asking, delegation: Delegation): Promise<Answer> {
  const { request, proxied, open } = asking;
  open.speaksWith(delegation);
  const sent = {
    method: request.method as Dispatcher.HttpMethod,
    path: askedPath(proxied.operation, request.params as Record<string, string>, request.url),
    headers: askedHeaders(request.headers, delegation.secret),
    body: bodyOf(request),
    signal: open.stopped,
  };
  const once = () => parts.upstream.send(sent, proxied);
  try {
    const answer = await once().catch((error: unknown) => {
      // A connection that was kept open may just have been closed at the other end: a fresh one tells.
      if (isRead(request) && isBrokenConnection(error)) return once();
      throw error;
    });
    parts.reachability.answered();
    return answer;
  } catch (error) {
    throw open.stopped.aborted ? open.stopped.reason : failure(parts, request, error);
  }
}

function bodyOf({ body }: FastifyRequest): Buffer | undefined {
  return Buffer.isBuffer(body) && body.length > 0 ? body : undefined;
}

/** A request that was not sent had no effect. The effect of any other is unknown, unless it only reads. */
function failure({ reachability }: AskParts, request: FastifyRequest, error: unknown): MeshError {
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG') {
    return new MeshError('malformed_request', 'The path or a header has characters that cannot be forwarded.');
  }
  const trouble = TROUBLES[code] ?? 'the connection broke';
  reachability.failed(trouble);
  if (isRead(request) || NEVER_SENT.has(code)) return unavailable(trouble, { cause: error });
  const detail = `The coordinator did not answer: ${trouble}. Check whether the change took effect.`;
  return new MeshError('outcome_unknown', detail, { cause: error });
}

const NEVER_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const TROUBLES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
};

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
