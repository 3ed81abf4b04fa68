import { ERRORS, MeshError, type Operation } from '@meshwork/contract';
import type { FastifyRequest } from 'fastify';
import { authenticate, ensurePermitted, Refused } from '../access/authenticate.ts';
import type { TokenActor } from '../mesh/actor.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { settingsOf } from '../mesh/settings-of.ts';
import { householdOf, type RateLimit } from './rate-limit.ts';

/** Attempts without valid credentials that one address may make (docs/decisions/0009). */
export const STRANGERS = { rate_per_s: 20, burst: 100 };

interface Parts {
  readonly mesh: Mesh;
  readonly limit: RateLimit;
}

/** Decides who comes in, before a single byte of the body is read, and puts the caller's name on the request. */
export function passGate(parts: Parts, operation: Operation, request: FastifyRequest): void {
  if (operation.permission !== null) admit(parts, operation, request);
  ensureNoBody(operation, request);
}

function admit(parts: Parts, operation: Operation, request: FastifyRequest): void {
  const { mesh, limit } = parts;
  if (!mesh.upToDate) {
    throw new MeshError('store_unavailable', 'The store has been silent for too long to tell who may come in.', {
      retry_after_s: 2,
    });
  }
  const now_ms = mesh.clock.now();
  const actor = recognise(parts, request, now_ms);
  request.actor = actor; // before it may be refused: the log names who was
  limit.take(actor.id, settingsOf(mesh.model).api);
  mesh.presence.saw(actor.id, now_ms);
  ensurePermitted(actor, operation);
}

function recognise({ mesh, limit }: Parts, request: FastifyRequest, now_ms: number): TokenActor {
  try {
    return authenticate(mesh.model, request.headers.authorization, now_ms);
  } catch (error) {
    // Guessing is slowed down by address; a genuine token that no longer works is slowed down by its own name.
    if (error instanceof Refused && ERRORS[error.code].status === 401) {
      limit.take(error.actor.kind === 'token' ? error.actor.id : `address ${householdOf(request.ip)}`, STRANGERS);
    }
    throw error;
  }
}

function ensureNoBody(operation: Operation, request: FastifyRequest): void {
  if (operation.body !== undefined) return;
  const length = request.headers['content-length'];
  if ((length === undefined || length === '0') && request.headers['transfer-encoding'] === undefined) return;
  throw new MeshError('unexpected_body', `${operation.method} ${operation.path} takes no body.`);
}
