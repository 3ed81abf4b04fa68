/** An order is for one certificate (RFC 8555, 7.4). */
import { type AuthorizationId, type CertificateId, newId, utc } from '@meshwork/contract';
import { pemOf } from '@meshwork/pki/text';
import { readRequest, signRequest } from '../../issuing/sign-request.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { scopeOfCertificate } from '../../mesh/node-certificates.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { AcmeAnswer, AcmeCall } from './acme-call.ts';
import { AcmeError, malformed, notFound } from './acme-error.ts';
import { authorizationStatus, newAuthorization, reusable } from './authorizations.ts';
import { MOST_ORDERS, ORDER_LIFE_MS, ORDERS } from './limits.ts';
import { authorizedNames, namesOf } from './names.ts';
import { ensureReplaceable, replacedClaim } from './renewal-info.ts';

/** The longest request that is read. */
const MAX_CSR = 16 * 1024;

export async function newOrder(call: AcmeCall): Promise<AcmeAnswer> {
  const { desk, account_id } = call;
  const { identifiers, notBefore, notAfter, replaces } = call.fields;
  if (notBefore !== undefined || notAfter !== undefined) {
    throw malformed('notBefore and notAfter are not taken: the settings of the mesh say how long certificates live.');
  }
  const names = namesOf(identifiers);
  authorizedNames(desk.mesh.model, names, call.actor.scope);
  desk.limit.take(`acme orders ${account_id}`, ORDERS);
  if (desk.indexes.orders.of(account_id).size >= MOST_ORDERS) {
    const detail = `The account has ${MOST_ORDERS} orders. They are forgotten a day after they ended.`;
    throw new AcmeError('rateLimited', detail, { retry_after_s: 3600 });
  }
  const order = await call.transact((tx, actor) => {
    const serial = replaces === undefined ? null : ensureReplaceable(tx, call, { replaces, names });
    const authorized = authorizedNames(tx, names, actor.scope);
    const used = authorized.map((one) => reusable(call, tx, one) ?? newAuthorization(call, tx, one));
    const ends = used.map(({ body }) => Date.parse(body.expires));
    const id = newId('order', tx.now_ms);
    tx.record({ target: { kind: 'order', id }, scope: actor.scope, detail: names.join(', ') });
    return tx.create('acme_order', id, {
      account: account_id,
      names,
      authorizations: used.map((one) => one.id as AuthorizationId),
      created_at: utc(tx.now_ms),
      expires: utc(Math.min(tx.now_ms + ORDER_LIFE_MS, ...ends)),
      certificate: null,
      replaces: serial,
    });
  });
  return answer(call, desk.mesh.model, order, 201);
}

export function showOrder(call: AcmeCall, [id]: readonly string[]): AcmeAnswer {
  call.ensureReads();
  const { model } = call.desk.mesh;
  return answer(call, model, ownOrder(call, model, id), 200);
}

/** Signs what the client asks for. It is done when it is answered: several clients handle "processing" badly. */
export async function finalizeOrder(call: AcmeCall, [id]: readonly string[]): Promise<AcmeAnswer> {
  const { desk } = call;
  const { model } = desk.mesh;
  const { csr } = call.fields;
  if (typeof csr !== 'string' || !/^[\w-]+$/.test(csr)) throw new AcmeError('badCSR', 'csr is DER in base64url.');
  if (csr.length > MAX_CSR) throw new AcmeError('badCSR', `csr is longer than ${MAX_CSR} characters.`);
  const order = ownOrder(call, model, id);
  // Asked again, because the first answer got lost: it has what it asked for.
  if (order.body.certificate !== null) return answer(call, model, order, 200);
  ensureReady(model, order, call.now_ms);
  const { scope } = call.actor;
  const read = await readRequest(desk, pemOf('CERTIFICATE REQUEST', Buffer.from(csr, 'base64url')));
  ensureSameNames(read.names, order.body.names);
  const own = call.signed.key.key.export({ format: 'der', type: 'spki' });
  if (own.equals(read.public_key))
    throw new AcmeError('badCSR', 'The request has the key of the account. Make another.');
  const lifetime_s = settingsOf(model).ca.service_lifetime_s;
  const signed = await signRequest(desk, { read, profile: 'server', lifetime_s, scope, now_ms: call.now_ms });
  const done = await call.transact((tx, actor) => {
    const now = ownOrder(call, tx, id);
    if (now.body.certificate !== null) return now; // twice at once
    ensureReady(tx, now, tx.now_ms);
    const certificate = signed.keep(tx, actor, call.account_id);
    replace(tx, now, certificate);
    const scope = scopeOfCertificate(tx, certificate.body);
    const target = { kind: 'certificate', id: certificate.id };
    tx.record({ target, scope, detail: `for ${call.account_id}: ${now.body.names.join(', ')}` });
    return tx.put('acme_order', now.id, { ...now.body, certificate: certificate.id as CertificateId });
  });
  return answer(call, model, done, 200);
}

