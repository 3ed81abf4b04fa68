import { APPLIED_SECTIONS, type AppliedSection, type NodeId, type Posture, type Scope, utc } from '@meshwork/contract';
import { carries } from '../../mesh/abilities.ts';
import type { Stored } from '../../mesh/model.ts';
import { nodeState } from '../../mesh/node-state.ts';
import { VisibleRelays } from '../../mesh/visible-relays.ts';
import { lastRepair } from '../../node-status/repairs.ts';
import { differenceOf } from '../../views/difference.ts';
import type { Runtime } from '../runtime.ts';

/** What a node should be beside what it says it is. */
export function postureOf(runtime: Runtime, scope: Scope, node: Stored<'node'>): Posture {
  const id = node.id as NodeId;
  const { model } = runtime.mesh;
  const status = runtime.statuses.of(id);
  const { heartbeat_ms, observed } = status;
  const relays = new VisibleRelays(model, scope);
  const sections = APPLIED_SECTIONS.map((section) => [section, sectionPosture(runtime, id, section)]);
  return {
    node: id,
    state: nodeState(model, node),
    revision: model.revision,
    heartbeat: heartbeat_ms === undefined ? null : utc(heartbeat_ms),
    drift_since: model.get('drift', id)?.body.since ?? null,
    sections: Object.fromEntries(sections) as Posture['sections'],
    relay: { desired: relays.shown(model.get('assignment', id)?.body.relay), observed: relays.shown(observed.relay) },
    accept_routes: model.get('report', id)?.body.accept_routes ?? null,
    repaired: lastRepair(status, model.get('repair', id)?.body),
    telemetry: observed.telemetry === undefined ? null : { ...observed.telemetry },
  };
}

type SectionPosture = Posture['sections'][AppliedSection];

function sectionPosture(runtime: Runtime, id: NodeId, section: AppliedSection): SectionPosture {
  const desired = runtime.views.desired(id, section);
  const observed = runtime.statuses.of(id).applied[section];
  const drift = runtime.mesh.model.get('drift', id)?.body.sections[section];
  const carried = carries(runtime.mesh.model, id, section);
  const reason = carried ? differenceOf(desired, observed) : null;
  return {
    desired: { revision: desired.revision, digest: desired.digest },
    observed: observed === undefined ? null : { ...observed },
    carried,
    in_sync: reason === null,
    drift_since: drift?.since ?? null,
    reason,
  };
}
