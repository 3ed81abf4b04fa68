import { type Attention, covers, type IngressId } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import type { GatewayProofs } from '../../node-status/gateway-proof.ts';
import type { Facts, Figures, Summarizes } from '../summary.ts';

export function ingressSummary(proofs: GatewayProofs): Summarizes {
  return {
    permitted_by: 'ingress.list',
    summarize: (facts) => ({
      figures: { ingress: countIngresses(facts, proofs) },
      attention: unservedIngresses(facts, proofs),
    }),
  };
}

function countIngresses({ model, actor }: Facts, proofs: GatewayProofs): Figures['ingress'] {
  const own = [...model.all('ingress')].filter(({ body }) => covers(actor.scope, body.scope));
  return { total: own.length, served: own.filter(({ id }) => isServed(model, proofs, id)).length };
}

/** Whether a gateway proves that it takes connections for it. */
function isServed(view: View, proofs: GatewayProofs, ingress: string): boolean {
  return problems(view, proofs, ingress).includes(null);
}

/** Of each gateway that is to take connections: why it does not count as serving, or null. */
function problems(view: View, proofs: GatewayProofs, ingress: string): readonly (string | null)[] {
  const gateways = view.get('placement', ingress)?.body.gateways ?? [];
  return gateways
    .filter(({ draining }) => !draining)
    .map(({ node }) => {
      const problem = proofs.problem(view, node, ingress as IngressId);
      return problem === null ? null : `${view.get('node', node)?.body.name ?? node}: ${problem}`;
    });
}

function* unservedIngresses({ model, actor }: Facts, proofs: GatewayProofs): Generator<Attention> {
  for (const { id, body } of model.all('ingress')) {
    if (body.draining || !covers(actor.scope, body.scope)) continue;
    const found = problems(model, proofs, id);
    if (found.includes(null)) continue;
    const selectors = body.gateways.join(', ');
    const isAssigned = found.length > 0;
    yield {
      kind: 'ingress_unserved',
      severity: 'critical',
      subject: { kind: 'ingress', id, name: body.name },
      title: `No gateway serves ${body.hostname}`,
      detail: isAssigned
        ? `Its gateways have not proven that they serve it. ${found.join(' ')}`
        : `No node matching ${selectors} is active with an agent that runs a gateway.`,
      since: null,
      fix: isAssigned
        ? 'Check the agents on these gateways.'
        : `Run a node with gateway support that matches ${selectors}, or change the gateways of ${body.name}.`,
    };
  }
}
