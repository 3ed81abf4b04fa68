import { type Network, parseNetwork } from '@meshwork/addresses';
import type { Scope } from '@meshwork/contract';
import { networksClash } from '@meshwork/policy';
import { boundaryOfNode } from '../../mesh/node-state.ts';
import { routeId } from '../../mesh/route-id.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { RouteIndexes } from './route-indexes.ts';

/**
 * Brings in line what is known of networks that several boundaries use, after one of them changed. Each boundary hears of
 * its own network only, and that another one overlaps it; not which, and not whose.
 */
export function noteOverlaps(tx: Transaction, indexes: RouteIndexes, cidr: string): void {
  const network = parseNetwork(cidr);
  const { claimed } = indexes;
  const near = new Set([cidr]);
  for (const other of claimed.keys()) if (network !== undefined && clashes(network, other)) near.add(other);
  for (const one of near) settle(tx, indexes, one);
}

interface Holder {
  readonly boundary: Scope;
  readonly nodes: string[];
}

function settle(tx: Transaction, indexes: RouteIndexes, cidr: string): void {
  const network = parseNetwork(cidr);
  const holders = new Map<string, Holder>();
  const boundaries = new Set<string>();
  for (const other of network === undefined ? [] : indexes.claimed.keys()) {
    if (network === undefined || !clashes(network, other)) continue;
    for (const id of indexes.claimed.of(other)) {
      const node = tx.get('node', id)?.body;
      if (node === undefined || node.removed_at !== null || !node.routes_approved.includes(other)) continue;
      const boundary = boundaryOfNode(node);
      const key = routeId(boundary, cidr);
      boundaries.add(key);
      if (other !== cidr) continue;
      const holder = holders.get(key);
      if (holder === undefined) holders.set(key, { boundary, nodes: [node.name] });
      else holder.nodes.push(node.name);
    }
  }
  for (const id of indexes.overlaps.of(cidr)) {
    const known = tx.get('overlap', id)?.body;
    if (known === undefined || (holders.has(id) && boundaries.size > 1)) continue;
    tx.delete('overlap', id);
    tx.emit({ ...about(cidr, known.boundary), type: 'route.overlap_ended', data: { cidr } });
  }
  if (boundaries.size < 2) return;
  for (const [id, { boundary, nodes }] of holders) {
    if (tx.get('overlap', id) !== undefined) continue;
    tx.put('overlap', id, { boundary, cidr, since_ms: tx.now_ms });
    tx.emit({ ...about(cidr, boundary), type: 'route.overlapped', data: { cidr, nodes: nodes.sort() } });
  }
}

function about(cidr: string, scope: Scope) {
  return { subject: { kind: 'route', id: cidr }, scope } as const;
}

function clashes(network: Network, text: string): boolean {
  const other = parseNetwork(text);
  return other !== undefined && networksClash(network, other);
}
