import type { NodeId } from '@meshwork/contract';

/** A relay as one choice sees it. */
export interface RelayStanding {
  readonly name: string;
  /** The node that runs it. Null: it is external. */
  readonly node: NodeId | null;
  readonly healthy: boolean;
  readonly draining: boolean;
  readonly capacity: number;
  /** Nodes assigned to it, the one that is being chosen for included if it is there. */
  readonly load: number;
}

export interface RelaySeeker {
  readonly node: NodeId;
  /** The relay that an operator chose for it. Null: none was chosen. */
  readonly pinned: string | null;
  /** Null: it has none. */
  readonly present: string | null;
  /** Whether the present one is to stay while it works. False: it was chosen before the node had measured anything. */
  readonly settled: boolean;
  readonly round_trips: ReadonlyMap<string, number>;
}

/**
 * The relay of one node, by name. An operator's choice counts first, whatever the load, and for as long as it works;
 * then what it has, because a move costs every connection a moment. Null: none works, or all that do are full. The
 * bound on their load is a promise to the nodes that use them.
 */
export function chooseRelay(seeker: RelaySeeker, relays: ReadonlyMap<string, RelayStanding>): string | null {
  // A node is no relay for itself: what cannot reach the node directly cannot reach its relay either.
  const works = (relay: RelayStanding) => relay.healthy && !relay.draining && relay.node !== seeker.node;
  const working = (name: string | null) => {
    const relay = name === null ? undefined : relays.get(name);
    return relay !== undefined && works(relay) ? relay : undefined;
  };
  const pinned = working(seeker.pinned);
  if (pinned !== undefined) return pinned.name;
  const present = working(seeker.present);
  if (present !== undefined && seeker.settled && present.load <= present.capacity) return present.name;
  let best: RelayStanding | undefined;
  for (const relay of relays.values()) {
    const others = relay === present ? relay.load - 1 : relay.load;
    if (!works(relay) || others >= relay.capacity) continue;
    if (best === undefined || isBetter(relay, best, seeker.round_trips)) best = relay;
  }
  // On one that was made smaller, and nowhere else to go: staying is better than having none.
  return best?.name ?? present?.name ?? null;
}

/** Nearer first, where the node has measured; then the emptier; then by name, so that the same is always chosen. */
function isBetter(a: RelayStanding, b: RelayStanding, round_trips: ReadonlyMap<string, number>): boolean {
  const toA = round_trips.get(a.name) ?? Number.POSITIVE_INFINITY;
  const toB = round_trips.get(b.name) ?? Number.POSITIVE_INFINITY;
  if (toA !== toB) return toA < toB;
  // Multiplied out, so that equal shares are equal whatever the capacities.
  const fuller = a.load * b.capacity - b.load * a.capacity;
  return fuller === 0 ? a.name < b.name : fuller < 0;
}
