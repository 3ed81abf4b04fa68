import { isSelected, type LeafSelector, type Selectable } from '../document/selector.ts';
import type { PolicyIndex } from './policy-index.ts';
import { boundaryText } from './wording.ts';

export interface Suggestion {
  readonly index: PolicyIndex;
  readonly source: Selectable;
  readonly target: Selectable | undefined;
  readonly isTargetHidden: boolean;
  readonly address: string | undefined;
  readonly port: string;
}

/** The grant that somebody would write who wants just this, with a group of their own for a node that has no fitting one. */
export function suggestGrant({ index, source, target, isTargetHidden, address, port }: Suggestion): string {
  const from = groupFor(source, index);
  if (address !== undefined) return written([from], { from: from.name, to: asNetwork(address), port });
  if (isTargetHidden || target === undefined) return 'Write a grant for it.';
  const to = groupFor(target, index);
  return written([from, to], { from: from.name, to: to.name, port });
}

/** The same, where both ends have a group already that says what they are. */
export function fittingGrant(suggestion: Suggestion): readonly string[] {
  const { index, source, target, isTargetHidden, address } = suggestion;
  const isKnown = (node: Selectable) => groupFor(node, index).node === undefined;
  const isFitting = address !== undefined || (target !== undefined && !isTargetHidden && isKnown(target));
  return isFitting && isKnown(source) ? [suggestGrant(suggestion)] : [];
}

export function grantText({ from, to, port }: Readonly<Record<'from' | 'to' | 'port', string>>): string {
  return `{"from": "${from}", "to": "${to}", "allow": ["${port}"]}`;
}

interface Fitting {
  readonly name: string;
  /** Undefined: the group is there already. */
  readonly node: string | undefined;
}

function written(groups: readonly Fitting[], grant: Readonly<Record<'from' | 'to' | 'port', string>>): string {
  const added = groups.flatMap(({ name, node }) => (node === undefined ? [] : [`"${name}": ["node:${node}"]`]));
  const missing = [...new Set(added)];
  const first =
    missing.length === 0
      ? ''
      : `, and with it ${missing.length === 1 ? 'the group' : 'the groups'} ${missing.join(', ')}`;
  return `Write a grant: ${grantText(grant)}${first}.`;
}

function asNetwork(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32}`;
}

/** The more a selector says, the fewer it lets in besides. One that lets in everybody is never suggested. */
const NARROW: Readonly<Record<LeafSelector['kind'], number>> = { node: 0, tag: 1, scope: 2, all: Infinity };

function isEverybody(leaf: LeafSelector): boolean {
  return leaf.kind === 'all' || (leaf.kind === 'scope' && boundaryText(leaf) === '*/*/*');
}

function groupFor(node: Selectable, index: PolicyIndex): Fitting {
  let best: { readonly name: string; readonly width: number } | undefined;
  for (const name of index.groupsOf(node)) {
    const leaves = index.leavesOf(name);
    if (leaves.some(isEverybody)) continue;
    const own = leaves.filter((leaf) => isSelected(leaf, node)).map(({ kind }) => NARROW[kind]);
    const width = Math.min(...own) * 1000 + leaves.length;
    if (best === undefined || width < best.width) best = { name, width };
  }
  if (best !== undefined) return { name: best.name, node: undefined };
  const name = Object.hasOwn(index.document.groups, node.name) ? `only-${node.name}` : node.name;
  return { name, node: node.name };
}
