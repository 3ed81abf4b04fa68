import { isWholeMesh, MESH_INTERFACE, type NodeId, type Scope } from '@meshwork/contract';
import { EXPLAINED_SECTIONS, type FirewallRule, type NodeFacts } from '@meshwork/policy';
import { hostRulesFor } from '../../mesh/host-rules.ts';
import type { Stored } from '../../mesh/model.ts';
import { boundaryOfNode, nodeState } from '../../mesh/node-state.ts';
import { differenceOf } from '../../views/difference.ts';
import type { Asking } from './asking.ts';

/** All that is known about one end: what it should be, and what it says it is. */
export function nodeFacts({ runtime, scope, now_ms }: Asking, node: Stored<'node'>): NodeFacts {
  const id = node.id as NodeId;
  const { model } = runtime.mesh;
  const { body } = node;
  const report = model.get('report', id)?.body;
  const { heartbeat_ms, observed } = runtime.statuses.of(id);
  return {
    kind: 'node',
    id,
    name: body.name,
    address: body.address,
    address6: body.address6,
    state: nodeState(model, node),
    last_seen_s_ago: heartbeat_ms === undefined ? null : secondsSince(heartbeat_ms, now_ms),
    boundary: boundaryOfNode(body),
    tags: body.tags,
    agent_version: report?.agent_version ?? null,
    applied: appliedFacts(runtime, id),
    firewall: rulesFor(hostRulesFor(model, body), scope),
    interface: MESH_INTERFACE,
    services: report?.services ?? [],
    accept_routes: report?.accept_routes ?? null,
    denied: observed.denied ?? null,
    looked: null,
    connection_lost_s_ago: null,
    foreign: [],
    underlay: null,
  };
}

/** Notes are for those who may read all rules: they can name what others may not see. */
function rulesFor(rules: readonly FirewallRule[], scope: Scope): readonly FirewallRule[] {
  return isWholeMesh(scope) ? rules : rules.map(({ note: _, ...rule }) => rule);
}

function secondsSince(then_ms: number, now_ms: number): number {
  return Math.max(0, Math.round((now_ms - then_ms) / 1000));
}

function appliedFacts(runtime: Asking['runtime'], id: NodeId): NodeFacts['applied'] {
  const { applied } = runtime.statuses.of(id);
  const entries = EXPLAINED_SECTIONS.map((section) => {
    const desired = runtime.views.desired(id, section);
    const reason = differenceOf(desired, applied[section]);
    const facts = {
      in_sync: reason === null,
      applied_revision: applied[section]?.revision ?? null,
      desired_revision: desired.revision,
      error: applied[section]?.error ?? null,
      reason,
    };
    return [section, facts] as const;
  });
  return Object.fromEntries(entries) as NodeFacts['applied'];
}
