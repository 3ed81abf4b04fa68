/**
 * The accounts of this mesh with outside authorities: one for each directory. The key is in the store before the authority hears of it, so
 * that an account which was asked for twice, by two coordinators or around a restart, is one (RFC 8555, section 7.3).
 */
import { generateKeyPair } from 'node:crypto';
import { isDeepStrictEqual, promisify } from 'node:util';
import { utc } from '@meshwork/contract';
import { type Outbound, OutboundError } from '@meshwork/service';
import type { OutsideAccountDocument, OutsideAuthorityDocument } from '../kinds/outside-authorities.ts';
import { COORDINATOR } from '../mesh/actor.ts';
import { accountSealedFor, bindingSealedFor } from '../mesh/envelopes.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Stored } from '../mesh/model.ts';
import { AccountKey } from './account-key.ts';
import { objectOf } from './acme-answers.ts';
import { AcmeFailure } from './acme-failure.ts';
import { AcmeSession } from './acme-session.ts';

/** Which directory of an authority. */
export type Where = 'live' | 'staging';

const STATES = ['valid', 'deactivated', 'revoked'] as const;
const makePair = promisify(generateKeyPair);

interface Parts {
  readonly mesh: Mesh;
  readonly outbound: Outbound;
}

export function accountId(authority: string, where: Where): string {
  return `${authority}/${where}`;
}

/** Undefined: it has none. */
export function directoryAt(authority: OutsideAuthorityDocument, where: Where): string | undefined {
  return where === 'live' ? authority.directory : (authority.staging_directory ?? undefined);
}

/** In words for operators, also of errors that are none of the authority's. Throws what is a fault of ours. */
export function reasonOf(error: unknown): string {
  if (error instanceof AcmeFailure || error instanceof OutboundError) return error.message;
  throw error;
}

export class OutsideAccounts {
  readonly #parts: Parts;
  /** Made or changed one after another: by the id of the account. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** As the account at one of its directories, which is made if there is none. */
  async session(authority: Stored<'outside_authority'>, where: Where, signal: AbortSignal): Promise<AcmeSession> {
    const id = accountId(authority.id, where);
    const before = this.#turns.get(id) ?? Promise.resolve();
    const turn = before.then(() => this.#ready(authority, where, signal));
    const settled = turn.then(
      () => undefined,
      () => undefined, // the caller hears of it
    );
    this.#turns.set(id, settled);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(id) === settled) this.#turns.delete(id);
    }
  }

  /** For one that is deleted: the account ends at the authority too. `account`: as it was. */
  async deactivate(authority: OutsideAuthorityDocument, account: Stored<'outside_account'>): Promise<void> {
    const { url } = account.body;
    if (url === null || account.body.state !== 'valid') return;
    const session = this.#sessionOf(authority, account, AbortSignal.timeout(20_000));
    await session.post(url, { status: 'deactivated' });
  }

