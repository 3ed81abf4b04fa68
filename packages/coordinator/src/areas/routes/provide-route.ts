import type { NodeId, Scope } from '@meshwork/contract';
import { routeProblem } from '../../mesh/check-routes.ts';
import type { View } from '../../mesh/model.ts';
import { boundaryOfNode, isMember, mayServe } from '../../mesh/node-state.ts';
import { routeId } from '../../mesh/route-id.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import { chooseProvider } from './choose-provider.ts';
import type { RouteIndexes } from './route-indexes.ts';

/**
 * Brings the providers of one network in line, in each boundary by itself: who has a network behind it in one team has no
 * say about the same addresses in another.
 */
export function provideRoute(tx: Transaction, indexes: RouteIndexes, cidr: string): void {
  const boundaries = new Map<string, Scope>();
  for (const id of indexes.approved.of(cidr)) {
    const node = tx.get('node', id)?.body;
    if (node !== undefined) boundaries.set(routeId(boundaryOfNode(node), cidr), boundaryOfNode(node));
  }
  for (const id of indexes.routes.of(cidr)) {
    const route = tx.get('route', id)?.body;
    if (route !== undefined) boundaries.set(id, route.boundary);
  }
  for (const [id, boundary] of boundaries) provideWithin(tx, indexes, { id, boundary, cidr });
}

interface Route {
  readonly id: string;
  readonly boundary: Scope;
  readonly cidr: string;
}

function provideWithin(tx: Transaction, indexes: RouteIndexes, route: Route): void {
  const { id, boundary, cidr } = route;
  const present = tx.get('route', id)?.body.provider ?? null;
  const chosen = chooseProvider({
    present,
    candidates: [...indexes.approved.of(cidr)].filter((node) => isCandidate(tx, node, route)) as NodeId[],
    lingers: present !== null && canForward(tx, present, route),
  });
  if (chosen === present) return;
  if (chosen === null) tx.delete('route', id);
  else tx.put('route', id, { boundary, cidr, provider: chosen });
  tx.emit({
    type: 'route.moved',
    subject: { kind: 'route', id: cidr },
    scope: boundary,
    data: { cidr, from: nameOf(tx, present), to: nameOf(tx, chosen) },
  });
}

function isCandidate(view: View, id: string, route: Route): boolean {
  const node = view.get('node', id);
  return node !== undefined && mayServe(view, node) && canForward(view, id, route);
}

/** Whether it is a member here that stays, says it can and is allowed to; it may be overdue. */
function canForward(view: View, id: string, { id: route, cidr }: Route): boolean {
  const node = view.get('node', id)?.body;
  if (node === undefined || !isMember(node) || node.draining_since !== null) return false;
  if (!node.routes_approved.includes(cidr) || routeId(boundaryOfNode(node), cidr) !== route) return false;
  if (view.get('report', id)?.body.routes_offered.includes(cidr) !== true) return false;
  return routeProblem(view, cidr) === undefined; // an older version may have let it be approved
}

function nameOf(view: View, id: string | null): string | null {
  return id === null ? null : (view.get('node', id)?.body.name ?? null);
}
