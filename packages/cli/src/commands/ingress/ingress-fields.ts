import type { Ingress } from '@meshwork/contract';
import { scopeText } from '../../rights-text.ts';
import { fields } from '../../table.ts';
import { when } from '../../when.ts';
import { counted } from '../../wording.ts';

export function ingressFields(ingress: Ingress): string {
  const { served_by, assigned_to } = ingress;
  const waiting = assigned_to.filter(({ problem }) => problem !== null);
  return fields([
    ['id', ingress.id],
    ['name', ingress.name],
    ['hostname', ingress.hostname],
    ['service', ingress.service],
    ['scope', scopeText(ingress.scope)],
    ['gateways', `${ingress.replicas} of ${ingress.gateways.join(', ')}`],
    ['state', ingress.state],
    ...(served_by.length === 0 ? [['served by', 'no gateway'] as const] : served_by.map(servedBy)),
    ...waiting.map(assignedTo),
    ['created', when(ingress.created_at)],
  ]);
}

/** Chosen as a gateway, and not proven to serve it. */
function assignedTo({ name, node, problem }: Ingress['assigned_to'][number], index: number): [string, string] {
  return [index === 0 ? 'assigned to' : '', `${name} (${node}), not serving: ${problem}`];
}

function servedBy(
  { name, node, draining, connections }: Ingress['served_by'][number],
  index: number,
): [string, string] {
  const many = connections === null ? 'connections not known' : counted(connections, 'connection');
  return [index === 0 ? 'served by' : '', `${name} (${node}), ${many}${draining ? ', draining' : ''}`];
}
