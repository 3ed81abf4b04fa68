/** The account of a client: its key, its token and where its holder can be reached (RFC 8555, 7.3). */
import { type AccountId, newId, type Scope, utc } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { AcmeAnswer, AcmeCall } from './acme-call.ts';
import { AcmeError, malformed } from './acme-error.ts';
import { boundToken, tokenOfAccount } from './bound-token.ts';
import { readJwk } from './jwk.ts';
import { ensureAlgorithm, headerOf, jwsOf, objectOf, verifiedPayload } from './jws.ts';
import { ACCOUNTS, MOST_CONTACTS } from './limits.ts';
import { ensureValid } from './signed-request.ts';

export async function newAccount(call: AcmeCall): Promise<AcmeAnswer> {
  const { desk, signed } = call;
  const { onlyReturnExisting, externalAccountBinding: binding, contact } = call.fields;
  const { thumbprint, jwk } = signed.key;
  const known = accountWithKey(desk.mesh.model, thumbprint);
  if (known !== undefined) {
    ensureValid(known);
    return answer(call, binding === undefined ? known : await bindAgain(call, known, binding), 200);
  }
  if (onlyReturnExisting === true) throw new AcmeError('accountDoesNotExist', 'There is no account with this key.');
  const contacts = contactsOf(contact) ?? [];
  const token = await boundToken(desk, signed, binding);
  desk.limit.take(`acme accounts ${token}`, ACCOUNTS);
  const made = await call.transactFor(token, (tx, actor) => {
    // Twice at once: the second gets what the first made.
    const first = accountWithKey(tx, thumbprint);
    if (first !== undefined) return { account: first, status: 200 };
    const id = newId('account', tx.now_ms);
    tx.create('claim', keyClaim(thumbprint), { holder: id });
    const account = tx.create('acme_account', id, {
      state: 'valid',
      token,
      key: jwk,
      thumbprint,
      contacts,
      created_at: utc(tx.now_ms),
    });
    const subject = { kind: 'account', id } as const;
    tx.record({ target: subject, scope: actor.scope });
    tx.emit({ type: 'account.created', subject, scope: actor.scope, data: {} });
    return { account, status: 201 };
  });
  ensureValid(made.account);
  return answer(call, made.account, made.status);
}

/** Shows it, changes its contacts, or deactivates it. */
export async function updateAccount(call: AcmeCall, [id]: readonly string[]): Promise<AcmeAnswer> {
  ensureOwn(call, id);
  if (call.reads) return answer(call, call.account, 200);
  const { status, contact } = call.fields;
  if (status !== undefined && status !== 'deactivated') throw malformed('The only status to set is "deactivated".');
  const contacts = contactsOf(contact);
  if (status === undefined && contacts === undefined) return answer(call, call.account, 200);
  const changed = await call.transact((tx) =>
    status === undefined ? change(tx, call.account_id, { contacts: contacts ?? [] }) : deactivate(tx, call.account_id),
  );
  return answer(call, changed, 200);
}

/** All that it ordered and that is not forgotten yet. */
export function ordersOfAccount(call: AcmeCall, [id]: readonly string[]): AcmeAnswer {
  ensureOwn(call, id);
  call.ensureReads();
  const orders = [...call.desk.indexes.orders.of(call.account_id)].sort();
  return { body: { orders: orders.map((order) => call.url('order', order)) } };
}

/** Gives an account another key: both sign (RFC 8555, 7.3.5). */
export async function changeKey(call: AcmeCall): Promise<AcmeAnswer> {
  const inner = jwsOf(call.fields, 'The payload');
  const header = headerOf(inner);
  if (header.url !== call.signed.url) throw malformed('The inner request is for another URL.');
  if (header.nonce !== undefined || header.kid !== undefined)
    throw malformed('The inner request has jwk, and no nonce.');
  const next = readJwk(header.jwk);
  ensureAlgorithm(header.alg, next.algorithm);
  const { account, oldKey } = objectOf(await verifiedPayload(inner, next.key, [next.algorithm]));
  if (account !== call.url('account', call.account_id)) throw malformed('The inner request is about another account.');
  if (readJwk(oldKey).thumbprint !== call.account.body.thumbprint)
    throw malformed('oldKey is not the key of the account.');
  const changed = await call.transact((tx) => {
    const taken = accountWithKey(tx, next.thumbprint);
    if (taken !== undefined) {
      const headers = ['location', call.url('account', taken.id)];
      throw new AcmeError('malformed', 'The new key has an account already.', { status: 409, headers });
    }
    tx.delete('claim', keyClaim(call.account.body.thumbprint));
    tx.create('claim', keyClaim(next.thumbprint), { holder: call.account_id });
    return change(tx, call.account_id, { key: next.jwk, thumbprint: next.thumbprint });
  });
  return answer(call, changed, 200);
}

