import { type Link, type LinkView, type NodeId, utc } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import { nodeState } from '../../mesh/node-state.ts';
import { handshakeAge_s } from '../../node-status/handshake-age.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';
import { linkStanding, type Side } from './link-standing.ts';

interface Ends {
  readonly a: Stored<'node'>;
  readonly b: Stored<'node'>;
  readonly now_ms: number;
}

export function linkRecord(view: View, statuses: NodeStatuses, { a, b, now_ms }: Ends): Link {
  const end = (node: Stored<'node'>) => ({ id: node.id, name: node.body.name, state: nodeState(view, node) });
  const side = (from: Stored<'node'>, to: Stored<'node'>): Side => {
    const status = statuses.of(from.id as NodeId);
    return { state: nodeState(view, from), status, link: status.links?.get(to.id as NodeId) };
  };
  const [of_a, of_b] = [side(a, b), side(b, a)];
  const views = { a_view: viewOf(of_a, now_ms), b_view: viewOf(of_b, now_ms) };
  return { a: end(a), b: end(b), ...linkStanding(of_a, of_b, now_ms), ...views };
}

function viewOf({ status, link }: Side, now_ms: number): LinkView | null {
  if (link === undefined) return null;
  const { path, endpoint, rtt_ms, rx_bytes, tx_bytes, observed_ms } = link;
  return {
    path,
    endpoint: endpoint ?? null,
    handshake_age_s: handshakeAge_s(status, link, now_ms),
    rtt_ms: rtt_ms ?? null,
    rx_bytes,
    tx_bytes,
    observed_at: utc(observed_ms),
  };
}
