/** The wanted addresses, routes and rules of the mesh on this host, from the view. */
import { anyContains, readNetwork } from '@meshwork/addresses';
import { arrayOf, object, string } from '@meshwork/contract/answers';
import type { AcceptRoutes } from '@meshwork/policy/routes';
import { choosePart, type Guarded, type GuardedPart, type PartGuard } from '../../rollback/guarded-part.ts';
import { changedSince, type Mark, markOf } from '../../view/changes.ts';
import { chosenRoutes, withoutPrefix } from '../../view/chosen-routes.ts';
import type { HeldView } from '../../view/held-view.ts';
import type { NetworkPlan } from './mesh-network.ts';

type NodeNetwork = Pick<NetworkPlan, 'addresses' | 'forwarded'> & { readonly networks: readonly string[] };

const texts = arrayOf(string);

/** What the node itself is: its addresses, the networks of the mesh, and what it forwards to. */
export const NETWORK_PART: GuardedPart<NodeNetwork> = {
  name: 'network',
  section: 'self',
  none: { addresses: [], networks: [], forwarded: [] },
  shape: object({ addresses: texts, networks: texts, forwarded: texts }),
};

/** Networks that are reached through peers. */
export const ROUTES_PART: GuardedPart<readonly string[]> = {
  name: 'routes',
  section: 'acl',
  none: [],
  shape: texts,
};

interface PlanOptions {
  readonly kept_out: readonly string[];
  readonly accept: AcceptRoutes;
  readonly strays?: StrayPeers;
}

/** What goes into the mesh and what comes through the node. Before the node knows who it is, there is nothing to plan. */
export function networkPlan(
  view: HeldView,
  { kept_out, accept, strays = new StrayPeers() }: PlanOptions,
): NetworkPlan | undefined {
  const { self } = view.sections;
  if (self === undefined) return undefined;
  const { address, address6, networks, routes: forwarded } = self;
  return {
    addresses: [address, address6],
    routes: [...new Set([...networks, ...strays.of(view, networks), ...chosenRoutes(view, accept).keys()])],
    forwarded,
    kept_out,
  };
}

/**
 * Addresses of peers that the mesh's networks do not have in them: the setting was changed after they were given. Remembers
 * what it found, and looks only at peers that changed since.
 */
export class StrayPeers {
  #known: { readonly mark: Mark; readonly networks: string } | undefined;
  readonly #strays = new Map<string, readonly string[]>();

  of(view: HeldView, networks: readonly string[]): readonly string[] {
    const text = networks.join();
    const changes = text === this.#known?.networks ? changedSince(view, this.#known.mark) : undefined;
    if (changes === undefined) this.#strays.clear();
    this.#known = { mark: markOf(view), networks: text };
    const meshNetworks = networks.map(readNetwork);
    for (const id of changes?.keys() ?? view.peers.ids()) {
      const peer = view.peers.get(id);
      const own = peer === undefined ? [] : [peer.address, peer.address6];
      const stray = own.filter((address) => !anyContains(meshNetworks, withoutPrefix(address)));
      if (stray.length > 0) this.#strays.set(id, stray);
      else this.#strays.delete(id);
    }
    return [...this.#strays.values()].flat().sort();
  }
}

export function guardedNetwork(view: HeldView, plan: NetworkPlan, guard: PartGuard): Guarded<NetworkPlan> {
  const networks = view.sections.self?.networks ?? [];
  const own = { addresses: plan.addresses, networks, forwarded: plan.forwarded };
  const behind = plan.routes.filter((route) => !networks.includes(route)).toSorted();
  const network = choosePart(guard, view, NETWORK_PART, own);
  const routes = choosePart(guard, view, ROUTES_PART, behind);
  return { plan: withParts(plan, network.value, routes.value), parts: [network, routes] };
}

/** The wanted plan with the chosen parts in it. It never forwards to more than is wanted now. */
function withParts(plan: NetworkPlan, network: NodeNetwork, routes: readonly string[]): NetworkPlan {
  return {
    addresses: network.addresses,
    routes: [...new Set([...network.networks, ...routes])],
    forwarded: plan.forwarded.filter((one) => network.forwarded.includes(one)),
    kept_out: plan.kept_out,
  };
}
