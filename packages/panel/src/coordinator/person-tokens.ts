/**
 * The tokens through which people speak to the coordinator: one for a session and the place it speaks from, asked for when it
 * is first needed, renewed ahead of its end, ended with the session. What somebody may do is what the coordinator says of it.
 */
import type { Client } from '@meshwork/client';
import { MeshError, type Permission } from '@meshwork/contract';
import type { Clock, Log } from '@meshwork/service';
import type { Stored } from '../ledger/documents.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PersonAccess, SignedInAs } from '../sessions/person-access.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { OwnRequests } from './own-requests.ts';
import type { PanelCredential } from './panel-credential.ts';
import { Grant, rightsOf } from './person-grant.ts';
import type { Reachability } from './reachability.ts';
import type { Retirements } from './retirements.ts';
import { TokenEnds } from './token-ends.ts';
import { unavailable } from './unavailable.ts';

/** A new one is asked for when less than this is left, and waited for when less than that. */
const RENEW_BELOW_MS = 3 * 60_000;
const WAIT_BELOW_MS = 20_000;
/** What a role gives may change at the coordinator: what it said is believed for this long. */
const BELIEVED_MS = 15_000;
/** Places one session speaks from at a time: both families of addresses, at home and on the way. */
const MAX_PLACES = 4;

interface PersonTokensParts {
  readonly client: Client;
  readonly credential: PanelCredential;
  readonly reachability: Reachability;
  readonly retirements: Pick<Retirements, 'ensureSettled'>;
  readonly ledger: Ledger;
  readonly sessions: Pick<Sessions, 'userOf'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** All that is held for one session. */
interface SessionTokens {
  readonly ended: AbortController;
  /** By the address they speak from, the newest last. */
  readonly grants: Map<string, Grant>;
  readonly asking: Map<string, Promise<Grant>>;
  /** Every token that may still work, and until when. */
  readonly tokens: Map<string, number>;
}

export class PersonTokens implements PersonAccess {
  readonly #parts: PersonTokensParts;
  readonly #requests: OwnRequests;
  readonly #ends: TokenEnds;
  readonly #bySession = new Map<string, SessionTokens>();

  constructor(parts: PersonTokensParts) {
    this.#parts = parts;
    this.#requests = new OwnRequests(parts);
    this.#ends = new TokenEnds(parts);
  }

  get reachable(): boolean {
    return this.#parts.reachability.reachable;
  }

  async permissionsOf({ session }: SignedInAs): Promise<ReadonlySet<Permission>> {
    try {
      const grant = await this.grantOf(session, session.body.address);
      if (await this.#isBelieved(grant)) return grant.permissions;
      this.refused(session, grant);
      return (await this.grantOf(session, session.body.address)).permissions;
    } catch (error) {
      if (error instanceof MeshError && error.code === 'permission_denied') return new Set(); // their role is gone
      throw error;
    }
  }

  permissionsOfRole(role: string): Promise<ReadonlySet<Permission> | null> {
    return this.#requests.permissionsOfRole(role);
  }

  /** What the person of a session speaks with, from this address. */
  async grantOf(session: Stored<'session'>, address: string): Promise<Grant> {
    const whom = this.#whom(session);
    const own = this.#tokensOf(whom.session);
    const found = own.grants.get(address);
    const held = found?.rights === rightsOf(whom) ? found : undefined;
    const left_ms = held === undefined ? 0 : held.good_until - this.#parts.clock.monotonic();
    if (held !== undefined && left_ms > RENEW_BELOW_MS) return held;
    const asking = own.asking.get(address) ?? this.#ask(own, whom, address);
    return held !== undefined && left_ms > WAIT_BELOW_MS ? held : asking;
  }

  /** Whether somebody who began to speak with it may go on. */
  isGood(session: Stored<'session'>, grant: Grant): boolean {
    const user = this.#parts.sessions.userOf(session, this.#parts.clock.now());
    return user !== undefined && !grant.ended.aborted && rightsOf({ user, session }) === grant.rights;
  }

  /** Whether its cookie has been replaced since: the person proved once more who they are, or changed the password. */
  isRenewed({ id, body }: Stored<'session'>): boolean {
    const current = this.#parts.ledger.get('session', id);
    return current !== undefined && current.body.secret_sha256 !== body.secret_sha256;
  }

  /** What to say to somebody who was interrupted because `ended` came. */
  whyEnded(session: Stored<'session'>): MeshError {
    const user = this.#parts.sessions.userOf(session, this.#parts.clock.now());
    return user === undefined ? signedOut() : rightsChanged();
  }

  /** The coordinator does not take it any more: the next one who asks gets another. */
  refused(session: Stored<'session'>, grant: Grant): void {
    const grants = this.#bySession.get(session.id)?.grants ?? new Map<string, Grant>();
    for (const [address, { id }] of grants) if (id === grant.id) grants.delete(address);
  }

  async end(session: Stored<'session'>): Promise<void> {
    const own = this.#bySession.get(session.id);
    this.#bySession.delete(session.id);
    own?.ended.abort();
    const { token } = session.body;
    await this.#ends.end([...(own?.tokens.keys() ?? []), ...(token === null ? [] : [token])]);
  }

  /** Once a person has changed: whoever speaks with rights that they no longer have is interrupted, and the token ended. */
  async endOutdated(user: Stored<'user'>): Promise<void> {
    const { ledger } = this.#parts;
    const theirs = [...this.#bySession].flatMap(([id, { grants }]) => {
      const session = ledger.get('session', id);
      if (session?.body.user !== user.id) return [];
      return grants.values().some(({ rights }) => rights !== rightsOf({ user, session })) ? [session] : [];
    });
    await Promise.all(theirs.map((session) => this.end(session)));
  }

