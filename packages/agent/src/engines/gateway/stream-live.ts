/** What nginx reads of an ingress for each connection that it does not look into. Made as `live-state.ts` is, for `njs/program.ts`. */
import { createHash } from 'node:crypto';
import { parseAddress } from '@meshwork/addresses';
import type { IngressAssignment } from '@meshwork/contract';
import { type LiveInput, type LivePeer, livePools } from './live-state.ts';

/** Address, port, weight, what its share of a hash is drawn from, and how many connections it has. */
type StreamPeer = readonly [string, number, number, number, number];

interface StreamLive {
  readonly balance: string;
  /** In seconds of Unix time. Null: it does not drain. */
  readonly draining: number | null;
  /** Whether its drain has come to its deadline: no connection is taken, however short the drain was. */
  readonly ended: boolean;
  readonly pools: readonly { readonly percent: number; readonly peers: readonly StreamPeer[] }[];
}

interface StreamLiveInput extends Pick<LiveInput, 'health' | 'draining_since' | 'ended'> {
  /** How many connections this host has to a node, by `address:port`. As last counted. */
  readonly open: ReadonlyMap<string, number>;
}

export function streamLive({ id, draining, routes }: IngressAssignment, input: StreamLiveInput): StreamLive {
  const [route] = routes;
  const balance = route?.balance ?? 'round_robin';
  const counts = balance === 'least_connections';
  // What is not an address would be a name or a path to nginx.
  const isAddress = ({ address }: LivePeer) => parseAddress(address) !== undefined;
  const entry = ({ key, address, port, weight }: LivePeer): StreamPeer => {
    const open = counts ? (input.open.get(`${address}:${port}`) ?? 0) : 0;
    return [address, port, weight, seedOf(key), open];
  };
  const pools = route === undefined ? [] : livePools(route, input.health);
  return {
    balance,
    draining: draining ? (input.draining_since.get(id) ?? 0) : null,
    ended: input.ended?.has(id) === true,
    pools: pools.map(({ percent, peers }) => ({ percent, peers: peers.filter(isAddress).map(entry) })),
  };
}

function seedOf(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE(0);
}
