import { covers, type IngressId, type NodeId } from '@meshwork/contract';
import { carries } from '../mesh/abilities.ts';
import type { IngressDocument, NodeDocument } from '../mesh/kinds.ts';
import type { View } from '../mesh/model.ts';
import { boundaryOfNode, isMember, mayServe } from '../mesh/node-state.ts';
import { type Candidate, chooseGateways, type Fitness, type Gateway } from './choose-gateways.ts';
import { selectorsOf } from './fleet-indexes.ts';
import type { Round } from './round.ts';

/** Brings the gateways of one ingress in line. */
export function placeIngress(round: Round, id: string): void {
  const { tx, sources } = round;
  const ingress = tx.get('ingress', id);
  const present = tx.get('placement', id)?.body.gateways ?? [];
  if (ingress === undefined) {
    tx.delete('placement', id);
    return;
  }
  const { replicas, draining, scope } = ingress.body;
  const chosen = chooseGateways({
    replicas,
    draining,
    present,
    fitness: (node) => fitnessOf(tx, node, ingress.body),
    connections: (node) => sources.counts.connections(node, id as IngressId),
    candidates: () => candidatesFor(round, ingress.body),
  });
  if (isSame(present, chosen)) return;
  for (const { node } of present) round.gave(node, -1);
  for (const { node } of chosen) round.gave(node, 1);
  if (chosen.length === 0) tx.delete('placement', id);
  else tx.put('placement', id, { gateways: chosen });
  const gateways = servingNames(tx, chosen);
  if (gateways.join() === servingNames(tx, present).join()) return;
  tx.tell({ type: 'ingress.placed', subject: { kind: 'ingress', id }, scope, data: { gateways } });
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

function* candidatesFor(round: Round, ingress: IngressDocument): Generator<Candidate> {
  const { tx } = round;
  const ids = new Set(ingress.gateways.flatMap((selector) => [...round.sources.indexes.selected.of(selector)]));
  for (const id of ids) {
    const name = tx.get('node', id)?.body.name;
    if (name === undefined || fitnessOf(tx, id, ingress) !== 'fit') continue;
    yield { node: id as NodeId, name, ingresses: round.ingressesOn(id) };
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
