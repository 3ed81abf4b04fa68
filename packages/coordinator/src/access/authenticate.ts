import {
  type ErrorCode,
  isWholeMesh,
  MeshError,
  type Operation,
  type Permission,
  type TokenId,
} from '@meshwork/contract';
import type { TokenDocument } from '../kinds/tokens.ts';
import { type Actor, ANONYMOUS, type TokenActor } from '../mesh/actor.ts';
import type { Stored, View } from '../mesh/model.ts';
import { heldPermissions } from './held-permissions.ts';
import { isSecret, tokenIdIn } from './token-secret.ts';
import { goodUntil, tokenState, works } from './token-state.ts';

/** A refusal, with whom to attribute it to: a genuine token that no longer works is still known by name. */
export class Refused extends MeshError {
  readonly actor: Actor;

  constructor(actor: Actor, code: ErrorCode, detail: string) {
    super(code, detail);
    this.actor = actor;
  }
}

/** Finds out who sends a request, from its Authorization header. Throws `Refused` when no token matches. */
export function authenticate(view: View, authorization: string | undefined, now_ms: number): TokenActor {
  if (authorization === undefined) {
    throw new Refused(ANONYMOUS, 'credentials_missing', 'Send a token as "Authorization: Bearer mesh_…".');
  }
  const text = bearerOf(authorization);
  const token = view.get('token', tokenIdIn(text));
  if (token === undefined || !isSecret(text, digestOf(token.body))) {
    // One answer for a malformed token, an unknown one and a wrong secret: it does not reveal which ids exist.
    throw new Refused(ANONYMOUS, 'credentials_invalid', 'The Authorization header holds no token that is known here.');
  }
  return workingActor(view, token, now_ms);
}

/** The scheme may be written in any case (RFC 9110), and no other scheme is ours. */
export function bearerOf(authorization: string): string {
  const scheme = authorization.slice(0, BEARER.length);
  return scheme === BEARER || scheme.toLowerCase() === 'bearer ' ? authorization.slice(BEARER.length).trim() : '';
}

const BEARER = 'Bearer ';
const digests = new WeakMap<TokenDocument, Buffer>();

function digestOf(token: TokenDocument): Buffer {
  let digest = digests.get(token);
  if (digest === undefined) {
    digest = Buffer.from(token.secret_sha256, 'latin1');
    digests.set(token, digest);
  }
  return digest;
}

/** Looks the same caller up once more, inside a transaction: it may have been revoked or weakened meanwhile. */
export function reauthenticate(view: View, id: TokenId, now_ms: number): TokenActor {
  const token = view.get('token', id);
  if (token === undefined) throw new Refused(ANONYMOUS, 'credentials_invalid', `The token ${id} is gone.`);
  return workingActor(view, token, now_ms);
}

/** Whether the caller could use the operation: for answers that combine several resources. */
export function isPermitted(actor: TokenActor, { permission, reach }: Operation): boolean {
  return (permission === null || actor.permissions.has(permission)) && (reach !== 'mesh' || isWholeMesh(actor.scope));
}

/** Throws `Refused` unless the caller may use the operation at all. */
export function ensurePermitted(actor: TokenActor, operation: Operation): void {
  const { permission } = operation;
  if (permission !== null && !actor.permissions.has(permission)) {
    throw new Refused(
      actor,
      'permission_denied',
      `This needs ${permission}, which the role ${actor.role} does not have.`,
    );
  }
  if (operation.reach === 'mesh' && !isWholeMesh(actor.scope)) {
    throw new Refused(
      actor,
      'mesh_scope_required',
      'This concerns the whole mesh, and needs a token whose team, surface and environment are all "*".',
    );
  }
}

function workingActor(view: View, token: Stored<'token'>, now_ms: number): TokenActor {
  const actor = actorOf(view, token, now_ms);
  switch (actor.state) {
    case 'active':
    case 'retiring':
      return actor;
    case 'revoked':
      throw new Refused(actor, 'token_revoked', `The token "${actor.name}" was revoked at ${token.body.revoked_at}.`);
    case 'expired':
      throw expiredRefusal(actor, token.body);
  }
}

function expiredRefusal(actor: TokenActor, token: TokenDocument): Refused {
  if (token.retires_at !== null && token.retires_at < token.expires) {
    return new Refused(
      actor,
      'token_retired',
      `The token "${actor.name}" was rotated, and its secret was good until ${token.retires_at}. Use that of ${token.rotated_to}.`,
    );
  }
  return new Refused(actor, 'token_expired', `The token "${actor.name}" expired at ${token.expires}.`);
}

interface Known {
  readonly permissions: ReadonlySet<Permission>;
  readonly until_ms: number;
  readonly actor: TokenActor;
}
/** A token's actor is the same until the token itself or what it may do changes, or its time is over. */
const known = new WeakMap<TokenDocument, Known>();

function actorOf(view: View, token: Stored<'token'>, now_ms: number): TokenActor {
  const permissions = heldPermissions(view, token, now_ms);
  const before = known.get(token.body);
  if (before !== undefined && before.permissions === permissions && now_ms < before.until_ms) return before.actor;
  const { name, scope, role, expires, on_behalf_of = null, address = null } = token.body;
  const state = tokenState(token.body, now_ms);
  const id = token.id as TokenId;
  const rights = { scope, role, permissions };
  const actor: TokenActor = { kind: 'token', id, name, ...rights, state, expires, on_behalf_of, address };
  // One that no longer works is not kept: a clock that jumps back makes it good again.
  if (works(state)) known.set(token.body, { permissions, until_ms: goodUntil(token.body), actor });
  return actor;
}
