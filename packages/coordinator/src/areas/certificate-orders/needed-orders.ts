/** Which orders ingresses need, and which of those that are there no ingress needs any more. */
import { isDeepStrictEqual } from 'node:util';
import { utc } from '@meshwork/contract';
import type { IngressDocument } from '../../kinds/ingress.ts';
import type { CertificateOrderDocument } from '../../kinds/outside-authorities.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import { authorityOf, orderedId } from '../../mesh/given-certificates.ts';
import { ingressAt } from '../../mesh/ingress-certificates.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { View } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';

/** Ours: an ingress that is deleted by mistake and made anew finds its certificate for so long. */
const KEPT_MS = 3 * 86_400_000;

/** What an order is for. Its id follows. */
export type Ordered = Pick<CertificateOrderDocument, 'authority' | 'hostname'>;
type Needed = Pick<CertificateOrderDocument, 'authority' | 'hostname' | 'scope'>;

/** What an ingress wants to have ordered. Undefined: nothing. */
export function orderedFor(ingress: IngressDocument): Ordered | undefined {
  const authority = authorityOf(ingress);
  return authority === undefined ? undefined : { authority, hostname: ingress.hostname };
}

/** A host name leads to one ingress, so its scope is that of the order. */
function neededIn(view: View, { authority, hostname }: Ordered): Needed | undefined {
  const ingress = ingressAt(view, hostname)?.body;
  if (ingress === undefined || authorityOf(ingress) !== authority) return undefined;
  if (view.get('outside_authority', authority) === undefined) return undefined;
  return { authority, hostname, scope: ingress.scope };
}

/** Makes and removes orders until these are as ingresses need them. */
export async function settleOrders(mesh: Mesh, some: Iterable<Ordered>): Promise<void> {
  for (const one of some) {
    if (isSettled(mesh.model, one, mesh.clock.now())) continue;
    await mesh.transact({ actor: COORDINATOR, action: 'certificate_orders.settle' }, (tx) => settle(tx, one));
  }
}

/** When one that is not needed is removed. Undefined: it is needed, or gone. */
export function removalOf({ unneeded_since }: CertificateOrderDocument, hasCertificate: boolean): number | undefined {
  if (unneeded_since === null) return undefined;
  return Date.parse(unneeded_since) + (hasCertificate ? KEPT_MS : 0);
}

function isSettled(view: View, one: Ordered, now_ms: number): boolean {
  const id = orderedId(one.authority, one.hostname);
  const needed = neededIn(view, one);
  const order = view.get('certificate_order', id)?.body;
  if (order === undefined) return needed === undefined;
  if (needed !== undefined) return order.unneeded_since === null && isDeepStrictEqual(order.scope, needed.scope);
  const removal = removalOf(order, view.get('given_certificate', id) !== undefined);
  return removal !== undefined && removal > now_ms;
}

function settle(tx: Transaction, one: Ordered): void {
  const id = orderedId(one.authority, one.hostname);
  const needed = neededIn(tx, one);
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
