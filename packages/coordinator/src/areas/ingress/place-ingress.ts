import type { IngressId, NodeId, Scope } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { ConnectionCounts } from '../../node-status/what-nodes-report.ts';
import { noteCut } from '../../operations/operations.ts';
import { type Candidate, chooseGateways, type Gateway } from './choose-gateways.ts';
import { fitnessOf, portHolder, selectedNodes } from './gateway-fitness.ts';
import type { IngressIndexes } from './ingress-indexes.ts';

/**
 * One transaction that places ingresses. The indexes know what is committed; what it has given so far counts on top, so that
 * many ingresses at once neither all go to the gateway with the fewest, nor get one port of it twice.
 */
export class Placing {
  readonly tx: Transaction;
  readonly indexes: IngressIndexes;
  readonly counts: ConnectionCounts;
  /** Ingresses that it gave other gateways. */
  readonly placed = new Set<string>();
  /** Drains of nodes of which it noted what they ended, with their scopes: they are for the trail. */
  readonly noted = new Map<string, Scope>();
  /** How many it gave to gateways, or took from them. */
  readonly #given = new Map<string, number>();

  constructor(tx: Transaction, indexes: IngressIndexes, counts: ConnectionCounts) {
    this.tx = tx;
    this.indexes = indexes;
    this.counts = counts;
  }

  /** Once for all: a transaction has one entry. */
  record(): void {
    const [only, ...others] = this.noted;
    if (only === undefined) return;
    const [id, scope] = only;
    const one = others.length === 0 ? { target: { kind: 'operation' as const, id }, scope } : { target: null };
    this.tx.record({ ...one, detail: 'connections were ended at the deadline', count: this.noted.size });
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
  const { replicas, draining } = ingress.body;
  const chosen = chooseGateways({
    replicas,
    draining,
    present,
    fitness: (node) => fitnessOf(tx, node, ingress.body),
    isDrained: (node) => counts.isDrained(node, id as IngressId),
    candidates: () => candidatesFor(placing, ingress),
  });
  if (isSame(present, chosen)) return;
  for (const { node } of present) placing.gave(node, -1);
  for (const { node } of chosen) placing.gave(node, 1);
  placing.placed.add(id);
  noteEnded(placing, id, present, chosen);
  keepGateways(tx, ingress, chosen);
}

/** A node that drains has finished with it. What it had to end is kept with its operation, as it forgets that now. */
function noteEnded(placing: Placing, id: string, present: readonly Gateway[], chosen: readonly Gateway[]): void {
  const { tx, counts } = placing;
  for (const { node } of present) {
    const isGone = !chosen.some((gateway) => gateway.node === node);
    if (isGone && counts.isDrained(node, id as IngressId)) {
      const noted = noteCut(tx, node, counts.ended(node, id as IngressId).cut);
      if (noted !== undefined) placing.noted.set(noted.id, noted.body.scope);
    }
  }
}

/**
 * An ingress that was given another port leaves the gateways where another has that already. In the same commit, so that no
 * gateway is ever sent two that listen on one port.
 */
export function leaveTakenPorts(tx: Transaction, ingress: Stored<'ingress'>, indexes: IngressIndexes): void {
  const present = tx.get('placement', ingress.id)?.body.gateways ?? [];
  const free = present.filter(({ node }) => portHolder(tx, indexes, { node, ingress }) === undefined);
  if (free.length < present.length) keepGateways(tx, ingress, free);
}

function keepGateways(tx: Transaction, { id, body }: Stored<'ingress'>, chosen: readonly Gateway[]): void {
  const before = servingNames(tx, tx.get('placement', id)?.body.gateways ?? []);
  if (chosen.length === 0) tx.delete('placement', id);
  else tx.put('placement', id, { gateways: chosen });
  const gateways = servingNames(tx, chosen);
  if (gateways.join() === before.join()) return;
  const { name, scope } = body;
  tx.emit({ type: 'ingress.placed', subject: { kind: 'ingress', id }, scope, data: { name, gateways } });
}

function* candidatesFor(placing: Placing, ingress: Stored<'ingress'>): Generator<Candidate> {
  const { tx, indexes, placed: given } = placing;
  for (const { id, body } of selectedNodes(tx, indexes, ingress.body)) {
    if (fitnessOf(tx, id, ingress.body) !== 'fit') continue;
    if (portHolder(tx, indexes, { node: id, ingress, given }) !== undefined) continue;
    yield { node: id as NodeId, name: body.name, ingresses: placing.ingressesOn(id) };
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