  async #ready(authority: Stored<'outside_authority'>, where: Where, signal: AbortSignal): Promise<AcmeSession> {
    const account = await this.#kept(authority, where);
    try {
      const { url, state } = account.body;
      if (url === null) return await this.#registered(authority, account, signal);
      if (state !== 'valid') throw new AcmeFailure(`the account is ${state}: create another outside authority`);
      const session = this.#sessionOf(authority.body, account, signal);
      if (!isDeepStrictEqual(account.body.contacts, authority.body.contacts)) {
        await session.post(url, { contact: mailto(authority.body.contacts) });
        await this.#write(account.id, { contacts: [...authority.body.contacts], problem: null });
      }
      return session;
    } catch (error) {
      const problem = signal.aborted ? null : reasonOf(error);
      // At a directory that was put up anew, another account is made with the same key.
      const isGone = error instanceof AcmeFailure && error.type === 'accountDoesNotExist';
      if (problem !== null) await this.#write(account.id, { problem, ...(isGone ? { url: null, state: 'none' } : {}) });
      throw error;
    }
  }

  /** With a key, if not more. Another directory is another account. */
  async #kept(authority: Stored<'outside_authority'>, where: Where): Promise<Stored<'outside_account'>> {
    const { mesh } = this.#parts;
    const directory = directoryAt(authority.body, where);
    if (directory === undefined) throw new AcmeFailure('there is no such directory');
    const id = accountId(authority.id, where);
    const kept = mesh.model.get('outside_account', id);
    if (kept?.body.directory === directory) return kept;
    const { privateKey } = await makePair('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const key = mesh.seal(Buffer.from(pem), accountSealedFor(id));
    return await mesh.transact({ actor: COORDINATOR, action: 'outside_authorities.register' }, (tx) => {
      const now = tx.get('outside_account', id);
      if (now?.body.directory === directory) return now; // another coordinator was first
      if (tx.get('outside_authority', authority.id) === undefined) throw new AcmeFailure('the authority was deleted');
      const none = { state: 'none', url: null, contacts: [], terms: null, problem: null } as const;
      return tx.put('outside_account', id, { directory, key, ...none, paused_until: null, created_at: null });
    });
  }

  async #registered(
    authority: Stored<'outside_authority'>,
    account: Stored<'outside_account'>,
    signal: AbortSignal,
  ): Promise<AcmeSession> {
    const { contacts, eab_key_id, eab_key } = authority.body;
    const session = this.#sessionOf(authority.body, account, signal);
    const { new_account, needs_binding, terms } = await session.directory();
    if (needs_binding && (eab_key_id === null || eab_key === null)) {
      throw new AcmeFailure('it makes accounts only with a key that it gave you: set eab_key_id and eab_key');
    }
    const binding =
      eab_key_id === null || eab_key === null
        ? {}
        : {
            externalAccountBinding: this.#bound(authority, session.key, {
              url: new_account,
              key_id: eab_key_id,
              eab_key,
            }),
          };
    const contact = contacts.length === 0 ? {} : { contact: mailto(contacts) };
    const answer = await session.post(new_account, { termsOfServiceAgreed: true, ...contact, ...binding });
    const url = answer.header('location');
    const state = STATES.find((one) => one === objectOf(answer.body, 'account').status);
    if (url === undefined || state === undefined) throw new AcmeFailure('it says nothing of the account that it made');
    await this.#keep(authority, account.id, { url, state, terms, contacts: [...contacts] });
    if (state !== 'valid') throw new AcmeFailure(`the account is ${state}: create another outside authority`);
    return this.#sessionOf(authority.body, { ...account, body: { ...account.body, url } }, signal);
  }

  #bound(
    authority: Stored<'outside_authority'>,
    key: AccountKey,
    { url, key_id, eab_key }: { readonly url: string; readonly key_id: string; readonly eab_key: string },
  ) {
    const secret = this.#parts.mesh.unseal(eab_key, bindingSealedFor(authority.id)).toString('utf8');
    return key.bound({ url, key_id, key: Buffer.from(secret, 'base64url') });
  }

  async #keep(
    authority: Stored<'outside_authority'>,
    id: string,
    made: Pick<OutsideAccountDocument, 'url' | 'state' | 'terms' | 'contacts'>,
  ): Promise<void> {
    const { mesh } = this.#parts;
    await mesh.transact({ actor: COORDINATOR, action: 'outside_authorities.register' }, (tx) => {
      const now = tx.get('outside_account', id);
      const owner = tx.get('outside_authority', authority.id);
      if (now === undefined || owner === undefined) throw new AcmeFailure('the authority was deleted');
      if (now.body.url === made.url) return; // another attempt asked for it at the same time
      tx.put('outside_account', id, { ...now.body, ...made, problem: null, created_at: utc(tx.now_ms) });
      const isLive = id === accountId(authority.id, 'live');
      // The key that binds has done its work. One that came meanwhile is another's.
      if (isLive && owner.body.eab_key !== null && owner.body.eab_key === authority.body.eab_key) {
        tx.put('outside_authority', owner.id, { ...owner.body, eab_key: null });
      }
      const { scope, name } = owner.body;
      const subject = { kind: 'outside_authority', id: owner.id } as const;
      tx.record({
        target: subject,
        scope,
        detail: `account ${made.url} at ${isLive ? 'its' : 'its staging'} directory`,
      });
      tx.emit({ type: 'outside_authority.registered', subject, scope, data: { name } });
    });
  }

  async #write(id: string, change: Partial<OutsideAccountDocument>): Promise<void> {
    const { mesh } = this.#parts;
    await mesh.transact({ actor: COORDINATOR, action: 'outside_authorities.register' }, (tx) => {
      const now = tx.get('outside_account', id)?.body;
      if (now === undefined || isDeepStrictEqual({ ...now, ...change }, now)) return;
      tx.put('outside_account', id, { ...now, ...change });
    });
  }

  #sessionOf(
    authority: OutsideAuthorityDocument,
    account: Stored<'outside_account'>,
    signal: AbortSignal,
  ): AcmeSession {
    const { mesh, outbound } = this.#parts;
    const key = new AccountKey(mesh.unseal(account.body.key, accountSealedFor(account.id)).toString('utf8'));
    const { directory, url } = account.body;
    return new AcmeSession({ outbound, directory, roots: authority.roots, key, kid: url ?? undefined, signal });
  }
}

function mailto(contacts: readonly string[]): readonly string[] {
  return contacts.map((address) => `mailto:${address}`);
}
