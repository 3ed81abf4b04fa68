import { type NodeId, type Scope, WHOLE_MESH } from '@meshwork/contract';
import type { View } from '../mesh/model.ts';
import { boundaryOfNode, isMember, mayServe } from '../mesh/node-state.ts';
import { chooseProvider } from './choose-provider.ts';
import type { Round } from './round.ts';

/** Brings the provider of one network in line. */
export function provideRoute({ tx, sources }: Round, cidr: string): void {
  const present = tx.get('route', cidr)?.body.provider ?? null;
  const chosen = chooseProvider({
    present,
    candidates: [...sources.indexes.approved.of(cidr)].filter((id) => isCandidate(tx, id, cidr)) as NodeId[],
    lingers: present !== null && canForward(tx, present, cidr),
  });
  if (chosen === present) return;
  if (chosen === null) tx.delete('route', cidr);
  else tx.put('route', cidr, { provider: chosen });
  tx.tell({
    type: 'route.moved',
    subject: { kind: 'route', id: cidr },
    scope: scopeOf(tx, chosen ?? present),
    data: { cidr, from: nameOf(tx, present), to: nameOf(tx, chosen) },
  });
}

function isCandidate(view: View, id: string, cidr: string): boolean {
  const node = view.get('node', id);
  return node !== undefined && mayServe(view, node) && canForward(view, id, cidr);
}

/** Whether it is a member that stays, says it can and is allowed to; it may be overdue. */
function canForward(view: View, id: string, cidr: string): boolean {
  const node = view.get('node', id)?.body;
  if (node === undefined || !isMember(node) || node.draining_since !== null) return false;
  if (!node.routes_approved.includes(cidr)) return false;
  return view.get('report', id)?.body.routes_offered.includes(cidr) === true;
}

function nameOf(view: View, id: string | null): string | null {
  return id === null ? null : (view.get('node', id)?.body.name ?? null);
}

function scopeOf(view: View, id: string | null): Scope {
  const node = id === null ? undefined : view.get('node', id)?.body;
  return node === undefined ? WHOLE_MESH : boundaryOfNode(node);
}