/** For good. Also what an operator does. Once more changes nothing. */
export function deactivate(tx: Transaction, id: AccountId): Stored<'acme_account'> {
  const account = ensureThere(tx, id);
  if (account.body.state === 'deactivated') return account;
  return change(tx, id, { state: 'deactivated' }, 'account.deactivated');
}

/** A client that knows the key of another token moves its account to that: so it goes on when the first expires. */
async function bindAgain(
  call: AcmeCall,
  known: Stored<'acme_account'>,
  binding: unknown,
): Promise<Stored<'acme_account'>> {
  const token = await boundToken(call.desk, call.signed, binding);
  if (tokenOfAccount(call.desk.mesh.model, known.body.token)?.id === token) return known;
  return await call.transactFor(token, (tx) => change(tx, known.id as AccountId, { token }));
}

function change(
  tx: Transaction,
  id: AccountId,
  changes: Partial<Stored<'acme_account'>['body']>,
  type: 'account.changed' | 'account.deactivated' = 'account.changed',
): Stored<'acme_account'> {
  const changed = tx.put('acme_account', id, { ...ensureThere(tx, id).body, ...changes });
  const scope = scopeOfAccount(tx, changed);
  const subject = { kind: 'account', id } as const;
  tx.record({ target: subject, scope });
  tx.emit({ type, subject, scope, data: {} });
  return changed;
}

function ensureThere(view: View, id: AccountId): Stored<'acme_account'> {
  const account = view.get('acme_account', id);
  if (account === undefined) throw new Error(`${id} was just there.`);
  return account;
}

/** Who may know of it: those whose scope covers that of its token. */
export function scopeOfAccount(view: View, { body }: Stored<'acme_account'>): Scope {
  const token = tokenOfAccount(view, body.token);
  if (token === undefined) throw new Error(`The token ${body.token} of an account is gone.`);
  return token.body.scope;
}

function accountWithKey(view: View, thumbprint: string): Stored<'acme_account'> | undefined {
  const holder = view.get('claim', keyClaim(thumbprint))?.body.holder;
  return holder === undefined ? undefined : view.get('acme_account', holder);
}

function keyClaim(thumbprint: string): string {
  return `acme-key/${thumbprint}`;
}

function ensureOwn(call: AcmeCall, id: string | undefined): void {
  if (id !== call.account_id) throw new AcmeError('unauthorized', 'This is the account of another key.');
}

function answer(call: AcmeCall, { id, body }: Stored<'acme_account'>, status: number): AcmeAnswer {
  const { state, contacts } = body;
  const orders = call.url('account', id, 'orders');
  return { status, location: call.url('account', id), body: { status: state, contact: contacts, orders } };
}

/** Undefined: the request does not say. */
function contactsOf(contact: unknown): readonly string[] | undefined {
  if (contact === undefined) return undefined;
  if (!Array.isArray(contact) || contact.length > MOST_CONTACTS) {
    throw new AcmeError('invalidContact', `contact is a list of at most ${MOST_CONTACTS} URLs.`);
  }
  return contact.map((url: unknown) => {
    if (typeof url !== 'string' || !/^[a-z][a-z0-9+.-]*:/i.test(url)) {
      throw new AcmeError('invalidContact', 'A contact is a URL, such as mailto:git@example.org.');
    }
    if (!url.toLowerCase().startsWith('mailto:'))
      throw new AcmeError('unsupportedContact', 'A contact begins with mailto:.');
    if (!/^mailto:[!-~]{1,64}@[!-~]{1,253}$/i.test(url) || /[,?]/.test(url)) {
      throw new AcmeError('invalidContact', 'A contact has one address, and nothing but that.');
    }
    return url;
  });
}
