import type { LinkReport, LinkWay } from '@meshwork/contract';
import type { Stored, View } from '../mesh/model.ts';
import type { VisibleRelays } from '../mesh/visible-relays.ts';
import type { PastWay } from './node-status.ts';
import type { ReasonSide } from './why-relayed.ts';

/** How the packets of a link go from one end, as far as a caller may see it. */
export function shownWay(way: Omit<PastWay, 'since_ms'>, relays: VisibleRelays): Omit<LinkWay, 'since'> {
  const { path, endpoint, relay, via, why } = way;
  const isHidden = relay !== undefined && !relays.has(relay);
  return {
    path,
    endpoint: isHidden ? null : (endpoint ?? null),
    relay: relay === undefined || isHidden ? null : relay,
    via: via === undefined ? null : { ...via, relay: relays.has(via.relay) ? via.relay : null },
    why: why === undefined ? null : relays.without(why),
  };
}

/** What of an end says why its packets go through relays. `link`: what it reports. Undefined: nothing. */
export function reasonSide(
  { view, relays }: { readonly view: View; readonly relays: VisibleRelays },
  node: Stored<'node'>,
  link: LinkReport | undefined,
): ReasonSide {
  const report = view.get('report', node.id)?.body;
  const passed = [link?.via?.relay, link?.relay].filter((relay) => relay !== undefined);
  return {
    name: node.body.name,
    nat: report?.nat,
    endpoints: report?.endpoints.length ?? 0,
    view: link === undefined ? null : { ...shownWay(link, relays), tried: link.tried ?? [] },
    relays: passed.map((relay) => (relays.has(relay) ? relay : null)),
  };
}
