import type { Model } from '../mesh/model.ts';
import type { FleetIndexes } from './fleet-indexes.ts';
import { RelayStandings, roomOf } from './relay-standings.ts';
import type { Sources } from './round.ts';

/** An ingress weighs as much as so many nodes: it may have many candidates to look at. */
const INGRESS_WEIGHT = 10;

/** What has to be looked at, at most so much of it. */
export interface Slice {
  readonly nodes: readonly string[];
  readonly cidrs: readonly string[];
  readonly ingresses: readonly string[];
}

/** What has to be looked at again, once each however often it was touched. */
export class Touched {
  /** Whose relay is in question. */
  readonly nodes = new Set<string>();
  /** Whose provider is. */
  readonly cidrs = new Set<string>();
  /** Whose gateways are. */
  readonly ingresses = new Set<string>();
  /** Relays that are other than they were: a question to all their nodes, and to those that wait for one. */
  readonly relays = new Set<string>();
  /** Relays that only lost a node, which may be good news for one that waits. */
  readonly openings = new Set<string>();

  get isEmpty(): boolean {
    return [this.nodes, this.cidrs, this.ingresses, this.relays, this.openings].every(({ size }) => size === 0);
  }

  clear(): void {
    for (const set of [this.nodes, this.cidrs, this.ingresses, this.relays, this.openings]) set.clear();
  }

  /** Everything there is. */
  all(model: Model, { claimed }: FleetIndexes): void {
    for (const kind of ['node', 'assignment'] as const) for (const { id } of model.all(kind)) this.nodes.add(id);
    for (const kind of ['ingress', 'placement'] as const) for (const { id } of model.all(kind)) this.ingresses.add(id);
    for (const cidr of claimed.keys()) this.cidrs.add(cidr);
    for (const kind of ['route', 'overlap'] as const) for (const { body } of model.all(kind)) this.cidrs.add(body.cidr);
  }

  /** Takes some of it, roles of nodes first: more depends on them. Undefined: nobody was concerned after all. */
  take(limit: number, model: Model, sources: Sources): Slice | undefined {
    this.#spread(model, sources);
    const cidrs = some(this.cidrs, limit);
    let left = limit - cidrs.length;
    const ingresses = some(this.ingresses, Math.floor(left / INGRESS_WEIGHT));
    left -= ingresses.length * INGRESS_WEIGHT;
    const nodes = some(this.nodes, left);
    return left === limit && nodes.length === 0 ? undefined : { cidrs, ingresses, nodes };
  }

  /** A slice that could not be written comes last: it must not keep the rest waiting. */
  putBack({ nodes, cidrs, ingresses }: Slice): void {
    for (const id of nodes) this.nodes.add(id);
    for (const id of cidrs) this.cidrs.add(id);
    for (const id of ingresses) this.ingresses.add(id);
  }

  /** From relays to nodes. */
  #spread(model: Model, { indexes, measurements }: Sources): void {
    for (const relay of this.relays) {
      for (const id of indexes.assigned.of(relay)) this.nodes.add(id);
      for (const id of indexes.pinned.of(relay)) this.nodes.add(id);
      this.openings.add(relay);
    }
    if (this.openings.size > 0 && indexes.waiting.size > 0) {
      const { byName } = new RelayStandings(model, indexes, measurements);
      const room = [...this.openings].reduce((sum, name) => {
        const relay = byName.get(name);
        return sum + (relay === undefined ? 0 : roomOf(relay));
      }, 0);
      // Some who wait may be the relays' own nodes, which cannot use the room that there is.
      if (room > 0) for (const id of indexes.waiting.values().take(room + byName.size)) this.nodes.add(id);
    }
    this.relays.clear();
    this.openings.clear();
  }
}

function some(ids: Set<string>, limit: number): readonly string[] {
  const taken = ids.values().take(limit).toArray();
  for (const id of taken) ids.delete(id);
  return taken;
}
