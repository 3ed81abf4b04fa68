/**
 * Sessions: what a browser's cookie stands for. The cookie holds the id and a secret, the ledger only the secret's hash.
 * Everything that changes one runs inside a transaction of its caller, so that it comes together with its cause.
 */
import { createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';
import { isId, MeshError, newId, type Session, type UserId, utc } from '@meshwork/contract';
import { isSameSecret, type MasterKey } from '@meshwork/service';
import type { SessionDocument, Stored } from '../ledger/documents.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Transaction } from '../ledger/transaction.ts';
import { endEntries } from './end-entries.ts';
import type { SignedInAs } from './person-access.ts';
import { CONFIRMED_MS, HALFWAY_MS, IDLE_MS, MAX_SESSIONS, PREVIOUS_MS, SESSION_MS } from './session-limits.ts';

/** A session, and what the browser has to keep from now on: it goes into `session_secret` of the reply. */
export interface OpenedSession {
  readonly session: Stored<'session'>;
  readonly secret: string;
}

interface NewSession {
  readonly user: UserId;
  readonly state: SessionDocument['state'];
  readonly method: Session['method'];
  /** False: the person has not just proven their identity. Sensitive operations need a confirmation first. */
  readonly proven: boolean;
  readonly address: string;
  readonly user_agent: string;
}

export interface FoundSession extends SignedInAs {
  /** The cookie is the one before the last change of its secret: good for reading what was on its way, and nothing else. */
  readonly outdated: boolean;
}

const MAX_USER_AGENT = 256;

export class Sessions {
  readonly #ledger: Ledger;
  readonly #csrfKey: Buffer;

  constructor(ledger: Ledger, key: MasterKey) {
    this.#ledger = ledger;
    this.#csrfKey = Buffer.from(hkdfSync('sha256', key, '', 'meshwork panel csrf', 32));
  }

  open(tx: Transaction, given: NewSession): OpenedSession {
    const id = newId('session', tx.now_ms);
    const secret = randomBytes(32).toString('base64url');
    const now = utc(tx.now_ms);
    this.#makeRoom(tx, given);
    const session = tx.put('session', id, {
      user: given.user,
      secret_sha256: sha256(secret),
      previous: null,
      state: given.state,
      method: given.method,
      created_at: now,
      expires: utc(tx.now_ms + (given.state === 'open' ? SESSION_MS : HALFWAY_MS)),
      last_seen_at: now,
      proven_at: given.proven ? now : utc(0),
      address: given.address,
      user_agent: given.user_agent.slice(0, MAX_USER_AGENT),
      token: null,
      totp_draft: null,
      challenge: null,
    });
    return { session, secret: `${id}.${secret}` };
  }

  /** The session and the person of a cookie. Undefined: the cookie is invalid or its session ended. */
  byCookie(cookie: string, now_ms: number): FoundSession | undefined {
    const [id = '', secret = ''] = cookie.split('.');
    const session = isId('session', id) ? this.#ledger.get('session', id) : undefined;
    if (session === undefined) return undefined;
    const given = sha256(secret);
    const isCurrent = isSameSecret(given, session.body.secret_sha256);
    const { previous } = session.body;
    const isPrevious =
      previous !== null && now_ms < Date.parse(previous.until) && isSameSecret(given, previous.secret_sha256);
    if (!isCurrent && !isPrevious) return undefined;
    const user = this.userOf(session, now_ms);
    return user === undefined ? undefined : { user, session, outdated: !isCurrent };
  }

  /** The person of a session that is still valid, for callers that keep a session longer than a request, such as a stream. */
  userOf(session: Stored<'session'>, now_ms: number): Stored<'user'> | undefined {
    const current = this.#ledger.get('session', session.id);
    if (current === undefined || !isAlive(current.body, now_ms)) return undefined;
    const user = this.#ledger.get('user', current.body.user);
    return user?.body.state === 'active' ? user : undefined;
  }

  /** Step-up: the person confirmed their identity. Valid for ten minutes, under a new secret. */
  prove(tx: Transaction, session: Stored<'session'>): OpenedSession {
    return this.#renew(tx, session, { proven_at: utc(tx.now_ms) });
  }

  /** A new secret, for when what the person may do, or how they sign in, has changed. */
  renew(tx: Transaction, session: Stored<'session'>): OpenedSession {
    return this.#renew(tx, session, {});
  }

  end(tx: Transaction, session: Pick<Stored<'session'>, 'id'>): void {
    tx.delete('session', session.id);
  }

  /** Ends all of a person, or all but one, and those at ingresses. Returns how many. */
  endAll(tx: Transaction, user: UserId, except?: string): number {
    const theirs = [...tx.all('session')].filter(({ id, body }) => body.user === user && id !== except);
    for (const session of theirs) this.end(tx, session);
    const person = tx.get('user', user);
    if (person !== undefined) endEntries(tx, person);
    return theirs.length;
  }

  /** Bound to the session and to its secret: a new secret comes with a new token. */
  csrfTokenOf({ id, body }: Stored<'session'>): string {
    return createHmac('sha256', this.#csrfKey).update(`${id} ${body.secret_sha256}`).digest('base64url');
  }

  isCsrfToken(session: Stored<'session'>, given: string): boolean {
    return isSameSecret(given, this.csrfTokenOf(session));
  }

  #renew(tx: Transaction, { id }: Stored<'session'>, change: Partial<SessionDocument>): OpenedSession {
    const current = tx.get('session', id);
    if (current === undefined) throw new MeshError('sign_in_required', 'Your session has ended. Sign in again.');
    const secret = randomBytes(32).toString('base64url');
    const previous = { secret_sha256: current.body.secret_sha256, until: utc(tx.now_ms + PREVIOUS_MS) };
    const session = tx.put('session', id, { ...current.body, ...change, secret_sha256: sha256(secret), previous });
    return { session, secret: `${id}.${secret}` };
  }

  /** Only among those in the same state: an attacker with just the password must not sign the person out. */
  #makeRoom(tx: Transaction, { user, state }: NewSession): void {
    const theirs = [...tx.all('session')].filter(({ body }) => body.user === user && body.state === state);
    const oldest = theirs.sort((a, b) => Date.parse(b.body.last_seen_at) - Date.parse(a.body.last_seen_at));
    for (const session of oldest.slice(MAX_SESSIONS - 1)) this.end(tx, session);
  }
}

export function isAlive({ expires, last_seen_at }: SessionDocument, now_ms: number): boolean {
  return now_ms < Date.parse(expires) && now_ms < Date.parse(last_seen_at) + IDLE_MS;
}

/** Until when what is dangerous needs no further proof. Null: it does. */
export function confirmedUntil({ body }: Stored<'session'>, now_ms: number): string | null {
  const until = Date.parse(body.proven_at) + CONFIRMED_MS;
  return body.state === 'open' && now_ms < until ? utc(until) : null;
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
