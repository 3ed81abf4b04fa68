import type { Ingress, IngressId } from '@meshwork/contract';
import type { ConnectionCounts } from '../../fleet/what-nodes-report.ts';
import type { Stored, View } from '../../mesh/model.ts';

export function ingressRecord(view: View, ingress: Stored<'ingress'>, counts: ConnectionCounts): Ingress {
  const { gateways, ...body } = ingress.body;
  return {
    id: ingress.id,
    ...body,
    gateways: [...gateways],
    served_by: servedBy(view, ingress.id as IngressId, counts),
    revision: ingress.revision,
  };
}

function servedBy(view: View, id: IngressId, counts: ConnectionCounts): Ingress['served_by'] {
  const gateways = view.get('placement', id)?.body.gateways ?? [];
  return gateways.flatMap(({ node, draining }) => {
    const name = view.get('node', node)?.body.name;
    return name === undefined ? [] : [{ node, name, draining, connections: counts.connections(node, id) }];
  });
}
