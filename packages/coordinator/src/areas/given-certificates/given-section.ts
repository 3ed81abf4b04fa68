import type { AssignedCertificate } from '@meshwork/contract';
import { carries, lackingFeature } from '../../mesh/abilities.ts';
import { givenSealedFor } from '../../mesh/envelopes.ts';
import { givenBy } from '../../mesh/given-certificates.ts';
import type { IdIndex } from '../../mesh/id-index.ts';
import type { Vault } from '../../mesh/mesh.ts';
import type { View } from '../../mesh/model.ts';
import type { SectionSource, SectionTouch } from '../../views/section-source.ts';

interface Sources {
  readonly view: View;
  readonly vault: Vault;
  /** Ingresses by the gateways that they are placed on. */
  readonly served: IdIndex;
  /** Ingresses by the given certificates that they show. */
  readonly showing: IdIndex;
}

/** The given certificates that ingresses of a node show, with their keys. No other node is sent them. */
export function givenSection({ view, vault, served, showing }: Sources): SectionSource<'given_certificates'> {
  const touchGateways = (ingress: string, touch: SectionTouch) => {
    for (const { node } of view.get('placement', ingress)?.body.gateways ?? []) touch.node(node);
  };
  return {
    content: ({ id }) => {
      if (!carries(view, id, 'given_certificates')) return [];
      const ingresses = [...served.of(id)].flatMap((ingress) => view.get('ingress', ingress) ?? []);
      const shown = ingresses.filter(({ body }) => lackingFeature(view, id, body) === undefined);
      const ids = [...new Set(shown.flatMap(({ body }) => givenBy(body) ?? []))].sort();
      return ids.flatMap((given): AssignedCertificate[] => {
        const body = view.get('given_certificate', given)?.body;
        if (body === undefined) return [];
        const private_key = vault.unseal(body.key, givenSealedFor(given)).toString('utf8');
        return [{ id: given, chain: body.chain, private_key }];
      });
    },
    touchedBy: {
      given_certificate: ({ id }, touch) => {
        for (const ingress of showing.of(id)) touchGateways(ingress, touch);
      },
      ingress: ({ id }, touch) => touchGateways(id, touch),
      placement: ({ before, after }, touch) => {
        for (const placement of [before, after])
          for (const { node } of placement?.body.gateways ?? []) touch.node(node);
      },
      report: ({ id }, touch) => touch.node(id),
    },
  };
}