  /** Everybody who still speaks is interrupted. */
  close(): void {
    this.#ends.close();
    for (const { ended } of this.#bySession.values()) ended.abort();
    this.#bySession.clear();
  }

  /** As they stand now: since the request came in the session may have ended, or the role changed. */
  #whom(session: Stored<'session'>): SignedInAs {
    const { ledger, sessions, clock } = this.#parts;
    const current = ledger.get('session', session.id);
    const user = current?.body.state === 'open' ? sessions.userOf(current, clock.now()) : undefined;
    if (current === undefined || user === undefined) throw signedOut();
    return { user, session: current };
  }

  #tokensOf({ id }: Stored<'session'>): SessionTokens {
    const held = this.#bySession.get(id);
    if (held !== undefined) return held;
    this.#forgetOver();
    const own = { ended: new AbortController(), grants: new Map(), asking: new Map(), tokens: new Map() };
    this.#bySession.set(id, own);
    return own;
  }

  /** Once for all who wait for it. Nobody does when it is renewed ahead of time, so a failure is also logged. */
  #ask(own: SessionTokens, whom: SignedInAs, address: string): Promise<Grant> {
    const asking = this.#obtain(own, whom, address).finally(() => own.asking.delete(address));
    own.asking.set(address, asking);
    asking.catch((error: unknown) => this.#parts.log.warn({ err: error }, 'a person got no token'));
    return asking;
  }

  async #obtain(own: SessionTokens, whom: SignedInAs, address: string): Promise<Grant> {
    // What they made and may no longer do ends first, so that it cannot take along what they make from now on.
    await this.#parts.retirements.ensureSettled(whom.user.id);
    const asked_at = this.#parts.clock.monotonic();
    const token = await this.#requests.delegate(whom, address);
    const grant = new Grant(token, { rights: rightsOf(whom), ended: own.ended.signal, asked_at });
    own.tokens.set(grant.id, grant.good_until);
    try {
      await this.#keep(whom, grant);
      // Whoever changed or ended something meanwhile could not know of this token.
      if (!this.isGood(whom.session, grant)) throw this.whyEnded(whom.session);
    } catch (error) {
      await this.#ends.end([grant.id]);
      throw error;
    }
    this.#place(own, address, grant);
    return grant;
  }

  /** Writes down which token it is, so that it can be ended after a restart too. */
  async #keep({ user, session }: SignedInAs, { id: token }: Grant): Promise<void> {
    const actor = { kind: 'person', id: user.id, name: user.body.name } as const;
    const cause = { actor, action: 'auth.session', request_id: null, address: null } as const;
    await this.#parts.ledger.transact(cause, (tx) => {
      const current = tx.get('session', session.id);
      if (current?.body.state !== 'open') throw signedOut();
      tx.put('session', current.id, { ...current.body, token });
    });
  }

  #place(own: SessionTokens, address: string, grant: Grant): void {
    own.grants.delete(address); // so that it becomes the newest
    own.grants.set(address, grant);
    const now = this.#parts.clock.monotonic();
    for (const [id, until] of own.tokens) if (until < now) own.tokens.delete(id);
    for (const oldest of [...own.grants.keys()].slice(0, -MAX_PLACES)) own.grants.delete(oldest);
  }

  /** Whether what the coordinator said of it is known to hold. False: the token is not good any more. */
  async #isBelieved(grant: Grant): Promise<boolean> {
    const now = this.#parts.clock.monotonic();
    if (now - grant.told_at < BELIEVED_MS) return true;
    grant.told([...grant.permissions], now); // one asks, and meanwhile the others go by what is known
    try {
      const permissions = await this.#requests.permissionsWith(grant.secret);
      if (permissions !== undefined) grant.told(permissions, now);
      return permissions !== undefined;
    } catch (error) {
      if (!(error instanceof MeshError)) throw error;
      return true; // it cannot be asked just now: what it said minutes ago is the best that is known
    }
  }

  /** Sessions that ended without a word, such as at another panel. */
  #forgetOver(): void {
    const now = this.#parts.clock.monotonic();
    for (const [id, { tokens, asking }] of this.#bySession) {
      if (asking.size === 0 && [...tokens.values()].every((until) => until < now)) this.#bySession.delete(id);
    }
  }
}

function signedOut(): MeshError {
  return new MeshError('sign_in_required', 'The session has ended.');
}

function rightsChanged(): MeshError {
  return unavailable('the rights of the person have just changed', { retry_after_s: 1 });
}
