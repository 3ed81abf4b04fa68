import type { Place } from '../../stun/xor-address.ts';
import type { CarrierEvent } from '../control/messages.ts';
import { type Arrival, isVia, type Link, type Through } from './link.ts';

interface FollowOptions {
  /** Not one that is being made, or given back. */
  readonly isKept: (allocation: Through) => boolean;
  readonly report: (facts: CarrierEvent<'followed'>) => void;
}

/** Ours: what comes by a link's way holds it there for so long, else a peer that sends by two ways would move it with each packet. */
const HELD_MS = 200;
/** Ours: up to so many times as long where it has just followed to. By chance, else two ends could swap their ways for ever. */
const SETTLES = 3;
/** Ours: a way that the agent has just chosen holds for so long, until the peer has changed its own. */
export const CHOSEN_HOLDS_MS = 1000;
/** Ours. */
const REPORT_AGAIN_MS = 1000;

/**
 * Has a link with one relayed way answer where its peer sends from, as WireGuard itself does: so when the relay of a peer is
 * gone and it goes on by another, both directions do, whatever agents and coordinators are there. Only places that the
 * agent named are followed to.
 */
export class Follow {
  readonly #options: FollowOptions;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** `place`: where it came from, as `placeText` has it. With each packet of a link. */
  received(link: Link, packet: Arrival, place: string): void {
    const way = link.ways[0];
    if (way?.through === undefined || link.ways.length !== 1) return;
    const { allocation, now_ms } = packet;
    if (way.through !== allocation || way.place !== place) this.#follow(link, packet);
    else link.held_until_ms = Math.max(link.held_until_ms, now_ms + HELD_MS);
    if (link.follow_due) this.#report(link, now_ms);
  }

  #follow(link: Link, { allocation, from, now_ms }: Arrival): void {
    if (now_ms < link.held_until_ms || !isNamed(link, from) || !this.#options.isKept(allocation)) return;
    link.follow(allocation.wayTo(from));
    link.held_until_ms = now_ms + HELD_MS * (1 + (SETTLES - 1) * Math.random());
    link.follow_due = true;
  }

  /** Also of several within a second the last one. */
  #report(link: Link, now_ms: number): void {
    const [way] = link.ways;
    if (link.peer === undefined || way?.through === undefined || now_ms - link.followed_ms < REPORT_AGAIN_MS) return;
    link.follow_due = false;
    link.followed_ms = now_ms;
    this.#options.report({ peer: link.peer, via: way.through.wanted.allocation, to: way.to });
  }
}

/** Whether the agent named it: not only lately, as where packets were sent to before. */
function isNamed({ known, chosen, spares }: Link, { address, port }: Place): boolean {
  const isIt = (place: Place) => place.address === address && place.port === port;
  return known.some(isIt) || [...chosen, ...spares].some(({ through, to }) => through !== undefined && isIt(to));
}

/** The link goes on without the ways through that allocation: with a spare one if none is left. */
export function goOnWithout(link: Link, allocation: string): void {
  link.spares = link.spares.filter((way) => !isVia(way, allocation));
  if (!link.ways.some((way) => isVia(way, allocation))) return;
  link.goBy(link.ways.filter((way) => !isVia(way, allocation)));
  takeSpare(link);
}

/** If its ways are lost. It is not held: the peer may send by one that is proven. */
export function takeSpare(link: Link): void {
  const { chosen } = link;
  const [spare, ...others] = link.spares;
  if (spare === undefined || link.ways.length > 0 || chosen.length === 0) return;
  link.spares = others;
  link.chosen = [...chosen, spare];
  link.held_until_ms = Number.NEGATIVE_INFINITY;
  link.goBy([spare]);
}
