import type { IngressAssignment } from '@meshwork/contract';
import { carries } from '../../mesh/abilities.ts';
import type { IdIndex } from '../../mesh/id-index.ts';
import type { View } from '../../mesh/model.ts';
import type { SectionSource } from '../../views/section-source.ts';

/** What a node serves as a gateway. `served`: the ingresses that are placed on each node. */
export function ingressSection(view: View, served: IdIndex): SectionSource<'ingress'> {
  return {
    content: ({ id }) =>
      carries(view, id, 'ingress') ? [...served.of(id)].sort().flatMap((ingress) => assigned(view, id, ingress)) : [],
    touchedBy: {
      report: ({ id }, touch) => touch.node(id),
      placement: ({ before, after }, touch) => {
        for (const placement of [before, after])
          for (const { node } of placement?.body.gateways ?? []) touch.node(node);
      },
      ingress: ({ id }, touch) => {
        for (const { node } of view.get('placement', id)?.body.gateways ?? []) touch.node(node);
      },
    },
  };
}

function assigned(view: View, node: string, id: string): IngressAssignment[] {
  const ingress = view.get('ingress', id)?.body;
  const place = view.get('placement', id)?.body.gateways.find((gateway) => gateway.node === node);
  if (ingress === undefined || place === undefined) return [];
  const { hostname, service } = ingress;
  return [{ id, hostname, service, draining: place.draining || ingress.draining }];
}
