import type { RelayedPlace } from '@meshwork/contract';
import type { WantedWay } from '../../carrier/control/messages.ts';
import { placeOf } from '../../stun/place-text.ts';
import type { Place } from '../../stun/xor-address.ts';
import type { Seat } from './relay-seat.ts';

/** A way through relays: from a place of ours to one of the peer's. */
export interface RelayWay {
  readonly seat: Seat;
  readonly relay: string;
  readonly to: Place;
}

/**
 * All ways to a peer, the best first: home to home, then standby to standby, which shares nothing with it, then the others.
 * A relay that this node was just lost by is left to the end: the peer has most likely lost it too.
 */
export function relayWays(
  seats: readonly Seat[],
  relayed: readonly RelayedPlace[],
  isLost: (relay: string) => boolean,
): readonly RelayWay[] {
  const places = relayed.flatMap(({ relay, endpoint }) => {
    const to = placeOf(endpoint);
    return to === undefined ? [] : [{ relay, to }];
  });
  const ways = seats.flatMap((seat, one) =>
    places.map(({ relay, to }, other) => ({ seat, relay, to, cost: (isLost(relay) ? 100 : 0) + costOf(one, other) })),
  );
  return ways.sort((a, b) => a.cost - b.cost).map(({ seat, relay, to }) => ({ seat, relay, to }));
}

function costOf(one: number, other: number): number {
  return one === other ? one * 2 : one + other + 2;
}

export function wantedWay({ seat, to }: RelayWay): WantedWay {
  return { via: seat.allocation, to };
}
