import type { Scope } from '@meshwork/contract';
import type { NodeDocument } from '../kinds/nodes.ts';
import type { View } from './model.ts';
import { boundaryOfNode } from './node-state.ts';

/**
 * Where the node was that had the name last, and was removed since. Undefined: none is remembered. Looks at every node: it is
 * asked about names that the policy mentions, of which there are few.
 */
export function lastHolder(view: View, name: string): Scope | undefined {
  const kept = view.get('former_name', name)?.body;
  let last: NodeDocument | undefined;
  for (const { body } of view.all('node')) {
    if (body.name !== name || body.removed_at === null) continue;
    if (last === undefined || isLater(body.removed_at, last.removed_at)) last = body;
  }
  if (last !== undefined && isLater(last.removed_at, kept?.removed_at ?? null)) return boundaryOfNode(last);
  return kept?.boundary;
}

function isLater(at: string | null, other: string | null): boolean {
  return at !== null && (other === null || Date.parse(at) > Date.parse(other));
}