/** Two orders may want to take the place of one certificate; the first that is finalised does. */
function replace(tx: Transaction, { body }: Stored<'acme_order'>, certificate: Stored<'certificate'>): void {
  if (body.replaces === null) return;
  const claim = replacedClaim(body.replaces);
  if (tx.get('claim', claim) !== undefined) return;
  if (tx.get('claim', `serial/${body.replaces}`) !== undefined) tx.create('claim', claim, { holder: certificate.id });
}

type OrderStatus = 'pending' | 'ready' | 'valid' | 'invalid';

/** It follows from the rest, so it is `ready` no later than its last authorization is valid. */
function orderStatus(view: View, { body }: Stored<'acme_order'>, now_ms: number): OrderStatus {
  if (body.certificate !== null) return 'valid';
  if (Date.parse(body.expires) <= now_ms) return 'invalid';
  const statuses = body.authorizations.map((id) =>
    authorizationStatus(view, view.get('acme_authorization', id), now_ms),
  );
  if (statuses.every((status) => status === 'valid')) return 'ready';
  return statuses.every((status) => status === 'valid' || status === 'pending') ? 'pending' : 'invalid';
}

function ensureReady(view: View, order: Stored<'acme_order'>, now_ms: number): void {
  const status = orderStatus(view, order, now_ms);
  if (status === 'ready') return;
  throw new AcmeError('orderNotReady', `The order is ${status}. Every name has to be proven first.`);
}

function ensureSameNames(
  { dns, addresses, uris }: { readonly [K in 'dns' | 'addresses' | 'uris']: readonly string[] },
  names: readonly string[],
): void {
  const wanted = [...dns, ...addresses, ...uris].sort();
  if (wanted.join(' ') === names.toSorted().join(' ')) return;
  const detail = `The request is for ${wanted.join(', ') || 'no name'}, the order for ${names.join(', ')}.`;
  throw new AcmeError('badCSR', detail);
}

function ownOrder(call: AcmeCall, view: View, id = ''): Stored<'acme_order'> {
  const order = view.get('acme_order', id);
  if (order?.body.account !== call.account_id) throw notFound('order');
  return order;
}

function answer(call: AcmeCall, view: View, order: Stored<'acme_order'>, code: number): AcmeAnswer {
  const { id, body } = order;
  const status = orderStatus(view, order, call.now_ms);
  const failed = body.authorizations.map((one) => view.get('acme_authorization', one)?.body.tried?.error);
  const error = status === 'invalid' ? failed.find((one) => one !== undefined && one !== null) : undefined;
  return {
    status: code,
    location: call.url('order', id),
    body: {
      status,
      expires: body.expires,
      identifiers: body.names.map((value) => ({ type: 'dns', value })),
      authorizations: body.authorizations.map((one) => call.url('authorization', one)),
      finalize: call.url('order', id, 'finalize'),
      ...(body.certificate === null ? {} : { certificate: call.url('certificate', body.certificate) }),
      ...(error === undefined ? {} : { error }),
    },
  };
}
