import type { Place } from '../../stun/xor-address.ts';
import { MAX_SPARES, type WantedWay } from '../control/messages.ts';

/** An allocation, as links see it. */
export interface Through {
  readonly wanted: { readonly allocation: string };
  wayTo(to: Place): Way;
}

/** By which a link's packets leave. */
export interface Way {
  send(data: Buffer, now_ms: number): void;
  /** Undefined: it is direct. */
  readonly through: Through | undefined;
  readonly to: Place;
  /** The same, as `placeText` has it. */
  readonly place: string;
}

/** From a place on a relay. */
export interface Arrival {
  readonly allocation: Through;
  readonly data: Buffer;
  readonly from: Place;
  /** As `placeText` has it. Absent: it has to be written first. */
  readonly place?: string | undefined;
  readonly now_ms: number;
}

/** What a link has that only a guest has not: its peer is known. */
interface LinkIdentity {
  /** Absent: a guest, of whom only the place is known. */
  readonly peer?: string | undefined;
  readonly address: string;
}

interface Waiting {
  readonly data: Buffer;
  readonly at_ms: number;
}

/** Whose packet ended the rest of a link. */
type WokenBy = 'node' | 'peer';

const NEVER_MS = Number.NEGATIVE_INFINITY;
export const ANSWERED = Number.POSITIVE_INFINITY;
const NONE: readonly Way[] = [];

/** What WireGuard sees as one address on loopback. Nothing runs for it: it is looked at when a packet comes. */
export class Link {
  readonly peer: string | undefined;
  readonly address: string;
  #ways: readonly Way[] = NONE;
  #isRelayed = false;
  /** The ways that the agent chose. None: it wants none. Those that packets leave by may be others by now. */
  chosen: readonly Way[] = NONE;
  /** They take the place of ways that are lost, the first one first, and packets go by them too while nothing comes back. */
  spares: readonly Way[] = NONE;
  /** Where its packets come from. */
  places: readonly Place[] = [];
  /** Of these, what the agent knows beside where packets are sent to. */
  known: readonly Place[] = [];
  key: Buffer | undefined;
  /** Packets that came while there was no way. Undefined: none. */
  waiting: Waiting[] | undefined;
  /** Its agent is still to be notified that it is used. Undefined: it is not. */
  wake_due: WokenBy | undefined;
  /** When its agent was last notified that this node uses it. */
  woken_ms = NEVER_MS;
  used_ms = NEVER_MS;
  /** When it last carried a packet with something in it. */
  filled_ms = NEVER_MS;
  /** When the first packet left that nothing has come after. */
  unanswered_ms = ANSWERED;
  /** How many of the next packets go by its spare ways too, because nothing comes back. */
  doubles_left = 0;
  /** Until then its way is not left for another one that the peer sends by. */
  held_until_ms = NEVER_MS;
  /** When its agent was last notified that it followed its peer, and whether it is still to be. */
  followed_ms = NEVER_MS;
  follow_due = false;
  sent_packets = 0;
  sent_bytes = 0;
  received_packets = 0;
  received_bytes = 0;

  constructor({ peer, address }: LinkIdentity) {
    this.peer = peer;
    this.address = address;
  }

  get ways(): readonly Way[] {
    return this.#ways;
  }

  /** Whether it has ways, and all of them go through relays. */
  get isRelayed(): boolean {
    return this.#isRelayed;
  }

  /** Packets leave by these from now on. What others left unanswered is not held against them. */
  goBy(ways: readonly Way[]): void {
    this.#ways = ways;
    this.#isRelayed = ways.length > 0 && ways.every(({ through }) => through !== undefined);
    this.answered();
  }

  /** By the one that its peer sends by. The others stay there for when that is lost. */
  follow(way: Way): void {
    const others = [...this.#ways, ...this.spares].filter((other) => !isSame(other, way));
    this.goBy([way]);
    this.spares = others.slice(0, MAX_SPARES);
  }

  /** Something has come. */
  answered(): void {
    this.unanswered_ms = ANSWERED;
    this.doubles_left = 0;
  }

  counted(now_ms: number) {
    const { sent_packets, sent_bytes, received_packets, received_bytes, used_ms } = this;
    const idle = used_ms === NEVER_MS ? {} : { idle_ms: Math.max(0, now_ms - used_ms) };
    return { sent_packets, sent_bytes, received_packets, received_bytes, ...idle };
  }
}

export function placeText({ address, port }: Place): string {
  return `${address} ${port}`;
}

/** As the agent says it. */
export function wantedWay({ through, to }: Way): WantedWay {
  return through === undefined ? { direct: to } : { via: through.wanted.allocation, to };
}

function isSame(one: Way, other: Way): boolean {
  return one.through === other.through && one.place === other.place;
}

export function isVia({ through }: Way, allocation: string): boolean {
  return through?.wanted.allocation === allocation;
}
