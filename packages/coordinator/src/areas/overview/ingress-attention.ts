import { type Attention, covers } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import type { Facts } from './facts.ts';

/** Whether a gateway that is heard of takes connections for it. */
export function isServed(view: View, ingress: string): boolean {
  const gateways = view.get('placement', ingress)?.body.gateways ?? [];
  return gateways.some(({ node, draining }) => !draining && view.get('liveness', node) === undefined);
}

export function* unservedIngresses({ model, actor }: Facts): Generator<Attention> {
  for (const { id, body } of model.all('ingress')) {
    if (body.draining || !covers(actor.scope, body.scope) || isServed(model, id)) continue;
    yield {
      kind: 'ingress_unserved',
      severity: 'critical',
      subject: { kind: 'ingress', id, name: body.name },
      title: `No gateway serves ${body.hostname}`,
      detail: `No node that ${body.gateways.join(', ')} selects is heard of, let in and free to serve it.`,
      since: null,
      fix: `Bring such a node up, or let the ingress ${body.name} select others.`,
    };
  }
}
