/** The networks behind a node, how far each is on its way to being used, and who may use it. */
import type { Node } from '@meshwork/contract';

export interface RouteBehind {
  readonly cidr: string;
  readonly is_offered: boolean;
  readonly is_approved: boolean;
  /** Whether its peers reach the network through this very node now. */
  readonly is_provided: boolean;
  /** Whether it is for the whole mesh, not only for the boundary of the node. */
  readonly is_shared: boolean;
  /** Whether a network that is approved in another boundary has some of the same addresses. */
  readonly is_overlapping: boolean;
}

type Routes = Pick<
  Node,
  'routes_offered' | 'routes_approved' | 'routes_provided' | 'routes_shared' | 'routes_overlapping'
>;

export function routesBehind(node: Routes): readonly RouteBehind[] {
  const all = new Set([...node.routes_offered, ...node.routes_approved]);
  return [...all].sort().map((cidr) => ({
    cidr,
    is_offered: node.routes_offered.includes(cidr),
    is_approved: node.routes_approved.includes(cidr),
    is_provided: node.routes_provided.includes(cidr),
    is_shared: node.routes_shared.includes(cidr),
    is_overlapping: node.routes_overlapping.includes(cidr),
  }));
}

export function routeWords({ is_offered, is_approved, is_provided, is_shared }: RouteBehind): string {
  if (!is_approved) return 'Pending approval';
  const users = is_shared ? 'the whole mesh' : 'its own boundary';
  if (is_provided) return `Active for ${users}`;
  const why = is_offered ? 'not active on this node' : 'not advertised by the node';
  return `Approved for ${users}; ${why}`;
}

/** What the host of a node does not take, it does not reach through others. Null: it takes all. */
export function acceptWords(accept: Node['accept_routes']): string | null {
  if (accept === 'none') return 'This host does not accept routes.';
  return accept === 'subnets' ? 'This host accepts subnet routes, but no default route.' : null;
}
