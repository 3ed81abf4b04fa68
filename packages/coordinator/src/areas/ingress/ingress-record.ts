import type { Ingress, IngressId, NodeId, Scope } from '@meshwork/contract';
import { PANEL_ID } from '../../kinds/sign-in.ts';
import { deadlineOn } from '../../mesh/drain-deadline.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { wholeIngress } from '../../mesh/whole-ingress.ts';
import type { GatewayProofs } from '../../node-status/gateway-proof.ts';
import type { IngressIndexes } from './ingress-indexes.ts';
import { type TargetSources, targetsOf } from './ingress-targets.ts';
import { whyFewGateways } from './why-few-gateways.ts';

/** What the record of an ingress is made of, beside its documents. */
export interface RecordSources extends TargetSources {
  readonly proofs: GatewayProofs;
  readonly indexes: IngressIndexes;
}

/** As the caller sees it: what lies outside the scope of `viewer` is not named. */
export function ingressRecord(
  view: View,
  ingress: Stored<'ingress'>,
  { viewer, ...sources }: RecordSources & { readonly viewer: Scope },
): Ingress {
  const { gateways, drain = null, ...body } = wholeIngress(ingress.body);
  const id = ingress.id as IngressId;
  const assigned_to = assignedTo(view, id, sources.proofs);
  const placed = { gateways: assigned_to.map(({ node }) => node), ingress: ingress.body };
  const targets = targetsOf(view, sources, placed);
  return {
    id,
    ...body,
    drain:
      drain === null ? null : { ...drain, deadline: drain.deadline?.at ?? null, cut: cutSoFar(drain, assigned_to) },
    gateways: [...gateways],
    targets,
    served_by: assigned_to
      .filter(({ problem }) => problem === null)
      .map(({ node, name, draining }) => ({
        node,
        name,
        draining,
        connections: sources.proofs.connections(node, id),
        upstreams: reportedUpstreams(sources.proofs, { node, ingress: id, targets }),
      })),
    assigned_to,
    state: stateOf(body.draining, assigned_to),
    problem: whyFewGateways(view, ingress, { indexes: sources.indexes, viewer }) ?? whyNoSignIn(view, ingress),
    revision: ingress.revision,
  };
}

function whyNoSignIn(view: View, { body }: Stored<'ingress'>): string | null {
  if ((body.sign_in ?? null) === null || view.get('panel', PANEL_ID) !== undefined) return null;
  return 'People cannot sign in: no panel has said where it is. Start one, or look into the log of the one that runs.';
}

/**
 * What a gateway found of the nodes of an ingress. Null: not reported. What it says of other nodes is left out: the caller may not
 * know of them.
 */
export function reportedUpstreams(
  proofs: GatewayProofs,
  {
    node,
    ingress,
    targets,
  }: { readonly node: NodeId; readonly ingress: IngressId; readonly targets: Ingress['targets'] },
) {
  const known = new Set(targets.map((target) => `${target.service} ${target.node}`));
  const reported = proofs.upstreams(node, ingress);
  return reported?.filter((upstream) => known.has(`${upstream.service} ${upstream.node}`)) ?? null;
}

function assignedTo(view: View, id: IngressId, proofs: GatewayProofs) {
  const gateways = view.get('placement', id)?.body.gateways ?? [];
  return gateways.flatMap(({ node, draining }) => {
    const name = view.get('node', node)?.body.name;
    if (name === undefined) return [];
    const drains = draining || view.get('ingress', id)?.body.draining === true;
    const drain = drains ? gatewayDrain(view, { node, id, proofs }) : null;
    return [{ node, name, draining, drain, problem: proofs.problem(view, node, id) }];
  });
}

interface OnGateway {
  readonly node: NodeId;
  readonly id: IngressId;
  readonly proofs: GatewayProofs;
}

function gatewayDrain(view: View, { node, id, proofs }: OnGateway) {
  const deadline = deadlineOn(view, node, id)?.at ?? null;
  const ended = proofs.ended(node, id);
  const connections = proofs.connections(node, id);
  const isKept = deadline === null || ended.deadline === deadline;
  const isInEffect = proofs.isInEffect(view, node);
  return {
    refuses: isInEffect && proofs.refuses(node, id),
    connections,
    deadline,
    cut: ended.cut,
    problem: isKept ? null : isInEffect ? 'The agent is older: it ends no connections at a deadline.' : NOT_YET,
  };
}

const NOT_YET = 'The gateway has not confirmed the deadline yet.';

/** Once it is drained, what its gateways had ended by then: they forget it. */
function cutSoFar({ drained_at, cut }: { drained_at: string | null; cut: number }, assigned: Ingress['assigned_to']) {
  return drained_at === null ? assigned.reduce((sum, { drain }) => sum + (drain?.cut ?? 0), 0) : cut;
}

function stateOf(draining: boolean, assigned: Ingress['assigned_to']): Ingress['state'] {
  if (draining) return 'draining';
  const taking = assigned.filter((gateway) => !gateway.draining);
  if (taking.some(({ problem }) => problem === null)) return 'serving';
  return taking.length > 0 ? 'assigned' : 'unassigned';
}
