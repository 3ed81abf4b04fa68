import type { NodeId } from '@meshwork/contract';
import type { Changed, View } from '../mesh/model.ts';

const NONE: readonly string[] = [];

/** Which networks each node forwards to now, kept by node. The documents are kept by boundary and network. */
export class RoutesOf {
  readonly #byNode = new Map<string, readonly string[]>();

  reset(view: View): void {
    this.#byNode.clear();
    for (const { body } of view.all('route')) this.#add(body.provider, body.cidr);
  }

  /** Returns the nodes that it concerns. */
  update({ before, after }: Changed<'route'>): readonly NodeId[] {
    const [old, next] = [before?.body, after?.body];
    if (old?.provider === next?.provider) return [];
    if (old !== undefined) this.#remove(old.provider, old.cidr);
    if (next !== undefined) this.#add(next.provider, next.cidr);
    return [old, next].flatMap((route) => (route === undefined ? [] : [route.provider]));
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
    const rest = this.of(node).filter((other) => other !== cidr);
    if (rest.length === 0) this.#byNode.delete(node);
    else this.#byNode.set(node, rest);
  }
}
