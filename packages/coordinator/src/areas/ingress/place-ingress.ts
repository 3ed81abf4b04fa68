import { covers, type IngressId, type NodeId } from '@meshwork/contract';
import type { IngressDocument } from '../../kinds/ingress.ts';
import type { NodeDocument } from '../../kinds/nodes.ts';
import { carries } from '../../mesh/abilities.ts';
import type { View } from '../../mesh/model.ts';
import { boundaryOfNode, isMember, mayServe } from '../../mesh/node-state.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { ConnectionCounts } from '../../node-status/what-nodes-report.ts';
import { type Candidate, chooseGateways, type Fitness, type Gateway } from './choose-gateways.ts';
import { type IngressIndexes, selectorsOf } from './ingress-indexes.ts';

/**
 * One transaction that places ingresses. The indexes know what is committed; what it has given so far counts on top, so that
 * many ingresses at once do not all go to the gateway with the fewest.
 */
export class Placing {
  readonly tx: Transaction;
  readonly indexes: IngressIndexes;
  readonly counts: ConnectionCounts;
  /** What it gave to gateways, or took from them. */
  readonly #given = new Map<string, number>();

  constructor(tx: Transaction, indexes: IngressIndexes, counts: ConnectionCounts) {
    this.tx = tx;
    this.indexes = indexes;
    this.counts = counts;
  }

  ingressesOn(node: string): number {
    return this.indexes.placed.of(node).size + (this.#given.get(node) ?? 0);
  }

  gave(node: string, count: 1 | -1): void {
    this.#given.set(node, (this.#given.get(node) ?? 0) + count);
  }
}

/** Brings the gateways of one ingress in line. */
export function placeIngress(placing: Placing, id: string): void {
  const { tx, counts } = placing;
  const ingress = tx.get('ingress', id);
  const present = tx.get('placement', id)?.body.gateways ?? [];
  if (ingress === undefined) {
    tx.delete('placement', id);
    return;
  }
  const { name, replicas, draining, scope } = ingress.body;
  const chosen = chooseGateways({
    replicas,
    draining,
    present,
    fitness: (node) => fitnessOf(tx, node, ingress.body),
    isDrained: (node) => counts.isDrained(node, id as IngressId),
    candidates: () => candidatesFor(placing, ingress.body),
  });
  if (isSame(present, chosen)) return;
  for (const { node } of present) placing.gave(node, -1);
  for (const { node } of chosen) placing.gave(node, 1);
  if (chosen.length === 0) tx.delete('placement', id);
  else tx.put('placement', id, { gateways: chosen });
  const gateways = servingNames(tx, chosen);
  if (gateways.join() === servingNames(tx, present).join()) return;
  tx.emit({ type: 'ingress.placed', subject: { kind: 'ingress', id }, scope, data: { name, gateways } });
}

function fitnessOf(view: View, id: string, ingress: IngressDocument): Fitness {
  const node = view.get('node', id);
  if (node === undefined || !isMember(node.body) || view.get('liveness', id) !== undefined) return 'gone';
  if (!carries(view, id, 'ingress')) return 'gone'; // there is nothing that it could finish
  // What lies outside the boundary of an ingress must not see its traffic, not even the rest of it.
  if (!covers(ingress.scope, boundaryOfNode(node.body))) return 'gone';
  return mayServe(view, node) && isSelected(node.body, ingress) ? 'fit' : 'leaving';
}

function isSelected(node: NodeDocument, { gateways }: IngressDocument): boolean {
  return selectorsOf(node).some((selector) => gateways.includes(selector));
}

function* candidatesFor(placing: Placing, ingress: IngressDocument): Generator<Candidate> {
  const { tx, indexes } = placing;
  const ids = new Set(ingress.gateways.flatMap((selector) => [...indexes.selected.of(selector)]));
  for (const id of ids) {
    const name = tx.get('node', id)?.body.name;
    if (name === undefined || fitnessOf(tx, id, ingress) !== 'fit') continue;
    yield { node: id as NodeId, name, ingresses: placing.ingressesOn(id) };
  }
}

function isSame(a: readonly Gateway[], b: readonly Gateway[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ node, draining }, index) => b[index]?.node === node && b[index].draining === draining)
  );
}

/** By name, so that only a difference counts. */
function servingNames(view: View, gateways: readonly Gateway[]): string[] {
  return gateways
    .filter(({ draining }) => !draining)
    .map(({ node }) => view.get('node', node)?.body.name ?? node)
    .sort();
}
