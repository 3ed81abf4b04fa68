import type { NodeId, RelayProof } from '@meshwork/contract';

type Reported = readonly RelayProof[];
const NONE: ReadonlySet<NodeId> = new Set();

/**
 * Which nodes have sent something through which relay, by what each last reported. Whether a node is fresh is for those to ask who
 * use it.
 */
export class RelayProofs {
  readonly #nodes = new Map<string, Set<NodeId>>();
  readonly #reports = new Map<NodeId, Reported>();
  #changed: (relay: string) => void = () => undefined;

  /** Calls back when a node begins or ceases to prove a relay. */
  onChange(changed: (relay: string) => void): void {
    this.#changed = changed;
  }

  /** Those whose packets came back through it. */
  nodesOf(relay: string): ReadonlySet<NodeId> {
    return this.#nodes.get(relay) ?? NONE;
  }

  relaysOf(node: NodeId): readonly string[] {
    return provenIn(this.#reports.get(node) ?? []);
  }

  /** What a node found to be wrong with it. Undefined: none has said. Looks at what all nodes reported. */
  problemWith(relay: string): { readonly node: NodeId; readonly problem: string } | undefined {
    for (const [node, reported] of this.#reports) {
      const problem = reported.find(({ name }) => name === relay)?.problem;
      if (problem !== undefined) return { node, problem };
    }
    return undefined;
  }

  /** Nearly every heartbeat leaves the list as it was, and then costs one comparison. */
  note(node: NodeId, reported: Reported): void {
    const before = this.#reports.get(node);
    if (before === reported) return;
    this.#reports.set(node, reported);
    const [old, now] = [before ?? [], reported].map((list) => new Set(provenIn(list)));
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

function provenIn(reported: Reported): string[] {
  return reported.filter(({ carries }) => carries).map(({ name }) => name);
}
