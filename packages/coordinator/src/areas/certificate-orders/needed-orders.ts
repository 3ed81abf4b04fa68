/** Which orders ingresses need, and which of those that are there no ingress needs any more. */
import { isDeepStrictEqual } from 'node:util';
import { type Scope, utc } from '@meshwork/contract';
import type { CertificateOrderDocument } from '../../kinds/outside-authorities.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import { authorityOf, orderedId } from '../../mesh/given-certificates.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { View } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';

/** Ours: an ingress that is deleted by mistake and made anew finds its certificate for so long. */
const KEPT_MS = 3 * 86_400_000;

interface Needed {
  readonly authority: string;
  readonly hostname: string;
  readonly scope: Scope;
}

function neededOrders(view: View): ReadonlyMap<string, Needed> {
  const needed = new Map<string, Needed>();
  for (const { body } of view.all('ingress')) {
    const authority = authorityOf(body);
    if (authority === undefined || view.get('outside_authority', authority) === undefined) continue;
    const id = orderedId(authority, body.hostname);
    const before = needed.get(id)?.scope ?? body.scope;
    needed.set(id, { authority, hostname: body.hostname, scope: joined(before, body.scope) });
  }
  return needed;
}

/** The narrowest scope that covers both. */
function joined(one: Scope, other: Scope): Scope {
  const member = (name: keyof Scope) => (one[name] === other[name] ? one[name] : '*');
  return { team: member('team'), surface: member('surface'), environment: member('environment') };
}

/** Makes and removes orders until they are as ingresses need them. */
export async function settleOrders(mesh: Mesh): Promise<void> {
  const ids = new Set([
    ...neededOrders(mesh.model).keys(),
    ...[...mesh.model.all('certificate_order')].map(({ id }) => id),
  ]);
  for (const id of ids) {
    if (settled(mesh.model, id, neededOrders(mesh.model).get(id), mesh.clock.now()) === 'as it should be') continue;
    await mesh.transact({ actor: COORDINATOR, action: 'certificate_orders.settle' }, (tx) => settle(tx, id));
  }
}

/** When one that is not needed is removed. Undefined: it is needed, or gone. */
export function removalOf({ unneeded_since }: CertificateOrderDocument, hasCertificate: boolean): number | undefined {
  if (unneeded_since === null) return undefined;
  return Date.parse(unneeded_since) + (hasCertificate ? KEPT_MS : 0);
}

function settled(view: View, id: string, needed: Needed | undefined, now_ms: number): 'as it should be' | 'not' {
  const order = view.get('certificate_order', id)?.body;
  if (order === undefined) return needed === undefined ? 'as it should be' : 'not';
  if (needed !== undefined) {
    const isSame = order.unneeded_since === null && isDeepStrictEqual(order.scope, needed.scope);
    return isSame ? 'as it should be' : 'not';
  }
  if (order.unneeded_since === null) return 'not';
  const removal = removalOf(order, view.get('given_certificate', id) !== undefined);
  return removal !== undefined && removal <= now_ms ? 'not' : 'as it should be';
}

function settle(tx: Transaction, id: string): void {
  const needed = neededOrders(tx).get(id);
  const order = tx.get('certificate_order', id)?.body;
  if (needed === undefined) {
    if (order !== undefined) release(tx, id, order);
    return;
  }
  if (order !== undefined) {
    tx.put('certificate_order', id, { ...order, scope: needed.scope, unneeded_since: null });
    const given = tx.get('given_certificate', id)?.body;
    if (given === undefined || isDeepStrictEqual(given.scope, needed.scope)) return;
    tx.put('given_certificate', id, { ...given, scope: needed.scope });
    tx.record({ target: { kind: 'given_certificate', id }, scope: needed.scope, detail: 'the scope of its ingresses' });
    return;
  }
  const created = newOrder(needed, utc(tx.now_ms));
  tx.create('certificate_order', id, created);
  say(tx, 'certificate_order.created', id, created);
}

function release(tx: Transaction, id: string, order: CertificateOrderDocument): void {
  const given = tx.get('given_certificate', id);
  const removal = removalOf(order, given !== undefined);
  if (removal === undefined && given !== undefined) {
    tx.put('certificate_order', id, { ...order, unneeded_since: utc(tx.now_ms) });
    return;
  }
  if (removal !== undefined && removal > tx.now_ms) return;
  tx.delete('certificate_order', id);
  say(tx, 'certificate_order.deleted', id, order);
  if (given === undefined) return;
  const { scope, name } = given.body;
  const subject = { kind: 'given_certificate', id } as const;
  tx.delete('given_certificate', id);
  tx.record({ target: subject, scope, detail: `no ingress needs the certificate of ${order.hostname}` });
  tx.emit({ type: 'given_certificate.deleted', subject, scope, data: { name } });
}

function say(
  tx: Transaction,
  type: 'certificate_order.created' | 'certificate_order.deleted',
  id: string,
  { authority, hostname, scope }: Needed,
): void {
  const name = tx.get('outside_authority', authority)?.body.name ?? authority;
  tx.emit({ type, subject: { kind: 'certificate_order', id }, scope, data: { hostname, authority: name } });
}

function newOrder({ authority, hostname, scope }: Needed, created_at: string): CertificateOrderDocument {
  return {
    authority,
    hostname,
    scope,
    state: 'waiting',
    step: null,
    staging: false,
    staged: false,
    attempts: 0,
    problem: null,
    next_at: null,
    url: null,
    key: null,
    issued_at: null,
    renewal_id: null,
    renewal: null,
    unneeded_since: null,
    brought_forward: [],
    created_at,
  };
}
