import type { Link, LinkOverTime, LinkView, LinkViewOverTime, LinkWay, NodeId, Scope } from '@meshwork/contract';
import { utc } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import { nodeState } from '../../mesh/node-state.ts';
import { handshakeAge_s } from '../../node-status/handshake-age.ts';
import type { PastWay } from '../../node-status/node-status.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';
import { linkStanding, type Side } from './link-standing.ts';
import { VisibleRelays } from './visible-relays.ts';
import { whyRelayed } from './why-relayed.ts';

interface Ends {
  readonly a: Stored<'node'>;
  readonly b: Stored<'node'>;
  readonly now_ms: number;
  /** Of the caller, who does not learn of relays outside it. */
  readonly scope: Scope;
}

export function linkRecord(view: View, statuses: NodeStatuses, { a, b, now_ms, scope }: Ends): Link {
  const end = (node: Stored<'node'>) => ({ id: node.id, name: node.body.name, state: nodeState(view, node) });
  const side = (from: Stored<'node'>, to: Stored<'node'>): Side => {
    const status = statuses.of(from.id as NodeId);
    return { state: nodeState(view, from), status, link: status.links?.get(to.id as NodeId) };
  };
  const [of_a, of_b] = [side(a, b), side(b, a)];
  const relays = new VisibleRelays(view, scope);
  const [a_view, b_view] = [viewOf(of_a, now_ms, relays), viewOf(of_b, now_ms, relays)];
  const reason = (node: Stored<'node'>, { link }: Side, seen: LinkView | null) => {
    const report = view.get('report', node.id)?.body;
    const passed = [link?.via?.relay, link?.relay].filter((relay) => relay !== undefined);
    return {
      name: node.body.name,
      nat: report?.nat,
      endpoints: report?.endpoints.length ?? 0,
      view: seen,
      relays: passed.map((relay) => (relays.has(relay) ? relay : null)),
    };
  };
  const standing = linkStanding(of_a, of_b, now_ms);
  const why = whyRelayed(reason(a, of_a, a_view), reason(b, of_b, b_view));
  return { a: end(a), b: end(b), ...standing, why: standing.state === 'idle' ? null : why, a_view, b_view };
}

/** Also how its packets went before. */
export function linkOverTime(view: View, statuses: NodeStatuses, ends: Ends): LinkOverTime {
  const relays = new VisibleRelays(view, ends.scope);
  const { a_view, b_view, ...link } = linkRecord(view, statuses, ends);
  const overTime = (seen: LinkView | null, from: Stored<'node'>, to: Stored<'node'>): LinkViewOverTime | null => {
    const known = statuses.of(from.id as NodeId).links?.get(to.id as NodeId);
    if (seen === null || known === undefined) return null;
    const ways = [known, ...(known.past ?? [])];
    return { ...seen, history: ways.map((way) => ({ since: utc(way.since_ms), ...wayOf(way, relays) })) };
  };
  const { a, b } = ends;
  return { ...link, a_view: overTime(a_view, a, b), b_view: overTime(b_view, b, a) };
}

function viewOf({ status, link }: Side, now_ms: number, relays: VisibleRelays): LinkView | null {
  if (link === undefined) return null;
  const { tried, rtt_ms, rx_bytes, tx_bytes, observed_ms } = link;
  return {
    ...wayOf(link, relays),
    tried: (tried ?? []).map((one) => ({ ...one })),
    handshake_age_s: handshakeAge_s(status, link, now_ms),
    rtt_ms: rtt_ms ?? null,
    rx_bytes,
    tx_bytes,
    observed_at: utc(observed_ms),
  };
}

function wayOf(way: Omit<PastWay, 'since_ms'>, relays: VisibleRelays): Omit<LinkWay, 'since'> {
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
