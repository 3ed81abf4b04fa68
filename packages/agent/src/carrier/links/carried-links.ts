import type { Place } from '../../stun/xor-address.ts';
import type { Answer, CarrierEvent, Command, EventName, WantedLink, WantedWay } from '../control/messages.ts';
import { TokenBucket } from '../token-bucket.ts';
import { CHOSEN_HOLDS_MS, Follow, goOnWithout, takeSpare } from './follow.ts';
import { ANSWERED, type Arrival, type Link, placeText, type Through, type Way, wantedWay } from './link.ts';
import { LinkTable } from './link-table.ts';
import { Silence } from './silence.ts';
import { WaitingPackets } from './waiting-packets.ts';

interface CarriedLinksOptions {
  readonly report: <N extends EventName>(event: N, facts: CarrierEvent<N>) => void;
  /** Throws when there is no such allocation. */
  readonly wayOf: (wanted: WantedWay) => Way;
  /** Not one that is being made, or given back. */
  readonly isKept: (allocation: Through) => boolean;
  /** WireGuard hears it from that address. */
  readonly deliver: (data: Buffer, address: string) => void;
}

/** Ours: a link that was quiet for so long is a link that begins anew, and its agent may look for a better way. */
const QUIET_MS = 15_000;
/** Ours: one that is only kept, by keepalives every 25 s and the handshakes that follow from them, does not begin anew. */
const KEPT_MS = 40_000;
/** Ours: a link that waits is reported again after a second, if WireGuard goes on sending. */
const WAKE_AGAIN_MS = 1000;
const WAKES = { per_s: 200, at_once: 500 } as const;
/** Ours: what the agent names, which is eleven at most, and a few that it was sent to before. */
const MAX_PLACES_OF_LINK = 16;
/** Ours: who can send to us has credentials of a relay, and is one of ours that moved. */
const GUESTS = { per_s: 50, at_once: 64 } as const;
/** A message of WireGuard's with nothing in it, which is its shortest. No answer comes to it. */
const KEEPALIVE_BYTES = 32;

/** All links and guests, and what becomes of each packet of theirs. */
export class CarriedLinks {
  readonly #options: CarriedLinksOptions;
  readonly #table = new LinkTable();
  readonly #waiting = new WaitingPackets();
  readonly #wakes = new TokenBucket(WAKES.per_s, WAKES.at_once);
  readonly #newGuests = new TokenBucket(GUESTS.per_s, GUESTS.at_once);
  readonly #silence: Silence;
  readonly #follow: Follow;

