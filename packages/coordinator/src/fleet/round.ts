import type { Transaction } from '../mesh/transaction.ts';
import type { FleetIndexes } from './fleet-indexes.ts';
import type { RelayMeasurements } from './relay-measurements.ts';
import { RelayStandings } from './relay-standings.ts';
import type { ConnectionCounts, RoundTrips } from './what-nodes-report.ts';

/** What choices are made from, round after round. */
export interface Sources {
  readonly indexes: FleetIndexes;
  readonly round_trips: RoundTrips;
  readonly measurements: RelayMeasurements;
  readonly counts: ConnectionCounts;
}

/**
 * One run of a transaction that makes choices. The indexes know what is committed; what this run has chosen so far
 * counts on top, so that a thousand nodes in one round do not all take the emptiest relay.
 */
export class Round {
  readonly tx: Transaction;
  readonly sources: Sources;
  readonly relays: RelayStandings;
  /** What this run gave to gateways, or took from them. */
  readonly #ingresses = new Map<string, number>();

  constructor(tx: Transaction, sources: Sources) {
    this.tx = tx;
    this.sources = sources;
    this.relays = new RelayStandings(tx, sources.indexes, sources.measurements);
  }

  ingressesOn(node: string): number {
    return this.sources.indexes.placed.of(node).size + (this.#ingresses.get(node) ?? 0);
  }

  gave(node: string, count: 1 | -1): void {
    this.#ingresses.set(node, (this.#ingresses.get(node) ?? 0) + count);
  }
}
