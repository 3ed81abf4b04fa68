import { addressOfEndpoint, kindOfAddress } from '@meshwork/addresses';
import type { LinkReport, NodeId } from '@meshwork/contract';
import type { LinkFacts, PlaceFacts } from '@meshwork/policy';
import { carries } from '../../mesh/abilities.ts';
import type { Stored } from '../../mesh/model.ts';
import { VisibleRelays } from '../../mesh/visible-relays.ts';
import { handshakeAge_s } from '../../node-status/handshake-age.ts';
import { isHealthy } from '../../node-status/relay-health.ts';
import { reasonSide } from '../../node-status/shown-way.ts';
import { whyRelayed } from '../../node-status/why-relayed.ts';
import type { Asking } from './asking.ts';
import { secondsSince } from './look-facts.ts';

/**
 * What two nodes report of each other. `near` undefined: the source is no node, and there are no reports about the
 * link.
 */
export function linkFacts(asking: Asking, near: Stored<'node'> | undefined, far: Stored<'node'>): LinkFacts {
  const far_place = placeOf(asking, far);
  if (near === undefined) {
    return { near: null, far: null, near_relay: null, far_relay: relayOf(asking, far), far_place };
  }
  const [there, back] = [linkOf(asking, near, far), linkOf(asking, far, near)];
  return {
    near: reportOf(asking, { from: near, to: far, link: there }),
    far: reportOf(asking, { from: far, to: near, link: back }),
    near_relay: relayOf(asking, near),
    far_relay: relayOf(asking, far),
    near_place: placeOf(asking, near),
    far_place,
    near_used: usedRelay(asking, near, [there?.via?.relay, back?.relay]),
    far_used: usedRelay(asking, far, [back?.via?.relay, there?.relay]),
    why_relayed: whyOf(asking, [near, there], [far, back]),
  };
}

type Reported = readonly [node: Stored<'node'>, link: LinkReport | undefined];

function whyOf({ runtime, scope }: Asking, ...ends: readonly [Reported, Reported]): string | undefined {
  if (ends.every(([, link]) => link?.path !== 'relay')) return undefined;
  const view = runtime.mesh.model;
  const known = { view, relays: new VisibleRelays(view, scope) };
  const [near, far] = ends;
  return whyRelayed(reasonSide(known, ...near), reasonSide(known, ...far)) ?? undefined;
}

/** What the node itself said in a look is newer than what its heartbeats say, and known at every coordinator. */
function linkOf({ runtime }: Asking, from: Stored<'node'>, to: Stored<'node'>): LinkReport | undefined {
  const [near, far] = [from.id as NodeId, to.id as NodeId];
  return runtime.looks.heard(near, far)?.link ?? runtime.statuses.of(near).links?.get(far);
}

interface ReportedLink {
  readonly from: Stored<'node'>;
  readonly to: Stored<'node'>;
  readonly link: LinkReport | undefined;
}

function reportOf({ runtime, now_ms }: Asking, { from, to, link }: ReportedLink): LinkFacts['near'] {
  const heard = runtime.looks.heard(from.id as NodeId, to.id as NodeId);
  if (link === undefined && heard === undefined) return null;
  const status = runtime.statuses.of(from.id as NodeId);
  return {
    path: link?.path ?? 'none',
    handshake_age_s: link === undefined ? null : handshakeAge_s(status, link, now_ms),
    heard: heard === undefined ? null : { s_ago: secondsSince(runtime, heard.at), came: heard.came },
    endpoint: link?.endpoint ?? null,
    ...(link?.via === undefined ? {} : { by_own_relay: true as const, transport: link.via.transport }),
    rtt_ms: link?.rtt_ms ?? undefined,
    tried: link?.tried,
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

function relayOf(asking: Asking, node: Stored<'node'>): LinkFacts['near_relay'] {
  const name = asking.runtime.mesh.model.get('assignment', node.id)?.body.relay;
  return name === undefined ? null : (relayFacts(asking, node, name) ?? null);
}

/** Where its packets pass, if that is not the relay assigned to it. `passed`: what both ends report of it. */
function usedRelay(
  asking: Asking,
  node: Stored<'node'>,
  passed: readonly (string | undefined)[],
): LinkFacts['near_used'] {
  const name = passed.find((relay) => relay !== undefined);
  if (name === undefined || name === asking.runtime.mesh.model.get('assignment', node.id)?.body.relay) return undefined;
  return relayFacts(asking, node, name);
}

function relayFacts({ runtime, scope }: Asking, node: Stored<'node'>, name: string): LinkFacts['near_used'] {
  const { model } = runtime.mesh;
  const relay = model.get('relay', name);
  if (relay === undefined) return undefined;
  return {
    name: new VisibleRelays(model, scope).has(name) ? name : null,
    healthy: isHealthy(model, relay, runtime.statuses.proofs),
    ...(relay.body.draining ? { draining: true as const } : {}),
    rtt_ms: runtime.statuses.roundTrips(node.id as NodeId).get(name),
  };
}
