/**
 * Ingresses: public host names that lead into the mesh. Here they are records; which gateways serve them is chosen in
 * `choose-gateways.ts`.
 */

import type { Mesh } from '../../mesh/mesh.ts';
import { type GatewayProofs, gatewayProofs } from '../../node-status/gateway-proof.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import { createIngress } from './create-ingress.ts';
import { deleteIngress } from './delete-ingress.ts';
import { findIngress } from './find-ingress.ts';
import { ingressRecord } from './ingress-record.ts';
import { ingressSection } from './ingress-section.ts';
import { ingressSummary } from './ingress-summary.ts';
import { listIngresses } from './list-ingresses.ts';
import { PlaceIngresses } from './place-ingresses.ts';
import { drainIngress, updateIngress } from './update-ingress.ts';

export const ingress: Area<'ingress'> = {
  open: ({ model, served }) => ({
    sections: { ingress: ingressSection(model, served) },
    serve: (runtime) => {
      const { mesh, statuses } = runtime;
      const proofs = gatewayProofs(runtime);
      const place = new PlaceIngresses(mesh, { counts: statuses, placed: served });
      return {
        handlers: handlersOf(mesh, proofs),
        duties: [place],
        onHeartbeat: (node) => place.onHeartbeat(node),
        overview: ingressSummary(proofs),
      };
    },
  }),
};

function handlersOf(mesh: Mesh, proofs: GatewayProofs): AreaHandlers<'ingress'> {
  return {
    'ingress.create': (call) => createIngress(call, proofs),
    'ingress.list': (call) => listIngresses(mesh.model, call, proofs),
    'ingress.show': (call) => {
      const ingress = findIngress(mesh.model, call.params.id, call.actor);
      return { body: ingressRecord(mesh.model, ingress, proofs), revision: ingress.revision };
    },
    'ingress.update': (call) => updateIngress(call, proofs),
    'ingress.delete': deleteIngress,
    'ingress.drain': (call) => drainIngress(call, true, proofs),
    'ingress.undrain': (call) => drainIngress(call, false, proofs),
  };
}
