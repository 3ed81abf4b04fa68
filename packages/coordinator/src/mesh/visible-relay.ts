import { covers, type Scope, WHOLE_MESH } from '@meshwork/contract';
import type { View } from './model.ts';
import { boundaryOfNode } from './node-state.ts';

/**
 * Whether a caller may know which relay it is. Relays are shared by the whole mesh, but which node runs one is for those
 * to know who may see the node. One that there is not any more is for those who may see all.
 */
export function isVisibleRelay(view: View, scope: Scope, name: string): boolean {
  const relay = view.get('relay', name);
  if (relay === undefined) return covers(scope, WHOLE_MESH);
  const { node } = relay.body;
  if (node === null) return true;
  const runs = view.get('node', node);
  return runs !== undefined && covers(scope, boundaryOfNode(runs.body));
}
