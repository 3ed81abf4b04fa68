import {
  isPermission,
  isWholeMesh,
  MeshError,
  type PanelAccess,
  type PanelOperation,
  type Permission,
  tokenPermissionOf,
  UNATTENDED_HEADER,
  type UserId,
} from '@meshwork/contract';
import { addressPrefixOf, type RateLimit } from '@meshwork/service';
import type { FastifyRequest } from 'fastify';
import type { PanelParts } from '../areas/parts.ts';
import type { Person } from '../callers/caller.ts';
import { type Caller, roleOf } from '../callers/caller.ts';
import type { TokenCallers } from '../coordinator/token-callers.ts';
import type { LastSeen } from '../sessions/last-seen.ts';
import { confirmedUntil, type FoundSession } from '../sessions/sessions.ts';
import { readCookies, sessionCookieName } from './cookies.ts';
import { ensureFromOurPages, isWrite } from './same-site.ts';

/** Requests of one address without a session (docs/decisions/0028). */
export const STRANGERS = { rate_per_s: 20, burst: 100 };
/** Attempts of one address to sign in, whatever comes of them. */
const SIGN_INS = { rate_per_s: 1, burst: 30 };
/** Requests of one person in all their browsers: a dashboard in several tabs does not come near. */
const PEOPLE = { rate_per_s: 100, burst: 1000 };

type GateParts = Pick<PanelParts, 'ledger' | 'sessions' | 'access' | 'site'> & {
  readonly limit: RateLimit;
  readonly seen: LastSeen;
  readonly tokens: TokenCallers;
};

/** What a request needs, as its row says. */
type Needs = Pick<PanelOperation, 'access' | 'token' | 'reach' | 'confirmed'> & {
  /** Sent by a page without its person, so it does not keep the session from ending as idle. */
  readonly by_itself?: boolean;
};

/** Authenticates and authorises a request before its body is read, and puts the person or the token on the request. */
export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** For operations that need a session. */
  async enter(
    request: FastifyRequest,
    needs: Needs & { readonly access: Exclude<PanelAccess, 'anyone'> },
  ): Promise<Person> {
    const person = await this.admit(request, needs);
    if (person === null)
      throw new Error(`the gate admitted a request without a person where ${needs.access} is needed`);
    return person;
  }

  /** Null: the operation needs no session and the request has none, or it came with a scoped token. */
  async admit(request: FastifyRequest, needs: Needs): Promise<Person | null> {
    const { access, confirmed, by_itself } = needs;
    const { site, limit, seen, ledger } = this.#parts;
    if (isWrite(request)) ensureFromOurPages(site, request);
    ledger.ensureUpToDate();
    const prefix = addressPrefixOf(request.ip);
    if (access === 'halfway' || (access === 'anyone' && isWrite(request))) limit.take(`sign-in ${prefix}`, SIGN_INS);
    const found = this.#recognise(request);
    const person = found === undefined ? null : personOf(found);
    request.panel.person = person; // before any refusal, so that the trail names the person
    limit.take(person === null ? `address ${prefix}` : person.id, person === null ? STRANGERS : PEOPLE);
    if (found !== undefined && isWrite(request)) this.#ensureNotForged(request, found);
    if (access === 'anyone') return person;
    if (await this.#admitToken(request, needs)) return null;
    if (found === undefined || person === null || found.session.body.state !== stateFor(access)) throw signInRequired();
    if (by_itself === true && found.outdated) throw comeBackAnew();
    if (by_itself !== true && request.headers[UNATTENDED_HEADER] === undefined) seen.note(found, request.ip);
    const permitted = isPermission(access) ? await this.#permitted(person, access) : person;
    request.panel.person = permitted;
    ensureReach(permitted, needs);
    if (confirmed === true) ensureConfirmed(permitted, ledger.clock.now());
    return permitted;
  }

  /**
   * Where the operation accepts scoped tokens, a token takes precedence over a session, which only adds the check against forged
   * requests, passed by now. Step-up applies to people alone.
   */
  async #admitToken(request: FastifyRequest, needs: Needs): Promise<boolean> {
    const permission = tokenPermissionOf(needs);
    const token = permission === undefined ? undefined : await this.#parts.tokens.recognise(request);
    if (permission === undefined || token === undefined) return false;
    request.panel.person = null;
    request.panel.token = token; // before any refusal, so that the trail names it
    ensurePermission(token, permission);
    ensureReach(token, needs);
    return true;
  }

  #recognise(request: FastifyRequest): FoundSession | undefined {
    const { site, sessions, ledger } = this.#parts;
    const cookie = readCookies(request.headers.cookie)[sessionCookieName(site)];
    return cookie === undefined ? undefined : sessions.byCookie(cookie, ledger.clock.now());
  }

  #ensureNotForged({ headers }: FastifyRequest, { session, outdated }: FoundSession): void {
    const { 'x-csrf-token': token } = headers;
    if (!outdated && typeof token === 'string' && this.#parts.sessions.isCsrfToken(session, token)) return;
    throw new MeshError('csrf_failed', 'Send the csrf_token of GET /api/v1/auth/session in the X-CSRF-Token header.');
  }

  async #permitted(person: Person, permission: Permission): Promise<Person> {
    const permitted = { ...person, permissions: await this.#parts.access.permissionsOf(person) };
    ensurePermission(permitted, permission);
    return permitted;
  }
}

function personOf({ user, session }: FoundSession): Person {
  return { id: user.id as UserId, user, session, permissions: new Set(), scope: user.body.scope };
}

function stateFor(access: PanelAccess): 'halfway' | 'open' {
  return access === 'halfway' ? 'halfway' : 'open';
}

function ensurePermission(caller: Caller, permission: Permission): void {
  if (caller.permissions.has(permission)) return;
  throw new MeshError('permission_denied', `The role ${roleOf(caller)} lacks ${permission}.`);
}

function ensureReach({ scope }: Caller, { reach }: Needs): void {
  if (reach !== 'mesh' || isWholeMesh(scope)) return;
  throw new MeshError('mesh_scope_required', 'This is for callers whose scope is the whole mesh.');
}

function ensureConfirmed({ session }: Person, now_ms: number): void {
  if (confirmedUntil(session, now_ms) !== null) return;
  throw new MeshError('confirmation_required', 'Confirm your identity first: the last confirmation is too long ago.');
}

/** Streams last, and an outdated cookie is valid only for reads that were on their way. */
function comeBackAnew(): MeshError {
  return new MeshError('rate_limited', 'The session cookie has just changed. Try again with the new one.', {
    retry_after_s: 1,
  });
}

function signInRequired(): MeshError {
  return new MeshError('sign_in_required', 'You are not signed in, or your session has ended.');
}