  constructor(options: CarriedLinksOptions) {
    this.#options = options;
    this.#silence = new Silence((facts) => options.report('silent', facts));
    this.#follow = new Follow({
      isKept: options.isKept,
      report: (facts) => options.report('followed', facts),
    });
  }

  close(): void {
    this.#silence.close();
  }

  keyOf(peer: string): Buffer | undefined {
    return this.#table.ofPeer(peer)?.key;
  }

  /** WireGuard sent this. */
  sent(data: Buffer, address: string, now_ms: number = performance.now()): void {
    const link = this.#table.at(address);
    if (link === undefined) return;
    link.sent_packets++;
    link.sent_bytes += data.length;
    if (begins(link, data, now_ms)) link.wake_due = 'node';
    const { ways } = link;
    if (ways.length === 0) this.#wait(link, data, now_ms);
    for (let index = 0; index < ways.length; index++) ways[index]?.send(data, now_ms);
    if (link.doubles_left > 0) this.#double(link, data, now_ms);
    if (link.wake_due !== undefined) this.#wake(link, now_ms);
    if (link.unanswered_ms !== ANSWERED || !link.isRelayed) return;
    if (link.peer !== undefined && data.length > KEEPALIVE_BYTES) this.#silence.watch(link, now_ms);
  }

  /** A relay sent this. */
  arrived(packet: Arrival): void {
    const { allocation, data, from, place = placeText(from), now_ms } = packet;
    const link = this.#table.from(place) ?? this.#guest(allocation, data, from);
    if (link === undefined) return;
    link.received_packets++;
    link.received_bytes += data.length;
    if (begins(link, data, now_ms)) link.wake_due = 'peer';
    if (link.unanswered_ms !== ANSWERED) link.answered();
    if (link.peer !== undefined) this.#follow.received(link, packet, place);
    else if (link.ways.length === 0 && this.#options.isKept(allocation)) link.goBy([allocation.wayTo(from)]);
    if (link.wake_due !== undefined) this.#wake(link, now_ms);
    this.#options.deliver(data, link.address);
  }

  /** Links that have a spare way go on by it. No packet waits then: they had a way until now. */
  withoutWaysVia(allocation: string): void {
    for (const links of [this.#table.links, this.#table.guests]) {
      for (const link of links) goOnWithout(link, allocation);
    }
  }

  /** What is not known is refused before anything has changed. */
  change({ set, remove }: Command<'links'>): Answer<'links'> {
    const { wayOf } = this.#options;
    const chosen = set.map(({ ways, spares }) => ({ ways: ways?.map(wayOf), spares: spares?.map(wayOf) }));
    for (const peer of remove) {
      const link = this.#table.remove(peer);
      if (link === undefined) continue;
      this.#waiting.forget(link);
      this.#silence.forget(link);
    }
    return { addresses: set.map((wanted, index) => this.#set(wanted, chosen[index])) };
  }

  traffic(within_ms: number): Answer<'traffic'> {
    const now_ms = performance.now();
    const links: Answer<'traffic'>['links'][number][] = [];
    for (const link of this.#table.links) {
      if (link.peer !== undefined && now_ms - link.used_ms <= within_ms) {
        links.push({ peer: link.peer, ...link.counted(now_ms) });
      }
    }
    return { links };
  }

  state(): Pick<Answer<'state'>, 'links' | 'guests'> {
    const now_ms = performance.now();
    const links = [...this.#table.links].map((link) => ({
      peer: link.peer ?? '',
      address: link.address,
      ways: link.ways.map(wantedWay),
      spares: link.spares.map(wantedWay),
      wakes: link.waiting !== undefined,
      ...link.counted(now_ms),
    }));
    const guests = [...this.#table.guests].flatMap(({ address, ways }) =>
      ways.flatMap(({ through, to }) =>
        through === undefined ? [] : [{ address, via: through.wanted.allocation, from: to }],
      ),
    );
    return { links, guests };
  }

  /** One of the other ways may get there. WireGuard drops what comes twice, and the peer answers by the way that it came. */
  #double(link: Link, data: Buffer, now_ms: number): void {
    link.doubles_left--;
    for (const way of link.spares) way.send(data, now_ms);
  }

  #wait(link: Link, data: Buffer, now_ms: number): void {
    if (link.peer === undefined) return; // a guest whose allocation is gone
    this.#waiting.keep(link, data, now_ms);
    if (now_ms - link.woken_ms >= WAKE_AGAIN_MS) link.wake_due = 'node';
  }

  /** One that is too many now is reported with a later packet. */
  #wake(link: Link, now_ms: number): void {
    const { peer, wake_due: by } = link;
    if (peer === undefined || by === undefined || !this.#wakes.take(now_ms)) return;
    link.wake_due = undefined;
    if (by === 'node') link.woken_ms = now_ms;
    this.#options.report('woken', { peer, by });
  }

  /** Undefined: it is nothing of WireGuard's, or there are too many at once. */
  #guest(allocation: Through, data: Buffer, from: Place): Link | undefined {
    if (!isWireguard(data) || !this.#newGuests.take()) return undefined;
    const guest = this.#table.newGuest(from);
    this.#options.report('guest', { address: guest.address, via: allocation.wanted.allocation, from });
    return guest;
  }

  #set({ peer, address, places, key }: WantedLink, chosen: Chosen | undefined) {
    const link = this.#table.ensure(peer, address);
    const now_ms = performance.now();
    if (chosen?.ways !== undefined) {
      link.goBy(chosen.ways);
      link.chosen = chosen.ways;
      link.held_until_ms = now_ms + CHOSEN_HOLDS_MS;
      link.follow_due = false;
    }
    if (chosen?.ways !== undefined || chosen?.spares !== undefined) {
      link.spares = chosen.spares ?? [];
      takeSpare(link);
    }
    if (places !== undefined) link.known = places;
    if (key !== undefined) link.key = Buffer.from(key, 'hex');
    if (chosen?.ways !== undefined || chosen?.spares !== undefined || places !== undefined) {
      this.#table.setPlaces(link, placesOf(link));
    }
    this.#waiting.send(link, now_ms);
    return { peer, address: link.address };
  }
}

interface Chosen {
  readonly ways: readonly Way[] | undefined;
  readonly spares: readonly Way[] | undefined;
}

/** Known ones, those it sends to, and those that it sent to lately: the other side may change its ways a moment later. */
function placesOf({ known, ways, chosen, spares, places }: Link): readonly Place[] {
  const relayed = [...ways, ...spares, ...chosen].flatMap(({ through, to }) => (through === undefined ? [] : [to]));
  const each = new Map([...known, ...relayed, ...places].map((place) => [placeText(place), place]));
  return [...each.values()].slice(0, MAX_PLACES_OF_LINK);
}

/** Takes in that it is used, and says whether it was quiet before. */
function begins(link: Link, data: Buffer, now_ms: number): boolean {
  const keeps = data.length === KEEPALIVE_BYTES || isHandshake(data);
  const wasQuiet = keeps ? now_ms - link.used_ms > KEPT_MS : now_ms - link.filled_ms > QUIET_MS;
  link.used_ms = now_ms;
  if (!keeps || wasQuiet) link.filled_ms = now_ms; // a first handshake is followed by what it is for
  return wasQuiet;
}

function isHandshake(data: Buffer): boolean {
  const [kind = 0] = data;
  return kind >= 1 && kind <= 3;
}

/** Its messages begin with their kind, 1 to 4, and three zeros; the shortest is a keepalive. */
function isWireguard(data: Buffer): boolean {
  if (data.length < KEEPALIVE_BYTES) return false;
  const kind = data.readUInt32LE(0);
  return kind >= 1 && kind <= 4;
}
