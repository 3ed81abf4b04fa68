/** The relay that a node receives by: its home. What takes over when that one is lost is chosen in `choose-standby.ts`. */
import type { NodeId } from '@meshwork/contract';
import { isBetter, type RelayStanding } from './relay-standings.ts';

export interface RelaySeeker {
  readonly node: NodeId;
  /** The relay that an operator chose for it. Null: none was chosen. */
  readonly pinned: string | null;
  /** Null: it has none. */
  readonly present: string | null;
  /** What is to take over when the present one is lost. Null: none. */
  readonly standby: string | null;
  /** Whether the present one is to stay while it works. False: it was chosen before the node had measured anything. */
  readonly settled: boolean;
  /** Relays that have been so much nearer for so long that they are worth a move. See `nearer-relays.ts`. */
  readonly nearer: ReadonlySet<string>;
  readonly round_trips: ReadonlyMap<string, number>;
}

/** Why is null where the choice is the one before, for the reason before. */
interface RelayChoice {
  readonly relay: string | null;
  readonly why: string | null;
}

export const PINNED = 'pinned by an operator';
const NONE = 'no relay works, or all that work are full';

/**
 * An operator's choice counts first, whatever the load, and for as long as it works; then what the node has, because a move
 * costs every connection a moment, unless another has been much nearer for a while. When what it has is lost, the
 * standby takes over: the node has an allocation there already. Then the nearest with room. None: none works, or all that do
 * are full. The bound on their load is a promise to the nodes that use them.
 */
export function chooseRelay(seeker: RelaySeeker, relays: ReadonlyMap<string, RelayStanding>): RelayChoice {
  const { node, round_trips } = seeker;
  // A node is no relay for itself: what cannot reach the node directly cannot reach its relay either.
  const works = (relay: RelayStanding) => relay.healthy && !relay.draining && relay.node !== node;
  const working = (name: string | null) => {
    const relay = name === null ? undefined : relays.get(name);
    return relay !== undefined && works(relay) ? relay : undefined;
  };
  const pinned = working(seeker.pinned);
  if (pinned !== undefined) return { relay: pinned.name, why: PINNED };
  const present = working(seeker.present);
  const hasRoom = (relay: RelayStanding) => (relay === present ? relay.load - 1 : relay.load) < relay.capacity;
  const open = [...relays.values()].filter((relay) => works(relay) && hasRoom(relay));
  if (present !== undefined && seeker.settled && present.load <= present.capacity) {
    const near = bestOf(
      open.filter(({ name }) => seeker.nearer.has(name)),
      round_trips,
    );
    if (near === undefined) return { relay: present.name, why: null };
    return { relay: near.name, why: `${measured(near, round_trips)}; ${measured(present, round_trips)} before` };
  }
  const lost = seeker.present === null || present !== undefined ? '' : `${lossOf(seeker.present, node, relays)}; `;
  const standby = lost === '' ? undefined : open.find(({ name }) => name === seeker.standby);
  if (standby !== undefined) return { relay: standby.name, why: `${lost}its standby took over` };
  const best = bestOf(open, round_trips);
  if (best !== undefined) return { relay: best.name, why: `${lost}${reasonFor(best, open, round_trips)}` };
  // On one that was made smaller, and nowhere else to go: staying is better than having none.
  return present === undefined ? { relay: null, why: `${lost}${NONE}` } : { relay: present.name, why: null };
}

function bestOf(open: readonly RelayStanding[], round_trips: ReadonlyMap<string, number>): RelayStanding | undefined {
  return open.reduce<RelayStanding | undefined>(
    (best, relay) => (best === undefined || isBetter(relay, best, round_trips) ? relay : best),
    undefined,
  );
}

/** Why the present one is not used any more, in words that follow nothing. */
function lossOf(name: string, node: NodeId, relays: ReadonlyMap<string, RelayStanding>): string {
  const relay = relays.get(name);
  if (relay === undefined) return `${name} was deleted`;
  if (relay.node === node) return `the node runs ${name} itself`;
  return relay.healthy ? `${name} is drained` : `${name} does not carry any more`;
}

function reasonFor(
  best: RelayStanding,
  open: readonly RelayStanding[],
  round_trips: ReadonlyMap<string, number>,
): string {
  const others = open.filter((relay) => relay !== best);
  if (others.length === 0) return 'the only relay with room';
  if (!round_trips.has(best.name)) return `the emptiest: ${best.load} of ${best.capacity} nodes`;
  const next = bestOf(
    others.filter(({ name }) => round_trips.has(name)),
    round_trips,
  );
  const first = measured(best, round_trips);
  return next === undefined ? first : `${first}, the next is ${next.name} with ${milliseconds(next, round_trips)}`;
}

function measured(relay: RelayStanding, round_trips: ReadonlyMap<string, number>): string {
  return `${relay.name}: ${milliseconds(relay, round_trips)}`;
}

function milliseconds({ name }: RelayStanding, round_trips: ReadonlyMap<string, number>): string {
  const rtt_ms = round_trips.get(name);
  return rtt_ms === undefined
    ? 'not measured'
    : `${rtt_ms < 10 ? Math.round(rtt_ms * 10) / 10 : Math.round(rtt_ms)} ms`;
}
