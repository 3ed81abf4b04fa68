/**
 * Ingresses: public host names that lead into the mesh. Here they are records; which gateways serve them is chosen in
 * `choose-gateways.ts`, and which nodes they lead to in `ingress-targets.ts`. `outside/` has a node try what people outside get.
 */

import { IdIndex } from '../../mesh/id-index.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { Passes } from '../../mesh/passes.ts';
import { servicesOf } from '../../mesh/whole-ingress.ts';
import { gatewayProofs } from '../../node-status/gateway-proof.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import { createIngress } from './create-ingress.ts';
import { deleteIngress } from './delete-ingress.ts';
import { findIngress } from './find-ingress.ts';
import { IngressIndexes } from './ingress-indexes.ts';
import { ingressRecord, type RecordSources } from './ingress-record.ts';
import { ingressSection } from './ingress-section.ts';
import { ingressSummary } from './ingress-summary.ts';
import { listIngresses } from './list-ingresses.ts';
import { CheckOutside } from './outside/check-outside.ts';
import { PlaceIngresses } from './place-ingresses.ts';
import { ProveDrains } from './prove-drains.ts';
import { ProveGateways } from './prove-gateways.ts';
import { listRates } from './traffic/list-rates.ts';
import { showTraffic } from './traffic/show-traffic.ts';
import { TrafficHistory } from './traffic/traffic-history.ts';
import { drainIngress, updateIngress } from './update-ingress.ts';

export const ingress: Area<'ingress'> = {
  open: ({ model, vault, served, guarded, directory, reach }) => {
    const leading = new IdIndex(model, ['ingress'], (id) => {
      const ingress = model.get('ingress', id)?.body;
      return ingress === undefined ? [] : servicesOf(ingress);
    });
    const indexes = new IngressIndexes(model, served);
    const passes = new Passes(vault.data_keys);
    return {
      sections: { ingress: ingressSection({ view: model, passes, served, leading, guarded, directory, reach }) },
      serve: (runtime) => {
        const { mesh, statuses, probes } = runtime;
        const sources = { directory, reach, indexes, proofs: gatewayProofs(runtime) };
        const place = new PlaceIngresses(mesh, { counts: statuses, indexes });
        const prove = new ProveGateways(mesh, { proofs: sources.proofs, placed: served });
        const drains = new ProveDrains(mesh, { proofs: sources.proofs, leaving: indexes.leaving });
        const history = new TrafficHistory();
        mesh.model.watch({
          changed: ({ kind, id, after }) => {
            if (kind === 'node' && after === undefined) history.remove(id);
          },
        });
        const outside = new CheckOutside({ mesh, statuses, probes, proofs: sources.proofs });
        return {
          handlers: {
            ...handlersOf(mesh, sources),
            'ingress.check': (call) => outside.run(call),
            'ingress.traffic': (call) => showTraffic({ mesh, statuses, history }, call),
            'ingress.rates': (call) => listRates({ mesh, statuses, history }, call),
          },
          duties: [place, prove, drains],
          onHeartbeat: (node, heartbeat) => {
            history.note(node, heartbeat, mesh.clock.now(), (id) => served.of(node).has(id));
            place.onHeartbeat(node);
            prove.onHeartbeat(node);
            drains.onHeartbeat(node);
          },
          overview: ingressSummary(sources),
        };
      },
    };
  },
};

function handlersOf(
  mesh: Mesh,
  sources: RecordSources,
): Omit<AreaHandlers<'ingress'>, 'ingress.check' | 'ingress.traffic' | 'ingress.rates'> {
  return {
    'ingress.create': (call) => createIngress(call, sources),
    'ingress.list': (call) => listIngresses(mesh.model, call, sources),
    'ingress.show': (call) => {
      const ingress = findIngress(mesh.model, call.params.id, call.actor);
      return {
        body: ingressRecord(mesh.model, ingress, { ...sources, viewer: call.actor.scope }),
        revision: ingress.revision,
      };
    },
    'ingress.update': (call) => updateIngress(call, sources),
    'ingress.delete': deleteIngress,
    'ingress.drain': (call) => drainIngress(call, true, sources),
    'ingress.undrain': (call) => drainIngress(call, false, sources),
  };
}
