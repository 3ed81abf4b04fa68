import type { HeartbeatRequest, NodeId } from '@meshwork/contract';
import { noteRepairs } from '../../node-status/repairs.ts';
import type { SeenLink, Sighting } from '../../node-status/sighting.ts';

/** Takes in what is kept in memory only: what is in effect, and what the node observes. */
export function noteHeartbeat(
  sighting: Sighting,
  body: HeartbeatRequest,
  { address, now_ms }: { readonly address: string; readonly now_ms: number },
  isPeer: (other: NodeId) => boolean,
): void {
  if (sighting.boot_id !== body.boot_id) {
    sighting.boot_id = body.boot_id;
    sighting.told_all = false;
    sighting.asked_all = false;
    sighting.applied = {};
    sighting.serving = undefined;
    sighting.apart_since = {};
    sighting.in_sync_as_of = -1;
  }
  sighting.seq = body.seq;
  sighting.address = address;
  if (body.sent_at !== undefined) sighting.clock_skew_s = Math.round((Date.parse(body.sent_at) - now_ms) / 100) / 10;
  if (body.complete === true) {
    sighting.told_all = true;
    sighting.links = undefined;
  }
  if (body.applied !== undefined) {
    sighting.applied = { ...sighting.applied, ...body.applied };
    sighting.in_sync_as_of = -1;
  }
  if (body.observed === undefined) return;
  const { links, repairs, ...rest } = body.observed;
  if (repairs !== undefined) noteRepairs(sighting, repairs);
  sighting.observed = { ...sighting.observed, ...rest };
  if (rest.ingress !== undefined) noteServing(sighting, rest.ingress);
  if (links === undefined) return;
  sighting.links ??= new Map<NodeId, SeenLink>();
  for (const link of links) {
    const peer = link.peer as NodeId;
    // What a node says about those it has no business with is not kept, or it could fill the memory with names.
    if (isPeer(peer)) sighting.links.set(peer, { ...link, observed_ms: now_ms });
    else sighting.links.delete(peer);
  }
}

/** Connections come and go with every heartbeat; which ingresses are served hardly ever changes. */
function noteServing(sighting: Sighting, ingress: readonly { readonly id: string }[]): void {
  const serving = ingress.map(({ id }) => id).sort();
  if (serving.join() !== sighting.serving?.join()) sighting.serving = serving;
}
