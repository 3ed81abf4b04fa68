/**
 * Ingresses: public host names that lead into the mesh. Here they are records; which gateways serve them is chosen in
 * `fleet/choose-gateways.ts`.
 */
import type { ConnectionCounts } from '../../fleet/what-nodes-report.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { AreaHandlers } from '../handler.ts';
import { createIngress } from './create-ingress.ts';
import { deleteIngress } from './delete-ingress.ts';
import { findIngress } from './find-ingress.ts';
import { ingressRecord } from './ingress-record.ts';
import { listIngresses } from './list-ingresses.ts';
import { drainIngress, updateIngress } from './update-ingress.ts';

export function ingressHandlers(mesh: Mesh, counts: ConnectionCounts): AreaHandlers<'ingress'> {
  return {
    'ingress.create': (call) => createIngress(call, counts),
    'ingress.list': (call) => listIngresses(mesh.model, call, counts),
    'ingress.show': (call) => {
      const ingress = findIngress(mesh.model, call.params.id, call.actor);
      return { body: ingressRecord(mesh.model, ingress, counts), revision: ingress.revision };
    },
    'ingress.update': (call) => updateIngress(call, counts),
    'ingress.delete': deleteIngress,
    'ingress.drain': (call) => drainIngress(call, true, counts),
    'ingress.undrain': (call) => drainIngress(call, false, counts),
  };
}
