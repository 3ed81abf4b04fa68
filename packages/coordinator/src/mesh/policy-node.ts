import type { NodeId } from '@meshwork/contract';
import type { PolicyNode } from '@meshwork/policy';
import type { View } from './model.ts';
import { boundaryOfNode, isMember } from './node-state.ts';

/** A node as the policy sees it. Undefined: it has no part in the mesh, or there is none. */
export function policyNode(
  view: View,
  routes: { of(node: string): readonly string[] },
  id: NodeId,
): PolicyNode | undefined {
  const node = view.get('node', id)?.body;
  if (node === undefined || !isMember(node)) return undefined;
  return {
    id,
    name: node.name,
    tags: node.tags,
    boundary: boundaryOfNode(node),
    fresh: view.get('liveness', id) === undefined,
    agent_version: view.get('report', id)?.body.agent_version ?? null,
    provides: routes.of(id),
  };
}
