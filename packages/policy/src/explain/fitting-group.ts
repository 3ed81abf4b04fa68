import { isGroupName, type LeafSelector, type Selectable } from '../document/selector.ts';
import type { PolicyIndex } from './policy-index.ts';

/** A group that a grant may name for a node. */
export interface Fitting {
  readonly name: string;
  /** Whom the group has to be made for. Undefined: it is there already. */
  readonly node: string | undefined;
}

/** The narrowest group that it is in. A group of every node says nothing about it, and is never taken. */
export function groupFor(node: Selectable, index: PolicyIndex): Fitting {
  let best: { readonly name: string; readonly width: number } | undefined;
  for (const name of index.groupsOf(node)) {
    if (index.isEveryNode(name)) continue;
    const width = index.leavesOf(name).reduce((sum, leaf) => sum + widthOf(leaf), 0);
    if (best === undefined || width < best.width) best = { name, width };
  }
  return best === undefined ? alone(node, index) : { name: best.name, node: undefined };
}

/** A group of its own, under a name that is not taken. */
export function alone({ name: node }: Selectable, { document }: PolicyIndex): Fitting {
  const isFree = (name: string) => isGroupName(name) && !Object.hasOwn(document.groups, name);
  let name = isFree(node) ? node : `only-${node}`;
  for (let number = 2; !isFree(name); number++) name = `${node.slice(0, LONGEST_STEM)}-${number}`;
  return { name, node };
}

/** Leaves room for a number in a name of 63 characters. */
const LONGEST_STEM = 56;

/** The more specific a selector, the fewer nodes it matches: a node one, a tag some, and a scope all that are in it. */
function widthOf(leaf: LeafSelector): number {
  switch (leaf.kind) {
    case 'node':
      return 1;
    case 'tag':
      return 1e3;
    case 'scope':
      return 1e6 * 10 ** [leaf.team, leaf.surface, leaf.environment].filter((part) => part === '*').length;
    case 'all':
      return Infinity;
  }
}
