import type { Kind } from '../kinds/kinds.ts';
import type { Changed, Model, ModelWatch } from '../mesh/model.ts';

const NONE: readonly string[] = [];

/**
 * Which networks each node forwards to now, kept by node. The documents are kept by boundary and network: while a node moves to
 * another boundary, there may be two that say the same.
 */
export class RoutesOf implements ModelWatch {
  readonly #model: Model;
  readonly #byNode = new Map<string, readonly string[]>();

  constructor(model: Model) {
    this.#model = model;
    this.reset();
    model.watch(this);
  }

  reset(): void {
    this.#byNode.clear();
    for (const { body } of this.#model.all('route')) this.#add(body.provider, body.cidr);
  }

  changed<K extends Kind>(change: Changed<K>): void {
    if (change.kind !== 'route') return;
    const { before, after } = change as Changed as Changed<'route'>;
    const [old, next] = [before?.body, after?.body];
    if (old?.provider === next?.provider) return;
    if (old !== undefined) this.#remove(old.provider, old.cidr);
    if (next !== undefined) this.#add(next.provider, next.cidr);
  }

  /** Those that forward to anything, with what. */
  all(): Iterable<readonly [node: string, cidrs: readonly string[]]> {
    return this.#byNode;
  }

  of(node: string): readonly string[] {
    return this.#byNode.get(node) ?? NONE;
  }

  #add(node: string, cidr: string): void {
    this.#byNode.set(node, [...this.of(node), cidr].sort());
  }

  #remove(node: string, cidr: string): void {
    const cidrs = this.of(node);
    const rest = cidrs.toSpliced(cidrs.indexOf(cidr), 1);
    if (rest.length === 0) this.#byNode.delete(node);
    else this.#byNode.set(node, rest);
  }
}
