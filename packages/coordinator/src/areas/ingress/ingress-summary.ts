import { type Attention, covers, type IngressId, type NodeId } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import { ownPort, placeOf } from '../../mesh/whole-ingress.ts';
import type { GatewayProofs } from '../../node-status/gateway-proof.ts';
import type { Facts, Figures, Summarizes } from '../summary.ts';
import type { RecordSources } from './ingress-record.ts';
import { stuckDrain } from './stuck-drains.ts';
import { whyFewGateways } from './why-few-gateways.ts';
import { withoutTargets } from './without-targets.ts';

export function ingressSummary(sources: RecordSources): Summarizes {
  return {
    permitted_by: 'ingress.list',
    summarize: (facts) => ({
      figures: { ingress: countIngresses(facts, sources.proofs) },
      attention: attentionTo(facts, sources),
    }),
  };
}

function countIngresses({ model, actor }: Facts, proofs: GatewayProofs): Figures['ingress'] {
  const own = [...model.all('ingress')].filter(({ body }) => covers(actor.scope, body.scope));
  return { total: own.length, served: own.filter(({ id }) => isServed(model, proofs, id)).length };
}

/** Whether a gateway proves that it takes connections for it. */
function isServed(view: View, proofs: GatewayProofs, ingress: string): boolean {
  return problems(view, proofs, ingress).some(({ problem }) => problem === null);
}

/** Of each gateway that is to take connections: why it does not count as serving, or null. */
function problems(view: View, proofs: GatewayProofs, ingress: string): { node: NodeId; problem: string | null }[] {
  const gateways = view.get('placement', ingress)?.body.gateways ?? [];
  return gateways
    .filter(({ draining }) => !draining)
    .map(({ node }) => {
      const problem = proofs.problem(view, node, ingress as IngressId);
      return { node, problem: problem === null ? null : `${view.get('node', node)?.body.name ?? node}: ${problem}` };
    });
}

function* attentionTo({ model, actor, now_ms }: Facts, sources: RecordSources): Generator<Attention> {
  for (const ingress of model.all('ingress')) {
    const { id, body } = ingress;
    if (!covers(actor.scope, body.scope)) continue;
    const stuck = stuckDrain(ingress, { view: model, proofs: sources.proofs, now_ms });
    if (stuck !== undefined) yield stuck;
    if (body.draining) continue;
    const found = problems(model, sources.proofs, id);
    const serving = found.flatMap(({ node, problem }) => (problem === null ? [node] : []));
    const about = { severity: 'critical', subject: { kind: 'ingress', id, name: body.name }, since: null } as const;
    const lacking = withoutTargets(model, sources, { ingress, gateways: found.map(({ node }) => node), serving });
    if (lacking !== undefined) yield { ...about, kind: 'ingress_without_targets', ...lacking };
    if (serving.length > 0) continue;
    const selectors = body.gateways.join(', ');
    const which = ownPort(body) === null ? 'the gateways' : 'the gateways or the port';
    const isAssigned = found.length > 0;
    yield {
      ...about,
      kind: 'ingress_unserved',
      title: `No gateway serves ${placeOf(body)}`,
      detail: isAssigned
        ? `Its gateways have not proven that they serve it. ${found.map(({ problem }) => problem).join(' ')}`
        : (whyFewGateways(model, ingress, { indexes: sources.indexes, viewer: actor.scope }) ?? 'It has no gateway.'),
      fix: isAssigned
        ? 'Check the agents on these gateways.'
        : `Run a node with gateway support that matches ${selectors}, or change ${which} of ${body.name}.`,
    };
  }
}
