import { covers, type Node, type NodeId, type Scope, utc } from '@meshwork/contract';
import { chooseRoutes, type RouteOption, routeOptions } from '@meshwork/policy';
import type { AssignmentDocument } from '../../kinds/relays.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { boundaryOfNode, nodeState, stateSince } from '../../mesh/node-state.ts';
import { isOverlapping, sharedRoutes } from '../../mesh/shared-routes.ts';
import { VisibleRelays } from '../../mesh/visible-relays.ts';
import type { Cohort } from '../../views/reach.ts';
import type { Runtime } from '../runtime.ts';

interface Sources {
  /** That of a transaction, too: a node that is being enrolled is shown as the next read shows it. */
  readonly view: View;
  readonly runtime: Runtime;
  readonly scope: Scope;
}

/** A node as callers see it: the specification's nine fields first, then ours. */
export function nodeRecord(sources: Sources, node: Stored<'node'>): Node {
  const { view, runtime, scope } = sources;
  const relays = new VisibleRelays(view, scope);
  const id = node.id as NodeId;
  const cohort = runtime.views.reach.cohortOf(id) ?? runtime.views.reach.cohortIn(view, id);
  const { body } = node;
  const assignment = view.get('assignment', id)?.body;
  const report = view.get('report', id)?.body;
  const status = runtime.statuses.of(id);
  const services = report?.services ?? [];
  const round_trips = runtime.statuses.roundTrips(id);
  const measured = (relay: string | null | undefined) => (relay == null ? null : (round_trips.get(relay) ?? null));
  return {
    id,
    name: body.name,
    address: `${body.address}/32`,
    tags: [...body.tags],
    routes: [...routesThroughOthers(sources, id, cohort)].sort(),
    relay: relays.shown(assignment?.relay),
    services: services.map(({ name }) => name),
    heartbeat: status.heartbeat_ms === undefined ? null : utc(status.heartbeat_ms),
    acl_matches: cohort === undefined ? [] : [...runtime.views.reach.matches(cohort)],
    state: nodeState(view, node),
    state_since: stateSince(view, node),
    address6: `${body.address6}/128`,
    endpoints: [...(report?.endpoints ?? [])],
    service_bindings: services.map((service) => ({ ...service })),
    routes_offered: [...(report?.routes_offered ?? [])],
    routes_approved: [...body.routes_approved],
    routes_provided: [...runtime.routes.of(id)],
    routes_shared: [...sharedRoutes(view, body)],
    routes_overlapping: body.routes_approved.filter((cidr) => isOverlapping(view, body, cidr)),
    routes_refused: (report?.routes_refused ?? []).map((refused) => ({ ...refused })),
    accept_routes: report?.accept_routes ?? null,
    nat: report?.nat ?? null,
    names: report?.names === undefined ? null : { ...report.names },
    relayed: report?.relayed?.filter(({ relay }) => relays.has(relay)).map((place) => ({ ...place })) ?? null,
    standby_relay: relays.shown(assignment?.standby),
    relay_rtt_ms: measured(assignment?.relay),
    standby_rtt_ms: measured(assignment?.standby),
    relay_choice: choiceOf(assignment, relays),
    pinned_relay: relays.shown(body.pinned_relay),
    identity_key: body.identity_key,
    wireguard_key: body.wireguard_key,
    agent_version: report?.agent_version ?? null,
    abilities: report?.abilities === undefined ? null : { ...report.abilities },
    clock_skew_s: status.clock_skew_s ?? null,
    seen_from: status.address ?? null,
    drift_since: view.get('drift', id)?.body.since ?? null,
    created_at: body.created_at,
    created_by: body.created_by,
    revision: node.revision,
  };
}

function choiceOf(assignment: AssignmentDocument | undefined, relays: VisibleRelays): Node['relay_choice'] {
  if (assignment?.why === undefined || assignment.chosen_at === undefined) return null;
  const { relay, standby, why, chosen_at } = assignment;
  if (!relays.has(relay)) return null;
  return { relay, standby: relays.shown(standby), why: relays.without(why), chosen_at };
}

/** As the agent of the node chooses among them. Only through those whom the caller may see. */
function* routesThroughOthers(
  { view, runtime, scope }: Sources,
  id: NodeId,
  cohort: Cohort | undefined,
): Generator<string> {
  const { reach } = runtime.views;
  if (cohort === undefined) return;
  const options: RouteOption[] = [];
  for (const [provider] of runtime.routes.all()) {
    const other = provider === id ? undefined : reach.cohortOf(provider as NodeId);
    if (other === undefined || !reach.arePeers(cohort, other)) continue;
    options.push(...routeOptions(provider, reach.terms(cohort, other)));
  }
  if (options.length === 0) return;
  const accept = view.get('report', id)?.body.accept_routes ?? null;
  for (const { network, provider } of chooseRoutes(options, accept).values()) {
    const node = view.get('node', provider)?.body;
    if (node !== undefined && covers(scope, boundaryOfNode(node))) yield `${network} via ${node.name}`;
  }
}
