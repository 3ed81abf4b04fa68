/** The links of a node, as its carrier has them: one for each peer that can be reached through relays. */
import type { Peer } from '@meshwork/contract';
import type { Carrier } from '../../carrier/carrier.ts';
import { type CarrierEvent, MAX_SPARES, type WantedLink } from '../../carrier/control/messages.ts';
import { placeOf, textOf } from '../../stun/place-text.ts';
import type { Place } from '../../stun/xor-address.ts';
import { withoutPrefix } from '../../view/chosen-routes.ts';
import { PeerRelays } from './peer-relays.ts';
import type { RelaySeats } from './relay-seats.ts';
import { type RelayWay, relayWays, wantedWay } from './relay-ways.ts';

/** What is known of a link, in use or not. */
export interface KnownLink {
  readonly peer: Peer;
  /** Of the peer, on loopback. */
  readonly address: string;
  /** Through relays. Undefined: there is none now. */
  readonly way: RelayWay | undefined;
}

/** The carrier's. */
const AT_ONCE = 1000;
const MAX_PLACES = 8;

export class LinkTable {
  readonly #carrier: Pick<Carrier, 'ask'>;
  readonly #seats: Pick<RelaySeats, 'all' | 'of' | 'find' | 'hear'>;
  readonly #links = new Map<string, KnownLink>();
  readonly #relays = new PeerRelays();
  /** Ids of peers, by their addresses in the mesh. */
  readonly #byAddress = new Map<string, string>();
  /** Where those go that go directly. */
  readonly #direct = new Map<string, Place>();
  /** The relay that this node receives by, as of the last renewal. */
  #home: string | undefined;

  constructor(carrier: Pick<Carrier, 'ask'>, seats: Pick<RelaySeats, 'all' | 'of' | 'find' | 'hear'>) {
    this.#carrier = carrier;
    this.#seats = seats;
  }

  get size(): number {
    return this.#links.size;
  }

  get all(): IterableIterator<KnownLink> {
    return this.#links.values();
  }

  /** Addresses of the relays that peers receive by. */
  get relays(): readonly string[] {
    return this.#relays.addresses;
  }

  get(peer: string): KnownLink | undefined {
    return this.#links.get(peer);
  }

  /** By its address in the mesh. */
  at(address: string): KnownLink | undefined {
    return this.#links.get(this.#byAddress.get(address) ?? '');
  }

  /** In the mesh. Undefined: it has no link. */
  addressOf(peer: string): string | undefined {
    const link = this.#links.get(peer);
    return link && withoutPrefix(link.peer.address);
  }

