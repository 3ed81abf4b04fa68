import type { NodeId, Observed } from '@meshwork/contract';

type Measured = NonNullable<Observed['relays']>;
const NONE: ReadonlySet<NodeId> = new Set();

/** Which nodes measured which relay, by what each last reported. Whether a node is fresh is for those to ask who use it. */
export class RelayMeasurements {
  readonly #nodes = new Map<string, Set<NodeId>>();
  readonly #reports = new Map<NodeId, Measured>();
  #changed: (relay: string) => void = () => undefined;

  /** Calls back when a node begins or ceases to measure a relay. */
  onChange(changed: (relay: string) => void): void {
    this.#changed = changed;
  }

  nodesOf(relay: string): ReadonlySet<NodeId> {
    return this.#nodes.get(relay) ?? NONE;
  }

  relaysOf(node: NodeId): readonly string[] {
    return (this.#reports.get(node) ?? []).map(({ name }) => name);
  }

  /** Nearly every heartbeat leaves the list as it was, and then costs one comparison. */
  note(node: NodeId, measured: Measured): void {
    const before = this.#reports.get(node);
    if (before === measured) return;
    this.#reports.set(node, measured);
    const [old, now] = [before ?? [], measured].map((list) => new Set(list.map(({ name }) => name)));
    for (const relay of old ?? []) if (now?.has(relay) === false) this.#take(relay, node);
    for (const relay of now ?? []) if (old?.has(relay) === false) this.#put(relay, node);
  }

  forget(node: NodeId): void {
    this.note(node, []);
    this.#reports.delete(node);
  }

  #put(relay: string, node: NodeId): void {
    const nodes = this.#nodes.get(relay) ?? new Set();
    nodes.add(node);
    this.#nodes.set(relay, nodes);
    this.#changed(relay);
  }

  #take(relay: string, node: NodeId): void {
    const nodes = this.#nodes.get(relay);
    nodes?.delete(node);
    if (nodes?.size === 0) this.#nodes.delete(relay);
    this.#changed(relay);
  }
}
