/** The relay that a node also receives by, and that takes over when its home is lost. */
import type { NodeId } from '@meshwork/contract';
import { freeOf, isBetter, type RelayStanding } from './relay-standings.ts';

export interface StandbySeeker {
  readonly node: NodeId;
  /** What it receives by from now on. */
  readonly home: string;
  /** Null: it has none. */
  readonly present: string | null;
  /** Where it receives now, best first. Empty: nowhere, or it does not say. */
  readonly receives_by: readonly string[];
  readonly round_trips: ReadonlyMap<string, number>;
}

/**
 * What it receives by now, until it receives by its home: its peers send there, and the place must not go before they know the
 * new one. This relies on the agent: it makes an allocation on each relay that it is to use, reports them all, and
 * gives back one that it is not to use any more only some seconds after that report was answered. Then what it has while that works and has room; otherwise the nearest with room, of another site than its home
 * where there is one. Homes come first: a standby takes what room they leave.
 */
export function chooseStandby(seeker: StandbySeeker, relays: ReadonlyMap<string, RelayStanding>): string | null {
  const { node, home, round_trips } = seeker;
  const carries = (name: string | null) => {
    const relay = name === null || name === home ? undefined : relays.get(name);
    return relay?.healthy && relay.node !== node ? relay : undefined;
  };
  const left = seeker.receives_by.includes(home) ? undefined : seeker.receives_by.find((name) => carries(name));
  if (left !== undefined) return left;
  const present = carries(seeker.present);
  const open = [...relays.values()].filter(
    (relay) => carries(relay.name) !== undefined && !relay.draining && freeOf(relay) + (relay === present ? 1 : 0) > 0,
  );
  const apart = open.filter((relay) => isApart(relay, relays.get(home)));
  const among = apart.length > 0 ? apart : open;
  if (present !== undefined && among.includes(present)) return present.name;
  let best: RelayStanding | undefined;
  for (const relay of among) if (best === undefined || isBetter(relay, best, round_trips)) best = relay;
  return best?.name ?? null;
}

/** Whether two relays are known to stand at different sites, so that what fells one leaves the other. */
export function isApart(one: RelayStanding | undefined, other: RelayStanding | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.site !== null && other.site !== null && one.site !== other.site;
}
