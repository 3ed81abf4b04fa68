import type { NodeId } from '@meshwork/contract';
import type { PolicyNode } from '@meshwork/policy';
import type { View } from './model.ts';
import { boundaryOfNode, isMember } from './node-state.ts';
import { sharedRoutes } from './shared-routes.ts';

/** A node as the policy sees it. Undefined: it has no part in the mesh, or there is none. */
export function policyNode(
  view: View,
  routes: { of(node: string): readonly string[] },
  id: NodeId,
): PolicyNode | undefined {
  const node = view.get('node', id)?.body;
  if (node === undefined || !isMember(node)) return undefined;
  const provides = routes.of(id);
  return {
    id,
    name: node.name,
    tags: node.tags,
    boundary: boundaryOfNode(node),
    fresh: view.get('liveness', id) === undefined,
    agent_version: view.get('report', id)?.body.agent_version ?? null,
    provides,
    shares: provides.length === 0 ? provides : sharedOf(sharedRoutes(view, node), provides),
  };
}

function sharedOf(shared: readonly string[], provides: readonly string[]): readonly string[] {
  return provides.filter((cidr) => shared.includes(cidr));
}
