import type { Place } from '../../stun/xor-address.ts';
import { MAX_LINKS } from '../control/messages.ts';
import { Link, placeText } from './link.ts';

/** 127.64.0.0/10, without its last /16, which is for guests. */
const FIRST = [127, 64] as const;
const LINK_NETS = 63;
const GUEST_NET = '127.127';
/** Ours: peers that found us before we know of them. The one that was quiet for longest makes room. */
const MAX_GUESTS = 256;

/** All links, by whatever a packet or a command names them by. */
export class LinkTable {
  readonly #byPeer = new Map<string, Link>();
  readonly #byAddress = new Map<string, Link>();
  /** Guests have theirs here too, until a link has it. */
  readonly #byPlace = new Map<string, Link>();
  readonly #guests = new Map<string, Link>();
  /** Places that the agent named for several links: see `setPlaces`. Nearly always none. */
  readonly #contested = new Map<string, readonly Link[]>();
  #next = 0;

  get links(): Iterable<Link> {
    return this.#byPeer.values();
  }

  get guests(): Iterable<Link> {
    return this.#guests.values();
  }

  ofPeer(peer: string): Link | undefined {
    return this.#byPeer.get(peer);
  }

  at(address: string): Link | undefined {
    return this.#byAddress.get(address);
  }

  /** `place` as `placeText` has it. */
  from(place: string): Link | undefined {
    return this.#byPlace.get(place);
  }

  /** The peer's link, made if there is none. Throws when the address is another's, or is none for links. */
  ensure(peer: string, address?: string): Link {
    const there = this.#byPeer.get(peer);
    if (there !== undefined && (address === undefined || address === there.address)) return there;
    if (address !== undefined) this.#checkAddress(address);
    if (there !== undefined) throw new Error(`the link to ${peer} has the address ${there.address}`);
    if (this.#byPeer.size >= MAX_LINKS) throw new Error(`there are ${MAX_LINKS} links already`);
    const link = new Link({ peer, address: address ?? this.#freeAddress() });
    this.#byPeer.set(peer, link);
    this.#byAddress.set(link.address, link);
    return link;
  }

  remove(peer: string): Link | undefined {
    const link = this.#byPeer.get(peer);
    if (link === undefined) return undefined;
    link.known = [];
    this.setPlaces(link, []);
    this.#byPeer.delete(peer);
    this.#byAddress.delete(link.address);
    for (const guest of this.#guests.values()) {
      if (this.#byAddress.get(guest.address) === link) this.#byAddress.set(guest.address, guest);
    }
    return link;
  }

  /**
   * What comes from there is this link's from now on, also if it was another's. If it was a guest's, WireGuard may still send
   * to the guest's address: that is this link's too. A place that was named for two peers is neither's: one of them lies, or
   * had it before, and would be given the packets of the other one. What comes from there is a guest's, as WireGuard alone
   * can tell whose it is.
   */
  setPlaces(link: Link, places: readonly Place[]): void {
    for (const place of link.places) {
      const text = placeText(place);
      if (this.#byPlace.get(text) === link) this.#byPlace.delete(text);
    }
    link.places = places;
    for (const place of places) if (!this.#contest(link, placeText(place))) this.#give(placeText(place), link);
    for (const [text, links] of this.#contested) {
      const left = links.filter((one) => isNamed(one, text));
      this.#contested.set(text, left);
      if (left.length > 1) continue;
      this.#contested.delete(text);
      if (left[0] !== undefined) this.#give(text, left[0]);
    }
  }

  #give(place: string, link: Link): void {
    const before = this.#byPlace.get(place);
    if (before !== undefined && this.#guests.has(before.address)) this.#byAddress.set(before.address, link);
    this.#byPlace.set(place, link);
  }

  /** Whether another link has it by the agent's word. One that this link has only from before is left to that other one. */
  #contest(link: Link, place: string): boolean {
    const before = this.#byPlace.get(place);
    const links = this.#contested.get(place) ?? (before !== undefined && isNamed(before, place) ? [before] : []);
    if (links.every((one) => one === link) || link.peer === undefined) return false;
    if (!isNamed(link, place)) return true;
    this.#contested.set(place, [...new Set([...links, link])]);
    if (before?.peer !== undefined) this.#byPlace.delete(place);
    return true;
  }

  /** For a place that no link has. */
  newGuest(place: Place): Link {
    const guest = new Link({ address: this.#guestAddress() });
    this.#guests.set(guest.address, guest);
    this.#byAddress.set(guest.address, guest);
    this.setPlaces(guest, [place]);
    return guest;
  }

  #guestAddress(): string {
    if (this.#guests.size < MAX_GUESTS) return `${GUEST_NET}.0.${this.#guests.size}`;
    let quiet: Link | undefined;
    for (const guest of this.#guests.values()) if (quiet === undefined || guest.used_ms < quiet.used_ms) quiet = guest;
    if (quiet === undefined) throw new Error('there is no guest');
    this.setPlaces(quiet, []);
    this.#guests.delete(quiet.address);
    this.#byAddress.delete(quiet.address);
    return quiet.address;
  }

  #checkAddress(address: string): void {
    const [one, two = 0] = address.split('.').map(Number);
    if (one !== FIRST[0] || two < FIRST[1] || two >= FIRST[1] + LINK_NETS || address.includes(':')) {
      throw new Error(`${address} is no address for a link`);
    }
    if (this.#byAddress.has(address)) throw new Error(`${address} is another link's`);
  }

  #freeAddress(): string {
    for (;;) {
      const number = this.#next++ % (LINK_NETS * 65_536);
      const address = `${FIRST[0]}.${FIRST[1] + (number >>> 16)}.${(number >>> 8) & 255}.${number & 255}`;
      if (!this.#byAddress.has(address)) return address;
    }
  }
}

/** Whether the agent named the place for it. */
function isNamed({ known }: Link, place: string): boolean {
  return known.some((one) => placeText(one) === place);
}
