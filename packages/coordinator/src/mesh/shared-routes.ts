import type { NodeDocument } from '../kinds/nodes.ts';
import type { View } from './model.ts';
import { boundaryOfNode } from './node-state.ts';
import { routeId } from './route-id.ts';

/**
 * Approved networks of the node that are for the whole mesh. Documents of older versions do not say. Then every network
 * was for the whole mesh, and stays so unless it overlaps one of another boundary.
 */
export function sharedRoutes(view: View, node: NodeDocument): readonly string[] {
  return node.routes_shared ?? node.routes_approved.filter((cidr) => !isOverlapping(view, node, cidr));
}

/** Whether an approved network of the node overlaps one that is approved in another boundary. */
export function isOverlapping(view: View, node: NodeDocument, cidr: string): boolean {
  return view.get('overlap', routeId(boundaryOfNode(node), cidr)) !== undefined;
}
