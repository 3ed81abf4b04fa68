import { covers, type DnsSection, type NodeId, type Scope } from '@meshwork/contract';
import type { DnsDocument } from '../../kinds/dns.ts';
import { carries } from '../../mesh/abilities.ts';
import type { IdIndex } from '../../mesh/id-index.ts';
import type { View } from '../../mesh/model.ts';
import { boundaryOfNode, isMember } from '../../mesh/node-state.ts';
import { routingDomains } from '../../mesh/routing-domains.ts';
import type { Reach } from '../../views/reach.ts';
import type { SectionSource, SectionTouch } from '../../views/section-source.ts';
import { IngressNames, type Names } from './ingress-names.ts';

interface Sources {
  readonly view: View;
  readonly reach: Reach;
  /** Ingresses by the gateways that have proven to serve them. */
  readonly proven: IdIndex;
}

/**
 * The records that a node may resolve, the domains with resolvers of their own, and the host names of ingresses whose gateways it
 * may reach. Nodes that see the same are given the same object, however many they are: a change costs one walk over the records
 * for each boundary, and what `ingress-names.ts` says.
 */
export function dnsSection({ view, reach, proven }: Sources): SectionSource<'dns'> {
  const names = new IngressNames(view, reach);
  const byBoundary = new Map<string, DnsSection | null>();
  /** The same with names of ingresses. */
  let withNames = new WeakMap<Names, Map<DnsSection | null, DnsSection>>();
  const forgetRecords = () => {
    byBoundary.clear();
    withNames = new WeakMap();
  };
  const shownTo = (boundary: Scope) => {
    const key = JSON.stringify(boundary);
    let shown = byBoundary.get(key);
    if (shown === undefined) {
      shown = contentFor(view, boundary);
      byBoundary.set(key, shown);
    }
    return shown;
  };
  const joined = (shown: DnsSection | null, ingresses: Names) => {
    if (ingresses.length === 0) return shown;
    const known = withNames.get(ingresses) ?? new Map<DnsSection | null, DnsSection>();
    withNames.set(ingresses, known);
    const content = known.get(shown) ?? { ...(shown ?? NOTHING), ingresses };
    known.set(shown, content);
    return content;
  };
  /** For all: who is concerned is known only when the change is there. Those whose content is the same are left alone. */
  const touchNames = (touch: SectionTouch) => {
    names.forget();
    touch.allNodes();
  };
  const touchNode = (id: string, touch: SectionTouch) => {
    if (proven.of(id).size > 0) touchNames(touch);
    else touch.node(id);
  };
  return {
    shared: true,
    content: ({ id, body }) =>
      isMember(body) && carries(view, id, 'dns') ? joined(shownTo(boundaryOfNode(body)), names.of(id as NodeId)) : null,
    touchedBy: {
      node: ({ id }, touch) => touchNode(id, touch),
      liveness: ({ id }, touch) => touchNode(id, touch),
      report: ({ id, before, after }, touch) => {
        // The policy may ask for a version, of a gateway too.
        if (before?.body.agent_version === after?.body.agent_version) touch.node(id);
        else touchNode(id, touch);
      },
      proven: (_, touch) => touchNames(touch),
      policy: (_, touch) => touchNames(touch),
      dns: (_, touch) => {
        forgetRecords();
        touch.allNodes();
      },
      settings: (_, touch) => {
        forgetRecords();
        touch.allNodes();
      },
    },
    reset: () => {
      forgetRecords();
      names.forget();
    },
  };
}

const NOTHING: DnsSection = { records: [], routing_domains: [] };

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
