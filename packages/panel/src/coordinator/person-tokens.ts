/**
 * The delegations through which people call the coordinator: one for each session and address, requested on first use, renewed
 * before it expires, ended with the session. The coordinator decides what a person may do with it.
 */
import type { Client } from '@meshwork/client';
import { MeshError, type Permission } from '@meshwork/contract';
import type { Log } from '@meshwork/service';
import type { Clock } from '@meshwork/time';
import type { Stored } from '../ledger/documents.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PersonAccess, SignedInAs } from '../sessions/person-access.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { Delegation, rightsOf } from './delegation.ts';
import { OwnRequests } from './own-requests.ts';
import type { PanelCredential } from './panel-credential.ts';
import type { Reachability } from './reachability.ts';
import type { Retirements } from './retirements.ts';
import { TokenEnds } from './token-ends.ts';
import { unavailable } from './unavailable.ts';

/** A new one is requested when less than the first is left. Callers wait for it when less than the second is left. */
const RENEW_BELOW_MS = 3 * 60_000;
const WAIT_BELOW_MS = 20_000;
/** The permissions of a role may change at the coordinator. They are cached for this long. */
const PERMISSIONS_CACHED_MS = 15_000;
/** Addresses of one session at a time: IPv4 and IPv6, at home and on the move. */
const MAX_ADDRESSES = 4;

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
  /** By the address of the browser, the newest last. */
  readonly delegations: Map<string, Delegation>;
  readonly asking: Map<string, Promise<Delegation>>;
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
      const delegation = await this.delegationOf(session, session.body.address);
      if (await this.#isValid(delegation)) return delegation.permissions;
      this.refused(session, delegation);
      return (await this.delegationOf(session, session.body.address)).permissions;
    } catch (error) {
      if (error instanceof MeshError && error.code === 'permission_denied') return new Set(); // their role is gone
      throw error;
    }
  }

  permissionsOfRole(role: string): Promise<ReadonlySet<Permission> | null> {
    return this.#requests.permissionsOfRole(role);
  }

  /** The delegation for requests of a session from this address. */
  async delegationOf(session: Stored<'session'>, address: string): Promise<Delegation> {
    const whom = this.#whom(session);
    const own = this.#tokensOf(whom.session);
    const found = own.delegations.get(address);
    const held = found?.rights === rightsOf(whom) ? found : undefined;
    const left_ms = held === undefined ? 0 : held.good_until - this.#parts.clock.monotonic();
    if (held !== undefined && left_ms > RENEW_BELOW_MS) return held;
    const asking = own.asking.get(address) ?? this.#ask(own, whom, address);
    return held !== undefined && left_ms > WAIT_BELOW_MS ? held : asking;
  }

  /** Whether a request that began with the delegation may continue. */
  isGood(session: Stored<'session'>, delegation: Delegation): boolean {
    const user = this.#parts.sessions.userOf(session, this.#parts.clock.now());
    return user !== undefined && !delegation.ended.aborted && rightsOf({ user, session }) === delegation.rights;
  }

  /** Whether its cookie was replaced since: the person confirmed their identity, or changed the password. */
  isRenewed({ id, body }: Stored<'session'>): boolean {
    const current = this.#parts.ledger.get('session', id);
    return current !== undefined && current.body.secret_sha256 !== body.secret_sha256;
  }

  /** The error for a request that was interrupted because the delegation ended. */
  whyEnded(session: Stored<'session'>): MeshError {
    const user = this.#parts.sessions.userOf(session, this.#parts.clock.now());
    return user === undefined ? signedOut() : rightsChanged();
  }

  /** The coordinator refused it: the next request gets another. */
  refused(session: Stored<'session'>, delegation: Delegation): void {
    const delegations = this.#bySession.get(session.id)?.delegations ?? new Map<string, Delegation>();
    for (const [address, { id }] of delegations) if (id === delegation.id) delegations.delete(address);
  }

  async end(session: Stored<'session'>): Promise<void> {
    const own = this.#bySession.get(session.id);
    this.#bySession.delete(session.id);
    own?.ended.abort();
    const { token } = session.body;
    await this.#ends.end([...(own?.tokens.keys() ?? []), ...(token === null ? [] : [token])]);
  }

  /** After a person changed: interrupts their requests with outdated rights and ends the tokens behind them. */
  async endOutdated(user: Stored<'user'>): Promise<void> {
    const { ledger } = this.#parts;
    const theirs = [...this.#bySession].flatMap(([id, { delegations }]) => {
      const session = ledger.get('session', id);
      if (session?.body.user !== user.id) return [];
      return delegations.values().some(({ rights }) => rights !== rightsOf({ user, session })) ? [session] : [];
    });
    await Promise.all(theirs.map((session) => this.end(session)));
  }

  /** Interrupts all requests. */
  close(): void {
    this.#ends.close();
    for (const { ended } of this.#bySession.values()) ended.abort();
    this.#bySession.clear();
  }

  /** Reads both again: since the request came in the session may have ended, or the role changed. */
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
    const own = { ended: new AbortController(), delegations: new Map(), asking: new Map(), tokens: new Map() };
    this.#bySession.set(id, own);
    return own;
  }

  /** One request for all waiting callers. A renewal before expiry has none, so a failure is also logged. */
  #ask(own: SessionTokens, whom: SignedInAs, address: string): Promise<Delegation> {
    const asking = this.#obtain(own, whom, address).finally(() => own.asking.delete(address));
    own.asking.set(address, asking);
    asking.catch((error: unknown) => this.#parts.log.warn({ err: error }, 'no delegation for a person'));
    return asking;
  }

  async #obtain(own: SessionTokens, whom: SignedInAs, address: string): Promise<Delegation> {
    // Tokens that the person may no longer have end first, so that the retirement cannot hit tokens made from now on.
    await this.#parts.retirements.ensureSettled(whom.user.id);
    const asked_at = this.#parts.clock.monotonic();
    const token = await this.#requests.delegate(whom, address);
    const delegation = new Delegation(token, { rights: rightsOf(whom), ended: own.ended.signal, asked_at });
    own.tokens.set(delegation.id, delegation.good_until);
    try {
      await this.#keep(whom, delegation);
      // A change of the person or the session meanwhile could not end this token.
      if (!this.isGood(whom.session, delegation)) throw this.whyEnded(whom.session);
    } catch (error) {
      await this.#ends.end([delegation.id]);
      throw error;
    }
    this.#place(own, address, delegation);
    return delegation;
  }

  /** Stores the id of the token, so that it can also be ended after a restart. */
  async #keep({ user, session }: SignedInAs, { id: token }: Delegation): Promise<void> {
    const actor = { kind: 'person', id: user.id, name: user.body.name } as const;
    const cause = { actor, action: 'auth.session', request_id: null, address: null } as const;
    await this.#parts.ledger.transact(cause, (tx) => {
      const current = tx.get('session', session.id);
      if (current?.body.state !== 'open') throw signedOut();
      tx.put('session', current.id, { ...current.body, token });
    });
  }

  #place(own: SessionTokens, address: string, delegation: Delegation): void {
    own.delegations.delete(address); // so that it becomes the newest
    own.delegations.set(address, delegation);
    const now = this.#parts.clock.monotonic();
    for (const [id, until] of own.tokens) if (until < now) own.tokens.delete(id);
    for (const oldest of [...own.delegations.keys()].slice(0, -MAX_ADDRESSES)) own.delegations.delete(oldest);
  }

  /** Asks the coordinator again when the permissions are old. False: the token is no longer valid. */
  async #isValid(delegation: Delegation): Promise<boolean> {
    const now = this.#parts.clock.monotonic();
    if (now - delegation.refreshed_at < PERMISSIONS_CACHED_MS) return true;
    delegation.refresh([...delegation.permissions], now); // one caller asks; the others use the cached permissions meanwhile
    try {
      const permissions = await this.#requests.permissionsWith(delegation.secret);
      if (permissions !== undefined) delegation.refresh(permissions, now);
      return permissions !== undefined;
    } catch (error) {
      if (!(error instanceof MeshError)) throw error;
      return true; // the coordinator is unreachable: its last answer is the best there is
    }
  }

  /** Drops sessions that ended elsewhere, such as at another panel. */
  #forgetOver(): void {
    const now = this.#parts.clock.monotonic();
    for (const [id, { tokens, asking }] of this.#bySession) {
      if (asking.size === 0 && [...tokens.values()].every((until) => until < now)) this.#bySession.delete(id);
    }
  }
}

function signedOut(): MeshError {
  return new MeshError('sign_in_required', 'Your session has ended. Sign in again.');
}

function rightsChanged(): MeshError {
  return unavailable('your permissions have just changed', { retry_after_s: 1 });
}
