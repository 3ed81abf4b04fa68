import { isDeepStrictEqual } from 'node:util';
import type { HeartbeatRequest, NodeId, Observed } from '@meshwork/contract';
import type { NodeStatus } from '../../node-status/node-status.ts';
import { beginLinksAnew, type PastWays } from '../../node-status/past-ways.ts';
import { noteRepairs } from '../../node-status/repairs.ts';

/** Under which circumstances a heartbeat came. */
interface Hearing {
  readonly address: string;
  /** By the wall clock. */
  readonly now_ms: number;
  /** In listening time. */
  readonly now: number;
  readonly past_ways: PastWays;
}

/** Takes in what is kept in memory only: what is in effect, and what the node observes. */
export function noteHeartbeat(
  status: NodeStatus,
  body: HeartbeatRequest,
  { address, now_ms, now, past_ways }: Hearing,
  isPeer: (other: NodeId) => boolean,
): void {
  if (status.boot_id !== body.boot_id) {
    status.boot_id = body.boot_id;
    status.reported_all = false;
    status.requested_all = false;
    status.applied = {};
    status.serving = undefined;
    status.shown = undefined;
    status.apart_since = {};
    status.in_sync_as_of = -1;
  }
  status.seq = body.seq;
  status.address = address;
  if (body.sent_at !== undefined) status.clock_skew_s = Math.round((Date.parse(body.sent_at) - now_ms) / 100) / 10;
  if (body.complete === true) {
    status.reported_all = true;
    beginLinksAnew(status, isPeer);
  }
  if (body.applied !== undefined) {
    status.applied = { ...status.applied, ...body.applied };
    status.applied_at = now;
    status.in_sync_as_of = -1;
  }
  if (body.observed === undefined) return;
  const { links, repairs, waf: _, traffic: __, ...rest } = body.observed;
  if (repairs !== undefined) noteRepairs(status, repairs);
  status.observed = { ...status.observed, ...rest };
  if (rest.ingress !== undefined) noteServing(status, rest.ingress);
  for (const link of links ?? []) {
    const peer = link.peer as NodeId;
    // What a node says about those it has no business with is not kept, or it could fill the memory with names.
    if (isPeer(peer)) past_ways.note(status, link, now_ms);
    else status.links?.delete(peer);
  }
}

/** Connections come and go with every heartbeat; which ingresses are served hardly ever changes. */
function noteServing(status: NodeStatus, ingress: NonNullable<Observed['ingress']>): void {
  const serving = ingress.flatMap(({ id, problem }) => (problem === undefined ? [id] : [])).sort();
  if (serving.join() !== status.serving?.join()) status.serving = serving;
  const shown = Object.fromEntries(
    ingress.flatMap(({ id, certificate }) => (certificate === undefined ? [] : [[id, certificate] as const])),
  );
  if (!isDeepStrictEqual(shown, status.shown)) status.shown = shown;
}
