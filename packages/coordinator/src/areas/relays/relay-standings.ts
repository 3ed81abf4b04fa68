import type { View } from '../../mesh/model.ts';
import { isHealthy } from '../../node-status/relay-health.ts';
import type { RelayProofs } from '../../node-status/relay-proofs.ts';
import type { RelayStanding } from './choose-relay.ts';
import type { RelayIndexes } from './relay-indexes.ts';

/** Every relay as it stands in one round of choices: each choice counts for the next one's load. */
export class RelayStandings {
  readonly #byName = new Map<string, RelayStanding>();

  constructor(view: View, indexes: RelayIndexes, proofs: RelayProofs) {
    for (const relay of view.all('relay')) {
      const { id: name, body } = relay;
      const { node, draining, capacity } = body;
      const load = indexes.assigned.of(name).size;
      const healthy = isHealthy(view, relay, proofs);
      this.#byName.set(name, { name, node, draining, capacity, load, healthy });
    }
  }

  get byName(): ReadonlyMap<string, RelayStanding> {
    return this.#byName;
  }

  moved(from: string | null, to: string | null): void {
    this.#add(from, -1);
    this.#add(to, 1);
  }

  #add(name: string | null, count: number): void {
    const relay = name === null ? undefined : this.#byName.get(name);
    if (relay !== undefined) this.#byName.set(relay.name, { ...relay, load: relay.load + count });
  }
}

/** How many more nodes it can be given. */
export function roomOf({ healthy, draining, capacity, load }: RelayStanding): number {
  return healthy && !draining ? Math.max(0, capacity - load) : 0;
}
