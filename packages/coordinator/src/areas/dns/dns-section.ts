import { covers, type DnsSection, type Scope } from '@meshwork/contract';
import type { DnsDocument } from '../../kinds/dns.ts';
import { carries } from '../../mesh/abilities.ts';
import type { View } from '../../mesh/model.ts';
import { boundaryOfNode, isMember } from '../../mesh/node-state.ts';
import { routingDomains } from '../../mesh/routing-domains.ts';
import type { SectionSource } from '../../views/section-source.ts';

/**
 * The records that a node may resolve, and the domains with resolvers of their own. Nodes that see the same records are given the
 * same object, however many they are: a change costs one walk over the records for each boundary.
 */
export function dnsSection(view: View): SectionSource<'dns'> {
  const byBoundary = new Map<string, DnsSection | null>();
  const forget = () => byBoundary.clear();
  const shownTo = (boundary: Scope) => {
    const key = JSON.stringify(boundary);
    let shown = byBoundary.get(key);
    if (shown === undefined) {
      shown = contentFor(view, boundary);
      byBoundary.set(key, shown);
    }
    return shown;
  };
  return {
    shared: true,
    content: ({ id, body }) => (isMember(body) && carries(view, id, 'dns') ? shownTo(boundaryOfNode(body)) : null),
    touchedBy: {
      node: ({ id }, touch) => touch.node(id),
      report: ({ id }, touch) => touch.node(id),
      dns: (_, touch) => {
        forget();
        touch.allNodes();
      },
      settings: (_, touch) => {
        forget();
        touch.allNodes();
      },
    },
    reset: forget,
  };
}

function contentFor(view: View, boundary: Scope): DnsSection | null {
  const seen = [...view.all('dns')].filter(({ body }) => covers(body.scope, boundary)).map(({ body }) => body);
  const routing_domains = routingDomains(view);
  if (seen.length + routing_domains.length === 0) return null;
  const records = seen.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(sentRecord);
  return { records, routing_domains };
}

function sentRecord({ name, addresses, cname }: DnsDocument): DnsSection['records'][number] {
  return cname === null ? { name, addresses: [...addresses] } : { name, cname };
}
