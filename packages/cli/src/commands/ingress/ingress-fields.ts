import type { Ingress } from '@meshwork/contract';
import { scopeText } from '../../rights-text.ts';
import { fields } from '../../table.ts';
import { when } from '../../when.ts';

export function ingressFields(ingress: Ingress): string {
  const { served_by } = ingress;
  return fields([
    ['id', ingress.id],
    ['name', ingress.name],
    ['hostname', ingress.hostname],
    ['service', ingress.service],
    ['scope', scopeText(ingress.scope)],
    ['gateways', `${ingress.replicas} of ${ingress.gateways.join(', ')}`],
    ['state', ingress.draining ? 'draining' : 'serving'],
    ...(served_by.length === 0 ? [['served by', 'nobody'] as const] : served_by.map(servedBy)),
    ['created', when(ingress.created_at)],
  ]);
}

function servedBy(
  { name, node, draining, connections }: Ingress['served_by'][number],
  index: number,
): [string, string] {
  const many = connections === null ? 'connections not known' : `${connections} connections`;
  return [index === 0 ? 'served by' : '', `${name} (${node}), ${many}${draining ? ', draining' : ''}`];
}
