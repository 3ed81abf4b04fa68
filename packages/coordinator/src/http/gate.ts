import { ERRORS, type Operation, type OperationId } from '@meshwork/contract';
import { addressPrefixOf, ensureNoBody, type RateLimit } from '@meshwork/service';
import { authenticate, ensurePermitted, Refused } from '../access/authenticate.ts';
import type { NodeSessions } from '../access/node-session.ts';
import type { NodeActor, TokenActor } from '../mesh/actor.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { settingsOf } from '../mesh/settings-of.ts';
import type { Incoming } from './exchange.ts';

/** Attempts without valid credentials that one address may make (docs/decisions/0009). */
export const STRANGERS = { rate_per_s: 20, burst: 100 };
/** Heartbeats that one node may send: many at once when much changes, few for long (docs/decisions/0014). */
const HEARTBEATS = { rate_per_s: 10, burst: 100 };

/** Large documents that one address may fetch without credentials; clients cache them. */
const DOCUMENTS = { rate_per_s: 5, burst: 30 };

interface Parts {
  readonly mesh: Mesh;
  readonly limit: RateLimit;
  readonly sessions: NodeSessions;
}

/** Authenticates and authorises the caller before a single byte of the body is read, and puts it on the request. */
export function passGate(parts: Parts, operation: Operation, request: Incoming): void {
  if (operation.caller === 'node') admitNode(parts, request);
  else if (operation.permission !== null) admit(parts, operation, request);
  else if (isDocument(request.operation)) parts.limit.take(`documents ${addressPrefixOf(request.ip)}`, DOCUMENTS);
  ensureNoBody(operation, request.headers);
}

function isDocument(id: OperationId | undefined): boolean {
  return id === 'meta.openapi' || id === 'meta.docs';
}

function admitNode(parts: Parts, request: Incoming): void {
  const { mesh, limit, sessions } = parts;
  mesh.ensureUpToDate();
  const { authorization } = request;
  const actor = recognise(parts, request, () => sessions.authenticate(mesh.model, authorization, mesh.clock.now()));
  request.actor = actor;
  limit.take(actor.id, HEARTBEATS);
}

function admit(parts: Parts, operation: Operation, request: Incoming): void {
  const { mesh, limit } = parts;
  mesh.ensureUpToDate();
  const now_ms = mesh.clock.now();
  const actor = recognise(parts, request, () => authenticate(mesh.model, request.authorization, now_ms));
  request.actor = actor; // before it may be refused: the log names who was
  limit.take(actor.id, settingsOf(mesh.model).api);
  // Tokens of people come and go by the hundred, and what is noted of a token is noted for good.
  if (actor.on_behalf_of === null) mesh.presence.saw(actor.id, now_ms);
  ensurePermitted(actor, operation);
}

function recognise<A extends TokenActor | NodeActor>(
  { limit }: Pick<Parts, 'limit'>,
  request: Incoming,
  authenticated: () => A,
): A {
  try {
    return authenticated();
  } catch (error) {
    slowDown(limit, error, request);
    throw error;
  }
}

/** Guessing is slowed down by address; a genuine credential that no longer works is slowed down by its own name. */
export function slowDown(limit: RateLimit, error: unknown, request: Incoming): void {
  if (!(error instanceof Refused) || ERRORS[error.code].status !== 401) return;
  const { actor } = error;
  const isKnown = actor.kind === 'token' || actor.kind === 'node';
  limit.take(isKnown ? `refused ${actor.id}` : `address ${addressPrefixOf(request.ip)}`, STRANGERS);
}
