import { covers, type NodeId } from '@meshwork/contract';
import type { LinkFacts } from '@meshwork/policy';
import { isHealthy } from '../../fleet/relay-health.ts';
import type { SeenLink } from '../../fleet/sighting.ts';
import type { Stored } from '../../mesh/model.ts';
import { boundaryOfNode } from '../../mesh/node-state.ts';
import type { Asking } from './asking.ts';
import { secondsSince } from './node-facts.ts';

/** What is left of a skew after it was taken into account. */
const FUTURE_MS = 5000;

/** What two nodes say of each other. `near` undefined: nobody knows who asks, so nobody says anything. */
export function linkFacts(asking: Asking, near: Stored<'node'> | undefined, far: Stored<'node'>): LinkFacts {
  return {
    near: near === undefined ? null : reportOf(asking, near, far),
    far: near === undefined ? null : reportOf(asking, far, near),
    near_relay: near === undefined ? null : relayOf(asking, near),
    far_relay: relayOf(asking, far),
  };
}

function reportOf({ fleet, now_ms }: Asking, from: Stored<'node'>, to: Stored<'node'>): LinkFacts['near'] {
  const sighting = fleet.sightings.of(from.id as NodeId);
  const link: SeenLink | undefined = sighting.links?.get(to.id as NodeId);
  if (link === undefined) return null;
  const { path, handshake_at } = link;
  const at_ms = handshake_at == null ? undefined : Date.parse(handshake_at) - (sighting.clock_skew_s ?? 0) * 1000;
  // A node with a clock that is ahead would look connected until the clock is reached.
  const isKnown = at_ms !== undefined && at_ms <= now_ms + FUTURE_MS;
  return { path, handshake_age_s: isKnown ? secondsSince(at_ms, now_ms) : null };
}

/** Relays are shared by the whole mesh, but which node runs one is for those to know who may see the node. */
function relayOf({ mesh, scope }: Asking, node: Stored<'node'>): LinkFacts['near_relay'] {
  const name = mesh.model.get('assignment', node.id)?.body.relay;
  const relay = name === undefined ? undefined : mesh.model.get('relay', name);
  if (relay === undefined) return null;
  const runs = mesh.model.get('node', relay.body.node);
  const isVisible = runs !== undefined && covers(scope, boundaryOfNode(runs.body));
  return { name: isVisible ? relay.id : null, healthy: isHealthy(mesh.model, relay.body) };
}
