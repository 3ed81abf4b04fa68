import { type Attention, covers, type IngressId } from '@meshwork/contract';
import type { Facts } from './facts.ts';

type Known = Pick<Facts, 'model' | 'proofs'>;

/** Whether a gateway proves that it takes connections for it. */
export function isServed(facts: Known, ingress: string): boolean {
  return problems(facts, ingress).includes(null);
}

/** Of each gateway that is to take connections: why it does not count as serving, or null. */
function problems({ model, proofs }: Known, ingress: string): readonly (string | null)[] {
  const gateways = model.get('placement', ingress)?.body.gateways ?? [];
  return gateways
    .filter(({ draining }) => !draining)
    .map(({ node }) => {
      const problem = proofs.problem(model, node, ingress as IngressId);
      return problem === null ? null : `${model.get('node', node)?.body.name ?? node}: ${problem}`;
    });
}

export function* unservedIngresses(facts: Facts): Generator<Attention> {
  for (const { id, body } of facts.model.all('ingress')) {
    if (body.draining || !covers(facts.actor.scope, body.scope)) continue;
    const found = problems(facts, id);
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
