import { type Link, type LinkView, type NodeId, utc } from '@meshwork/contract';
import { handshakeAge_s } from '../../fleet/handshake-age.ts';
import type { SeenLink, Sighting } from '../../fleet/sighting.ts';
import type { Sightings } from '../../fleet/sightings.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { nodeState } from '../../mesh/node-state.ts';

/** WireGuard makes a new handshake every two minutes while there is traffic, and drops a session after three. */
const FRESH_HANDSHAKE_S = 180;

interface Ends {
  readonly a: Stored<'node'>;
  readonly b: Stored<'node'>;
  readonly now_ms: number;
}

export function linkRecord(view: View, sightings: Sightings, { a, b, now_ms }: Ends): Link {
  const seen = (from: Stored<'node'>, to: Stored<'node'>) => {
    const sighting = sightings.of(from.id as NodeId);
    const link = sighting.links?.get(to.id as NodeId);
    return link === undefined ? null : viewOf(sighting, link, now_ms);
  };
  const a_view = seen(a, b);
  const b_view = seen(b, a);
  const ends = [a, b].map((node) => ({ id: node.id, name: node.body.name, state: nodeState(view, node) }));
  const [endA, endB] = ends as [Link['a'], Link['b']];
  return { a: endA, b: endB, state: stateOf(ends, a_view, b_view), path: pathOf(a_view, b_view), a_view, b_view };
}

function viewOf(sighting: Sighting, link: SeenLink, now_ms: number): LinkView {
  const { path, endpoint, rtt_ms, rx_bytes, tx_bytes, observed_ms } = link;
  return {
    path,
    endpoint: endpoint ?? null,
    handshake_age_s: handshakeAge_s(sighting, link, now_ms),
    rtt_ms: rtt_ms ?? null,
    rx_bytes,
    tx_bytes,
    observed_at: utc(observed_ms),
  };
}

/** Never `up` on the word of a node that is overdue: it said so too long ago. */
function stateOf(ends: readonly Link['a'][], a: LinkView | null, b: LinkView | null): Link['state'] {
  const isOverdue = ends.some(({ state }) => state === 'stale' || state === 'unreachable');
  if (isOverdue || a === null || b === null) return 'unknown';
  const fresh = [a, b].filter(({ handshake_age_s }) => (handshake_age_s ?? Infinity) <= FRESH_HANDSHAKE_S).length;
  return fresh === 2 ? 'up' : fresh === 1 ? 'half' : 'down';
}

function pathOf(a: LinkView | null, b: LinkView | null): Link['path'] {
  if (a === null || b === null) return a?.path ?? b?.path ?? 'unknown';
  return a.path === b.path ? a.path : 'mixed';
}