  /** Makes the links those of these peers: of all, or of some that changed. Undefined in place of a peer: it is none any more. */
  async set(peers: ReadonlyMap<string, Peer | undefined>): Promise<void> {
    const remove = [...peers].flatMap(([id, peer]) => (peer === undefined && this.#links.has(id) ? [id] : []));
    const set = [...peers.values()].filter((peer) => peer !== undefined);
    for (const [id, peer] of peers) this.#relays.set(id, peer);
    await this.#seats.hear();
    for (const id of remove) {
      this.#byAddress.delete(this.addressOf(id) ?? '');
      this.#links.delete(id);
      this.#direct.delete(id);
    }
    if (remove.length > 0) await this.#carrier.ask('links', { set: [], remove });
    await this.#write(
      set.map((peer) => {
        const known = this.#links.get(peer.id);
        return { peer, way: this.#wayTo(peer, homeOf(known?.peer) === homeOf(peer) ? known?.way : undefined) };
      }),
    );
  }

  /** Whether the node receives by another relay than when its places were last renewed. */
  get isMoved(): boolean {
    return this.#seats.all[0]?.relay !== this.#home;
  }

  /** Our own places are others now. With another home, every link goes by the way that is best from there. */
  async renew(): Promise<void> {
    const { isMoved } = this;
    this.#home = this.#seats.all[0]?.relay;
    await this.#write(
      Array.from(this.#links.values(), ({ peer, way }) => ({
        peer,
        way: this.#wayTo(peer, isMoved ? undefined : way),
      })),
    );
  }

  /** The next way through relays after the one that it has. False: there is no other. */
  async turn(peer: string): Promise<boolean> {
    const link = this.#links.get(peer);
    if (link === undefined) return false;
    const ways = this.#waysTo(link.peer);
    const index = ways.findIndex((way) => link.way !== undefined && isSame(way, link.way));
    const next = ways[(index + 1) % ways.length];
    if (next === undefined || (link.way !== undefined && isSame(next, link.way))) return false;
    await this.#write([{ peer: link.peer, way: next }]);
    return true;
  }

  /**
   * What WireGuard hands over goes there and through relays: it hands nothing over any more as soon as packets of the peer came
   * directly, and again when that is in doubt.
   */
  async sendDirectly(peer: string, place: Place): Promise<void> {
    const link = this.#links.get(peer);
    if (link === undefined) return;
    this.#direct.set(peer, place);
    await this.#write([link]);
  }

  async sendByRelay(peer: string): Promise<void> {
    const link = this.#links.get(peer);
    this.#direct.delete(peer);
    if (link !== undefined) await this.#write([{ peer: link.peer, way: this.#wayTo(link.peer, link.way) }]);
  }

  /** What the two prove themselves with outside of the tunnel. */
  async setKey(peer: string, key: string): Promise<void> {
    if (this.#links.has(peer)) await this.#carrier.ask('links', { set: [{ peer, key }], remove: [] });
  }

  /** The carrier went on by itself where the peer went. */
  followed({ peer, via, to }: CarrierEvent<'followed'>): void {
    const link = this.#links.get(peer);
    const seat = this.#seats.find(via);
    const relay = link?.peer.relayed?.find(({ endpoint }) => endpoint === textOf(to))?.relay;
    if (link !== undefined && seat !== undefined)
      this.#links.set(peer, { ...link, way: { seat, to, relay: relay ?? '' } });
  }

  /** Those of an agent before this one. */
  forget(): void {
    this.#relays.clear();
    this.#links.clear();
    this.#byAddress.clear();
    this.#direct.clear();
  }

  #waysTo({ relayed = [] }: Peer): readonly RelayWay[] {
    return relayWays(this.#seats.all, relayed, (relay) => {
      const own = this.#seats.of(relay);
      return own !== undefined && own.seat === undefined;
    });
  }

  /** The one that it has, as long as both its ends are there; else the best. */
  #wayTo(peer: Peer, present: RelayWay | undefined): RelayWay | undefined {
    const ways = this.#waysTo(peer);
    return ways.find((way) => present !== undefined && isSame(way, present)) ?? ways[0];
  }

  async #write(links: readonly { readonly peer: Peer; readonly way: RelayWay | undefined }[]): Promise<void> {
    for (let from = 0; from < links.length; from += AT_ONCE) {
      const some = links.slice(from, from + AT_ONCE);
      const { addresses } = await this.#carrier.ask('links', { set: some.map((one) => this.#wanted(one)), remove: [] });
      for (const [index, { peer, way }] of some.entries()) {
        this.#links.set(peer.id, { peer, way, address: addresses[index]?.address ?? '' });
        this.#byAddress.set(withoutPrefix(peer.address), peer.id);
      }
    }
  }

  #wanted({ peer, way }: { readonly peer: Peer; readonly way: RelayWay | undefined }): WantedLink {
    const places = (peer.relayed ?? []).flatMap(({ endpoint }) => placeOf(endpoint) ?? []).slice(0, MAX_PLACES);
    const direct = this.#direct.get(peer.id);
    const relayed = way === undefined ? [] : [wantedWay(way)];
    if (direct !== undefined) return { peer: peer.id, places, ways: [{ direct }, ...relayed] };
    const others = this.#waysTo(peer).filter((other) => way !== undefined && !isSame(other, way));
    return { peer: peer.id, places, ways: relayed, spares: others.slice(0, MAX_SPARES).map(wantedWay) };
  }
}

function homeOf(peer: Peer | undefined): string | undefined {
  return peer?.relayed?.[0]?.relay;
}

function isSame(one: RelayWay, other: RelayWay): boolean {
  return one.seat.allocation === other.seat.allocation && textOf(one.to) === textOf(other.to);
}
