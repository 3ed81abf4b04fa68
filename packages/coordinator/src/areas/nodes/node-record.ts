import { covers, type Node, type NodeId, type Scope, utc } from '@meshwork/contract';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { boundaryOfNode, nodeState, stateSince } from '../../mesh/node-state.ts';
import { termsBetween } from '../../views/reach.ts';

/** A node as callers see it: the specification's nine fields first, then ours. */
export function nodeRecord(
  { view, fleet, scope }: { readonly view: View; readonly fleet: Fleet; readonly scope: Scope },
  node: Stored<'node'>,
): Node {
  const id = node.id as NodeId;
  const { body } = node;
  const report = view.get('report', id)?.body;
  const sighting = fleet.sightings.of(id);
  const services = report?.services ?? [];
  return {
    id,
    name: body.name,
    address: `${body.address}/32`,
    tags: [...body.tags],
    routes: [...routesThroughOthers({ view, fleet, scope }, id)].sort(),
    relay: view.get('assignment', id)?.body.relay ?? null,
    services: services.map(({ name }) => name),
    heartbeat: sighting.heartbeat_ms === undefined ? null : utc(sighting.heartbeat_ms),
    acl_matches: [...fleet.views.reach.matches(id)],
    state: nodeState(view, node),
    state_since: stateSince(view, node),
    address6: `${body.address6}/128`,
    endpoints: [...(report?.endpoints ?? [])],
    service_bindings: services.map((service) => ({ ...service })),
    routes_offered: [...(report?.routes_offered ?? [])],
    routes_approved: [...body.routes_approved],
    routes_provided: [...fleet.routes.of(id)],
    pinned_relay: body.pinned_relay,
    identity_key: body.identity_key,
    wireguard_key: body.wireguard_key,
    agent_version: report?.agent_version ?? null,
    clock_skew_s: sighting.clock_skew_s ?? null,
    seen_from: sighting.address ?? null,
    drift_since: view.get('drift', id)?.body.since ?? null,
    created_at: body.created_at,
    created_by: body.created_by,
    revision: node.revision,
  };
}

/** Only through those whom the caller may see. */
function* routesThroughOthers(
  { view, fleet, scope }: { readonly view: View; readonly fleet: Fleet; readonly scope: Scope },
  id: NodeId,
): Generator<string> {
  for (const [provider] of fleet.routes.all()) {
    const node = view.get('node', provider)?.body;
    if (node === undefined || !covers(scope, boundaryOfNode(node))) continue;
    const terms = termsBetween(fleet.views.reach, id, provider as NodeId);
    for (const cidr of terms?.routes ?? []) yield `${cidr} via ${node.name}`;
  }
}
