/** The networks behind a node, and how far each is on its way to being used. */
import type { Node } from '@meshwork/contract';

export interface RouteBehind {
  readonly cidr: string;
  readonly is_offered: boolean;
  readonly is_approved: boolean;
  /** Whether its peers reach the network through this very node now. */
  readonly is_provided: boolean;
}

export function routesBehind(
  node: Pick<Node, 'routes_offered' | 'routes_approved' | 'routes_provided'>,
): readonly RouteBehind[] {
  const all = new Set([...node.routes_offered, ...node.routes_approved]);
  return [...all].sort().map((cidr) => ({
    cidr,
    is_offered: node.routes_offered.includes(cidr),
    is_approved: node.routes_approved.includes(cidr),
    is_provided: node.routes_provided.includes(cidr),
  }));
}

export function routeWords({ is_offered, is_approved, is_provided }: RouteBehind): string {
  if (is_provided) return 'In use through this node';
  if (is_approved)
    return is_offered ? 'Approved; not in use through this node now' : 'Approved; the node does not offer it';
  return 'Waits for approval';
}
