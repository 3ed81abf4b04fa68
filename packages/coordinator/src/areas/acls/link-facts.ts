import { addressOfEndpoint, kindOfAddress } from '@meshwork/addresses';
import type { LinkReport, NodeId } from '@meshwork/contract';
import type { LinkFacts, PlaceFacts } from '@meshwork/policy';
import { carries } from '../../mesh/abilities.ts';
import type { Stored } from '../../mesh/model.ts';
import { isVisibleRelay } from '../../mesh/visible-relay.ts';
import { handshakeAge_s } from '../../node-status/handshake-age.ts';
import { isHealthy } from '../../node-status/relay-health.ts';
import type { Asking } from './asking.ts';
import { secondsSince } from './look-facts.ts';

/**
 * What two nodes report of each other. `near` undefined: the source is no node, and there are no reports about the
 * link.
 */
export function linkFacts(asking: Asking, near: Stored<'node'> | undefined, far: Stored<'node'>): LinkFacts {
  return {
    near: near === undefined ? null : reportOf(asking, near, far),
    far: near === undefined ? null : reportOf(asking, far, near),
    near_relay: near === undefined ? null : relayOf(asking, near),
    far_relay: relayOf(asking, far),
    near_place: near === undefined ? undefined : placeOf(asking, near),
    far_place: placeOf(asking, far),
  };
}

/** What the node itself said in a look is newer than what its heartbeats say, and known at every coordinator. */
function reportOf({ runtime, now_ms }: Asking, from: Stored<'node'>, to: Stored<'node'>): LinkFacts['near'] {
  const [near, far] = [from.id as NodeId, to.id as NodeId];
  const status = runtime.statuses.of(near);
  const heard = runtime.looks.heard(near, far);
  const link: LinkReport | undefined = heard?.link ?? status.links?.get(far);
  if (link === undefined && heard === undefined) return null;
  return {
    path: link?.path ?? 'none',
    handshake_age_s: link === undefined ? null : handshakeAge_s(status, link, now_ms),
    heard: heard === undefined ? null : { s_ago: secondsSince(runtime, heard.at), came: heard.came },
    endpoint: link?.endpoint ?? null,
    ...(link?.via === undefined ? {} : { by_own_relay: true as const }),
  };
}

/** By the endpoints that it reports. One without any has not found out where it is, which says nothing. */
function placeOf({ runtime }: Asking, { id }: Stored<'node'>): PlaceFacts | undefined {
  const { model } = runtime.mesh;
  const addresses = (model.get('report', id)?.body.endpoints ?? [])
    .map(addressOfEndpoint)
    .filter((one) => one !== null);
  if (addresses.length === 0) return undefined;
  const inside = addresses.filter((address) => kindOfAddress(address) === 'private');
  const reach = inside.length === 0 ? 'public' : inside.length === addresses.length ? 'private' : 'mixed';
  return { reach, uses_relays: carries(model, id, 'relay') };
}

function relayOf({ runtime, scope }: Asking, node: Stored<'node'>): LinkFacts['near_relay'] {
  const name = runtime.mesh.model.get('assignment', node.id)?.body.relay;
  const relay = name === undefined ? undefined : runtime.mesh.model.get('relay', name);
  if (relay === undefined) return null;
  return {
    name: isVisibleRelay(runtime.mesh.model, scope, relay.id) ? relay.id : null,
    healthy: isHealthy(runtime.mesh.model, relay, runtime.statuses.proofs),
  };
}
