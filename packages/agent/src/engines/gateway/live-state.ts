/**
 * What nginx is sent while it runs, without a reload: which nodes get requests, in which proportion, and which ingresses
 * drain. Made from the record and from what the checks found, and from nothing else.
 */
import { createHash } from 'node:crypto';
import type {
  AssignedPool,
  AssignedRoute,
  AssignedTarget,
  IngressAssignment,
  UpstreamHealth,
} from '@meshwork/contract';
import { MESH_DOMAIN } from '@meshwork/contract/vocabulary';

/** Ours: how long clients have to move, once an ingress drains, before their new connections are refused. */
export const DRAIN_GRACE_S = 10;

export interface LivePeer {
  /** See `placeKey`: what a hash leads to stays the same while only its check becomes another one. */
  readonly key: string;
  readonly address: string;
  readonly port: number;
  /** What its certificate has to be for: `web-1.mesh`. */
  readonly name: string;
  /** At least 1. */
  readonly weight: number;
}

interface LivePool {
  /** How many of 100 requests. */
  readonly percent: number;
  readonly peers: readonly LivePeer[];
}

interface LiveRoute {
  readonly balance: string;
  readonly pools: readonly LivePool[];
}

export interface LiveState {
  /** By `routeKey`. */
  readonly routes: Readonly<Record<string, LiveRoute>>;
  /** Since when, in seconds of Unix time, by id of the ingress. */
  readonly draining: Readonly<Record<string, number>>;
  /** What is to be ended, by id of the ingress: its drain has come to its deadline. */
  readonly ended: Readonly<Record<string, CutOrder>>;
  /** The ingress whose certificate is shown, by host name. */
  readonly certificates: Readonly<Record<string, string>>;
}

/** What of an ingress is ended, and how it is known: see `lua/cuts.ts`. */
export interface CutOrder {
  /** The deadline that it is ended for. What was ended is counted by it. */
  readonly of: string;
  readonly kind: IngressAssignment['kind'];
  /** Where clients connect. Null: to a port that it shares. */
  readonly port: number | null;
  /** Where nginx gets its connections from the port that it shares. */
  readonly socket: string | null;
  /** `address:port` of nodes to which nothing but this ingress leads. */
  readonly nodes: readonly string[];
}

export interface LiveInput {
  readonly section: readonly IngressAssignment[];
  /** By `upstreamKey`. */
  readonly health: ReadonlyMap<string, UpstreamHealth>;
  /** Seconds of Unix time by id of the ingress. */
  readonly draining_since: ReadonlyMap<string, number>;
  /** By id of the ingress. Absent: nothing is to be ended. */
  readonly ended?: ReadonlyMap<string, CutOrder>;
  /** By host name. Absent: none is shown. */
  readonly certificates?: ReadonlyMap<string, string>;
}

/** What is checked, apart from the node that it is checked on. */
export type CheckedService = Pick<AssignedPool, 'service'> & Pick<AssignedRoute, 'protocol' | 'check'>;

/** `index`: its place among the routes of the ingress. */
export function routeKey(ingress_id: string, index: number): string {
  return `${ingress_id}/${index}`;
}

/** The same for two routes that check the same place in the same way: they share one check. */
export function upstreamKey(target: AssignedTarget, { service, protocol, check }: CheckedService): string {
  return `${placeKey(target, { service, protocol })} ${digestOf(check)}`;
}

/** What stays the same when only the check becomes another one. */
export function placeKey(
  { node, address, port }: AssignedTarget,
  { service, protocol }: Pick<CheckedService, 'service' | 'protocol'>,
): string {
  return `${service} ${node} ${protocol}://${address}:${port}`;
}

/** As certificates of nodes have it. */
export function nameInMesh(target: Pick<AssignedTarget, 'name'>): string {
  return `${target.name}.${MESH_DOMAIN}`;
}

export function liveState({
  section,
  health,
  draining_since,
  ended = new Map(),
  certificates = new Map(),
}: LiveInput): LiveState {
  const routes: Record<string, LiveRoute> = {};
  const draining: Record<string, number> = {};
  for (const { id, routes: assigned, draining: isDraining } of section.toSorted((a, b) => compare(a.id, b.id))) {
    for (const [index, route] of assigned.entries()) {
      routes[routeKey(id, index)] = { balance: route.balance, pools: livePools(route, health) };
    }
    // Where it is not known since when, no connection counts as older than the drain.
    if (isDraining) draining[id] = draining_since.get(id) ?? 0;
  }
  return { routes, draining, ended: Object.fromEntries(ended), certificates: Object.fromEntries(certificates) };
}

/** Only the nodes that are up. */
export function livePools({ pools, ...route }: AssignedRoute, health: LiveInput['health']): readonly LivePool[] {
  return withoutGaps(pools.map((pool) => livePool(pool, route, health)));
}

function livePool(
  { service, percent, targets }: AssignedPool,
  { protocol, check }: Pick<AssignedRoute, 'protocol' | 'check'>,
  health: LiveInput['health'],
): LivePool {
  const checked = { service, protocol, check };
  const unchecked = check.kind === 'none' ? 'up' : 'unknown';
  const peers = targets.flatMap((target) => {
    const state = health.get(upstreamKey(target, checked))?.state ?? unchecked;
    if (state !== 'up' || target.weight <= 0) return [];
    return [
      {
        key: placeKey(target, checked),
        address: target.address,
        port: target.port,
        name: nameInMesh(target),
        weight: target.weight,
      },
    ];
  });
  return { percent, peers: peers.toSorted((a, b) => compare(a.key, b.key)) };
}

/** The share of a service without a node that is up goes to the first that has one: a canary that is down fails no request. */
function withoutGaps(pools: readonly LivePool[]): readonly LivePool[] {
  const heir = pools.find(({ peers }) => peers.length > 0);
  if (heir === undefined) return pools;
  const gap = pools.reduce((sum, { percent, peers }) => (peers.length === 0 ? sum + percent : sum), 0);
  return pools.map((pool) => {
    if (pool.peers.length === 0) return { ...pool, percent: 0 };
    return pool === heir ? { ...pool, percent: pool.percent + gap } : pool;
  });
}

/** All targets of a route have the same check. */
const digests = new WeakMap<AssignedRoute['check'], string>();

function digestOf(check: AssignedRoute['check']): string {
  const digest = digests.get(check) ?? newDigest(check);
  digests.set(check, digest);
  return digest;
}

/** Only what has a say in a check of its kind: two routes may differ in the rest. */
function newDigest({ kind, interval_s, timeout_s, rise, fall, ...check }: AssignedRoute['check']): string {
  const pace = kind === 'none' ? [] : [interval_s, timeout_s, rise, fall];
  const { path, status, body, grpc_service } = check;
  const asked = kind === 'http' ? [path, status, body] : kind === 'grpc' ? [grpc_service] : [];
  return createHash('sha256')
    .update(JSON.stringify([kind, ...pace, ...asked]))
    .digest('hex')
    .slice(0, 12);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
