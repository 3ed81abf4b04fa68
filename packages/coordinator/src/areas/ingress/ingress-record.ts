import type { Ingress, IngressId } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import type { GatewayProofs } from '../../node-status/gateway-proof.ts';

export function ingressRecord(view: View, ingress: Stored<'ingress'>, proofs: GatewayProofs): Ingress {
  const { gateways, ...body } = ingress.body;
  const assigned_to = assignedTo(view, ingress.id as IngressId, proofs);
  return {
    id: ingress.id,
    ...body,
    gateways: [...gateways],
    served_by: assigned_to
      .filter(({ problem }) => problem === null)
      .map(({ node, name, draining }) => ({
        node,
        name,
        draining,
        connections: proofs.connections(node, ingress.id as IngressId),
      })),
    assigned_to,
    state: stateOf(body.draining, assigned_to),
    revision: ingress.revision,
  };
}

function assignedTo(view: View, id: IngressId, proofs: GatewayProofs) {
  const gateways = view.get('placement', id)?.body.gateways ?? [];
  return gateways.flatMap(({ node, draining }) => {
    const name = view.get('node', node)?.body.name;
    return name === undefined ? [] : [{ node, name, draining, problem: proofs.problem(view, node, id) }];
  });
}

function stateOf(draining: boolean, assigned: Ingress['assigned_to']): Ingress['state'] {
  if (draining) return 'draining';
  const taking = assigned.filter((gateway) => !gateway.draining);
  if (taking.some(({ problem }) => problem === null)) return 'serving';
  return taking.length > 0 ? 'assigned' : 'unassigned';
}
