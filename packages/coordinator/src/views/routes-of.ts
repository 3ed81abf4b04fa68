import type { NodeId } from '@meshwork/contract';
import type { Changed, View } from '../mesh/model.ts';

const NONE: readonly string[] = [];

/** Which networks each node forwards to now, kept by node. The documents are kept by network. */
export class RoutesOf {
  readonly #byNode = new Map<string, readonly string[]>();

  reset(view: View): void {
    this.#byNode.clear();
    for (const { id, body } of view.all('route')) this.#add(body.provider, id);
  }

  /** Returns the nodes that it concerns. */
  update({ id, before, after }: Changed<'route'>): readonly NodeId[] {
    const [old, next] = [before?.body.provider, after?.body.provider];
    if (old === next) return [];
    if (old !== undefined) this.#remove(old, id);
    if (next !== undefined) this.#add(next, id);
    return [old, next].filter((node) => node !== undefined);
  }

  of(node: string): readonly string[] {
    return this.#byNode.get(node) ?? NONE;
  }

  #add(node: string, cidr: string): void {
    this.#byNode.set(node, [...this.of(node), cidr].sort());
  }

  #remove(node: string, cidr: string): void {
    const rest = this.of(node).filter((other) => other !== cidr);
    if (rest.length === 0) this.#byNode.delete(node);
    else this.#byNode.set(node, rest);
  }
}
