import { isDefaultRoute, type Network, parseNetwork } from '@meshwork/addresses';
import { isWholeMesh, MeshError, type Scope } from '@meshwork/contract';
import { networksClash } from '@meshwork/policy';
import type { NodeDocument } from '../kinds/nodes.ts';
import type { TokenActor } from '../mesh/actor.ts';
import type { View } from '../mesh/model.ts';
import { boundaryOfNode } from '../mesh/node-state.ts';
import { routeId } from '../mesh/route-id.ts';
import { sharedRoutes } from '../mesh/shared-routes.ts';

interface Claim {
  readonly actor: TokenActor;
  readonly before: NodeDocument;
  readonly after: NodeDocument;
}

/**
 * Throws unless the caller may have the node forward to what it would forward to after the change. Within a boundary, its
 * operators decide. A network that another boundary uses too, a default route and a network for everyone concern the whole
 * mesh. Only what is new is looked at; a node that moves brings all of its networks along.
 */
export function ensureMayClaim(view: View, { actor, before, after }: Claim): void {
  if (isWholeMesh(actor.scope)) return;
  const [from, to] = [boundaryOfNode(before), boundaryOfNode(after)];
  const isMoved = routeId(from, '') !== routeId(to, '');
  const shared = without(after.routes_shared ?? [], sharedRoutes(view, before));
  const claimed = isMoved ? after.routes_approved : without(after.routes_approved, before.routes_approved);
  for (const cidr of claimed) {
    const network = parseNetwork(cidr);
    if (network === undefined) continue;
    if (isDefaultRoute(network)) {
      throw needsWholeMesh(actor, `${cidr} takes in the addresses of the whole mesh. Approving it`);
    }
    if (isClaimedElsewhere(view, network, to)) {
      throw needsWholeMesh(
        actor,
        `${cidr} overlaps a network that is approved in another boundary. Approving it there`,
      );
    }
  }
  const [first] = shared;
  if (first !== undefined) throw needsWholeMesh(actor, `Sharing ${first} with the whole mesh`);
}

/** Whether a node of another boundary that was not removed is allowed to forward to some of the same addresses. */
function isClaimedElsewhere(view: View, network: Network, boundary: Scope): boolean {
  const own = routeId(boundary, '');
  for (const { body } of view.all('node')) {
    if (body.removed_at !== null || body.routes_approved.length === 0) continue;
    if (routeId(boundaryOfNode(body), '') === own) continue;
    for (const cidr of body.routes_approved) {
      const other = parseNetwork(cidr);
      if (other !== undefined && networksClash(network, other)) return true;
    }
  }
  return false;
}

function needsWholeMesh({ scope: { team, surface, environment } }: TokenActor, what: string): MeshError {
  const own = `${team}/${surface}/${environment}`;
  return new MeshError('mesh_scope_required', `${what} takes the scope */*/*. That of the caller is ${own}.`);
}

function without(list: readonly string[], known: readonly string[]): readonly string[] {
  return list.filter((cidr) => !known.includes(cidr));
}
