import type { Link, LinkOverTime, LinkView, LinkViewOverTime, NodeId, Scope } from '@meshwork/contract';
import { utc } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import { nodeState } from '../../mesh/node-state.ts';
import { VisibleRelays } from '../../mesh/visible-relays.ts';
import { handshakeAge_s } from '../../node-status/handshake-age.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';
import { reasonSide, shownWay } from '../../node-status/shown-way.ts';
import { whyRelayed } from '../../node-status/why-relayed.ts';
import { linkStanding, type Side } from './link-standing.ts';

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
  const standing = linkStanding(of_a, of_b, now_ms);
  const why = whyRelayed(reasonSide({ view, relays }, a, of_a.link), reasonSide({ view, relays }, b, of_b.link));
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
    return { ...seen, history: ways.map((way) => ({ since: utc(way.since_ms), ...shownWay(way, relays) })) };
  };
  const { a, b } = ends;
  return { ...link, a_view: overTime(a_view, a, b), b_view: overTime(b_view, b, a) };
}

function viewOf({ status, link }: Side, now_ms: number, relays: VisibleRelays): LinkView | null {
  if (link === undefined) return null;
  const { tried, rtt_ms, mtu, rx_bytes, tx_bytes, observed_ms } = link;
  return {
    ...shownWay(link, relays),
    tried: (tried ?? []).map((one) => ({ ...one })),
    handshake_age_s: handshakeAge_s(status, link, now_ms),
    rtt_ms: rtt_ms ?? null,
    mtu: mtu ?? null,
    rx_bytes,
    tx_bytes,
    observed_at: utc(observed_ms),
  };
}
