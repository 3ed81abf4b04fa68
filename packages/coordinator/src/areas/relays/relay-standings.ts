import type { NodeId } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import { isHealthy } from '../../node-status/relay-health.ts';
import type { RelayProofs } from '../../node-status/relay-proofs.ts';
import type { RelayIndexes } from './relay-indexes.ts';

/** A relay as one choice sees it. */
export interface RelayStanding {
  readonly name: string;
  /** The node that runs it. Null: it is external. */
  readonly node: NodeId | null;
  /** Null: not said. */
  readonly site: string | null;
  readonly healthy: boolean;
  readonly draining: boolean;
  readonly capacity: number;
  /** Nodes whose home it is, the one that is being chosen for included if it is there. */
  readonly load: number;
  /** Nodes that it is the standby of, likewise. */
  readonly standbys: number;
}

/** What one node uses. */
interface Uses {
  readonly relay: string | null;
  readonly standby: string | null;
}

/** Every relay as it stands in one round of choices: each choice counts for the next one's load. */
export class RelayStandings {
  readonly #byName = new Map<string, RelayStanding>();

  constructor(view: View, indexes: RelayIndexes, proofs: RelayProofs) {
    for (const relay of view.all('relay')) {
      const { id: name, body } = relay;
      const { node, draining, capacity, site = null } = body;
      const load = indexes.assigned.of(name).size;
      const standbys = indexes.standby.of(name).size;
      const healthy = isHealthy(view, relay, proofs);
      this.#byName.set(name, { name, node, site, draining, capacity, load, standbys, healthy });
    }
  }

  get byName(): ReadonlyMap<string, RelayStanding> {
    return this.#byName;
  }

  moved(from: Uses, to: Uses): void {
    this.#add('load', from.relay, -1);
    this.#add('load', to.relay, 1);
    this.#add('standbys', from.standby, -1);
    this.#add('standbys', to.standby, 1);
  }

  #add(what: 'load' | 'standbys', name: string | null, count: number): void {
    const relay = name === null ? undefined : this.#byName.get(name);
    if (relay !== undefined) this.#byName.set(relay.name, { ...relay, [what]: relay[what] + count });
  }
}

/** How many more nodes can be given it as their home. */
export function roomOf({ healthy, draining, capacity, load }: RelayStanding): number {
  return healthy && !draining ? Math.max(0, capacity - load) : 0;
}

/** How many more nodes can be given it as their standby. Less than none: homes have come that need the place. */
export function freeOf({ capacity, load, standbys }: RelayStanding): number {
  return capacity - load - standbys;
}

/** Nearer first, where the node has measured; then the emptier; then by name, so that the same is always chosen. */
export function isBetter(a: RelayStanding, b: RelayStanding, round_trips: ReadonlyMap<string, number>): boolean {
  const toA = round_trips.get(a.name) ?? Number.POSITIVE_INFINITY;
  const toB = round_trips.get(b.name) ?? Number.POSITIVE_INFINITY;
  if (toA !== toB) return toA < toB;
  // Multiplied out, so that equal shares are equal whatever the capacities.
  const fuller = a.load * b.capacity - b.load * a.capacity;
  return fuller === 0 ? a.name < b.name : fuller < 0;
}
