import { addressOfEndpoint, portOfEndpoint } from '@meshwork/addresses';
import { isWholeMesh, MESH_INTERFACE, type NodeId, type Scope, WIREGUARD_PORT } from '@meshwork/contract';
import { EXPLAINED_SECTIONS, type ExplainedSection, type FirewallRule, type NodeFacts } from '@meshwork/policy';
import { hostRulesFor } from '../../mesh/host-rules.ts';
import type { Stored } from '../../mesh/model.ts';
import { boundaryOfNode, nodeState } from '../../mesh/node-state.ts';
import { differenceOf } from '../../views/difference.ts';
import type { Asking } from './asking.ts';
import { certificateFacts } from './certificate-facts.ts';
import { lookFacts, secondsSince } from './look-facts.ts';

/** All that is known about one end: what it should be, and what it says it is. */
export function nodeFacts(asking: Asking, node: Stored<'node'>): NodeFacts {
  const { runtime, scope, now_ms } = asking;
  const id = node.id as NodeId;
  const { model } = runtime.mesh;
  const { body } = node;
  const report = model.get('report', id)?.body;
  const { heartbeat_ms, observed, lost_at } = runtime.statuses.of(id);
  return {
    kind: 'node',
    id,
    name: body.name,
    address: body.address,
    address6: body.address6,
    state: nodeState(model, node),
    last_seen_s_ago: heartbeat_ms === undefined ? null : Math.max(0, Math.round((now_ms - heartbeat_ms) / 1000)),
    boundary: boundaryOfNode(body),
    tags: body.tags,
    agent_version: report?.agent_version ?? null,
    applied: appliedFacts(runtime, id),
    firewall: rulesFor(hostRulesFor(model, body), scope),
    interface: MESH_INTERFACE,
    services: report?.services ?? [],
    accept_routes: report?.accept_routes ?? null,
    denied: observed.denied ?? null,
    looked: lookFacts(runtime, id),
    connection_lost_s_ago: lost_at === undefined ? null : secondsSince(runtime, lost_at),
    foreign: runtime.looks.of(id)?.said?.foreign ?? observed.foreign ?? [],
    underlay: underlayFacts(asking, id),
    certificate: certificateFacts(asking, node),
    names: report?.names,
  };
}

/** Notes are for those who may read all rules: they can name what others may not see. */
function rulesFor(rules: readonly FirewallRule[], scope: Scope): readonly FirewallRule[] {
  return isWholeMesh(scope) ? rules : rules.map(({ note: _, ...rule }) => rule);
}

/** Where WireGuard's packets find it. Most hosts have one port for all their endpoints. */
function underlayFacts({ runtime, needs }: Asking, id: NodeId): NodeFacts['underlay'] {
  const endpoints = runtime.mesh.model.get('report', id)?.body.endpoints ?? [];
  const ports = endpoints.flatMap((endpoint) => portOfEndpoint(endpoint) ?? []);
  return {
    port: ports[0] ?? WIREGUARD_PORT,
    addresses: endpoints.flatMap((endpoint) => addressOfEndpoint(endpoint) ?? []),
    needs: needs.of(id),
  };
}

function appliedFacts(runtime: Asking['runtime'], id: NodeId): NodeFacts['applied'] {
  const entries = EXPLAINED_SECTIONS.map((section) => {
    const { desired, applied, reason } = provenSection(runtime, id, section);
    const facts = {
      in_sync: reason === null,
      applied_revision: applied?.revision ?? null,
      desired_revision: desired.revision,
      error: applied?.error ?? null,
      reason,
    };
    return [section, facts] as const;
  });
  return Object.fromEntries(entries) as NodeFacts['applied'];
}

/**
 * What the node said last counts, be it in a heartbeat or when it was asked to look. What it said in a look was so after the
 * revision at which it was asked, whatever revision it names.
 */
function provenSection({ statuses, views, looks }: Asking['runtime'], id: NodeId, section: ExplainedSection) {
  const desired = views.desired(id, section);
  const { applied, applied_at } = statuses.of(id);
  const look = looks.of(id);
  const seen = look?.said?.applied[section];
  if (look === undefined || seen === undefined || look.at < applied_at) {
    return { desired, applied: applied[section], reason: differenceOf(desired, applied[section]) };
  }
  const revision = Math.max(seen.revision, look.revision);
  return { desired, applied: seen, reason: differenceOf(desired, { ...seen, revision }) };
}
