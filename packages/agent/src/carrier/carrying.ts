/** What a carrier does, all of it: its sockets, its allocations and its links, as the agent's commands have them. */
import type { Place } from '../stun/xor-address.ts';
import { Allocations } from './allocations/allocations.ts';
import type { Arrival, KeptAllocation } from './allocations/kept-allocation.ts';
import type { Handlers } from './control/control-server.ts';
import type { Answer, CarrierEvent, Command, EventName, WantedLink, WantedWay } from './control/messages.ts';
import { Echo } from './echo/echo.ts';
import { type Link, placeText, type Way } from './links/link.ts';
import { LinkTable } from './links/link-table.ts';
import { LoopbackSocket } from './links/loopback-socket.ts';
import { WaitingPackets } from './links/waiting-packets.ts';
import { DirectWay } from './shared-port/direct-way.ts';
import { SharedPort } from './shared-port/shared-port.ts';
import { TokenBucket } from './token-bucket.ts';

interface CarryingOptions {
  readonly report: <N extends EventName>(event: N, facts: CarrierEvent<N>) => void;
  readonly droppedEvents: () => number;
  /** Asked for by the agent. */
  readonly end: () => void;
}

interface Sockets {
  readonly node: string;
  readonly loopback: LoopbackSocket;
  readonly shared: SharedPort;
}

/** Ours: a link that waits is reported again after a second, if WireGuard goes on sending. */
const WAKE_AGAIN_MS = 1000;
const WAKES = { per_s: 200, at_once: 500 } as const;
/** Ours: what it is sent to, what the agent knows, and a few that it was sent to before. */
const MAX_PLACES_OF_LINK = 12;
/** Ours: who can send to us has credentials of a relay, and is one of ours that moved. */
const GUESTS = { per_s: 50, at_once: 64 } as const;

export class Carrying {
  readonly #options: CarryingOptions;
  readonly #table = new LinkTable();
  readonly #waiting = new WaitingPackets();
  readonly #wakes = new TokenBucket(WAKES.per_s, WAKES.at_once);
  readonly #newGuests = new TokenBucket(GUESTS.per_s, GUESTS.at_once);
  readonly #allocations = new Allocations({
    received: (packet) => this.#arrived(packet),
    lost: (allocation) => this.#lost(allocation),
  });
  #sockets: Sockets | undefined;
  #opening: Promise<Sockets> | undefined;
  #echo: Echo | undefined;

  readonly handlers: Handlers = {
    open: (wanted) => this.#open(wanted),
    state: () => this.#state(),
    traffic: ({ within_ms }) => this.#traffic(within_ms),
    links: (change) => this.#change(change),
    allocate: (wanted) => this.#allocations.make(wanted),
    permit: async ({ allocation, addresses }) => ({ refused: await this.#allocations.permit(allocation, addresses) }),
    release: async ({ allocation }) => {
      this.#withoutWaysVia(allocation);
      await this.#allocations.release(allocation);
      return {};
    },
    ask: ({ to, peer }) => ({ transaction: this.#opened().shared.ask(to, peer) }),
    listen_for_echoes: async ({ echo }) => {
      this.#echo?.close();
      this.#echo = undefined;
      if (echo === undefined) return {};
      const opened = await Echo.open(echo, {
        echoed: (facts) => this.#options.report('echoed', facts),
        messaged: (facts) => this.#options.report('messaged', facts),
      });
      (this.#echo as Echo | undefined)?.close(); // another command was faster
      this.#echo = opened;
      return {};
    },
    echo: ({ to, bytes }) => ({ transaction: this.#listening().ask(to, bytes) }),
    message: ({ to, text }) => {
      this.#listening().send(to, text);
      return {};
    },
    end: () => {
      setImmediate(this.#options.end);
      return {};
    },
  };

  constructor(options: CarryingOptions) {
    this.#options = options;
  }

  /** Gives back what relays hold for us. */
  async close(): Promise<void> {
    await this.#allocations.releaseAll();
    this.#sockets?.loopback.close();
    this.#sockets?.shared.close();
    this.#echo?.close();
  }

  #opened(): Sockets {
    if (this.#sockets === undefined) throw new Error('the sockets are not open');
    return this.#sockets;
  }

  #listening(): Echo {
    if (this.#echo === undefined) throw new Error('there is nowhere to ask from');
    return this.#echo;
  }

  async #open({ node, wireguard_port, loopback_port }: Command<'open'>): Promise<Answer<'open'>> {
    this.#opening ??= this.#openSockets(node, wireguard_port, loopback_port);
    try {
      this.#sockets = await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
    if (this.#sockets.node !== node) throw new Error(`this is the carrier of ${this.#sockets.node}`);
    this.#sockets.loopback.wireguard_port = wireguard_port;
    return socketsState(this.#sockets);
  }

  async #openSockets(node: string, wireguard_port: number, port: number | undefined): Promise<Sockets> {
    const received = (data: Buffer, address: string) => this.#sent(data, address);
    const loopback = await LoopbackSocket.open({ wireguard_port, port, received });
    try {
      const shared = await SharedPort.open({
        node,
        keyOf: (peer) => this.#table.ofPeer(peer)?.key,
        answered: (facts) => this.#options.report('answered', facts),
        asked: (facts) => this.#options.report('asked', facts),
      });
      return { node, loopback, shared };
    } catch (error) {
      loopback.close();
      throw error;
    }
  }

  /** WireGuard sent this. */
  #sent(data: Buffer, address: string): void {
    const link = this.#table.at(address);
    if (link === undefined) return;
    const now_ms = performance.now();
    link.sent_packets++;
    link.sent_bytes += data.length;
    link.used_ms = now_ms;
    const { ways } = link;
    if (ways.length === 0) this.#wake(link, data, now_ms);
    for (let index = 0; index < ways.length; index++) ways[index]?.send(data, now_ms);
  }

  #wake(link: Link, data: Buffer, now_ms: number): void {
    if (link.peer === undefined) return; // a guest whose allocation is gone
    this.#waiting.keep(link, data, now_ms);
    if (now_ms - link.woken_ms < WAKE_AGAIN_MS || !this.#wakes.take(now_ms)) return;
    link.woken_ms = now_ms;
    this.#options.report('woken', { peer: link.peer });
  }

  /** A relay sent this. */
  #arrived({ allocation, data, from, place = placeText(from), now_ms }: Arrival): void {
    const loopback = this.#sockets?.loopback;
    const link = this.#table.from(place) ?? this.#guest(allocation, data, from);
    if (link === undefined || loopback === undefined) return;
    link.received_packets++;
    link.received_bytes += data.length;
    link.used_ms = now_ms;
    if (link.peer === undefined && link.ways.length === 0) link.ways = [allocation.wayTo(from)];
    loopback.deliver(data, link.address);
  }

  /** Undefined: it is nothing of WireGuard's, or there are too many at once. */
  #guest(allocation: KeptAllocation, data: Buffer, from: Place): Link | undefined {
    if (!isWireguard(data) || !this.#newGuests.take()) return undefined;
    const guest = this.#table.newGuest(from);
    this.#options.report('guest', { address: guest.address, via: allocation.wanted.allocation, from });
    return guest;
  }

  #lost({ wanted: { allocation }, lost = '' }: KeptAllocation): void {
    this.#withoutWaysVia(allocation);
    this.#options.report('allocation_lost', { allocation, reason: lost.slice(0, 1000) });
  }

  #withoutWaysVia(allocation: string): void {
    for (const links of [this.#table.links, this.#table.guests]) {
      for (const link of links) link.ways = link.ways.filter(({ wanted }) => !isVia(wanted, allocation));
    }
  }

  /** What is not known is refused before anything has changed. */
  #change({ set, remove }: Command<'links'>): Answer<'links'> {
    const ways = set.map((wanted) => wanted.ways?.map((way) => this.#wayOf(way)));
    for (const peer of remove) {
      const link = this.#table.remove(peer);
      if (link !== undefined) this.#waiting.forget(link);
    }
    return { addresses: set.map((wanted, index) => this.#set(wanted, ways[index])) };
  }

  #set({ peer, address, places, key }: WantedLink, ways: readonly Way[] | undefined) {
    const link = this.#table.ensure(peer, address);
    if (ways !== undefined) link.ways = ways;
    if (places !== undefined) link.known = places;
    if (key !== undefined) link.key = Buffer.from(key, 'hex');
    if (ways !== undefined || places !== undefined) this.#table.setPlaces(link, placesOf(link));
    this.#waiting.send(link, performance.now());
    return { peer, address: link.address };
  }

  #wayOf(wanted: WantedWay): Way {
    if ('direct' in wanted) return new DirectWay(this.#opened().shared, wanted.direct);
    const allocation = this.#allocations.find(wanted.via);
    if (allocation === undefined) throw new Error(`there is no allocation ${wanted.via}`);
    return allocation.wayTo(wanted.to);
  }

  #traffic(within_ms: number): Answer<'traffic'> {
    const now_ms = performance.now();
    const links: Answer<'traffic'>['links'][number][] = [];
    for (const link of this.#table.links) {
      if (link.peer !== undefined && now_ms - link.used_ms <= within_ms) {
        links.push({ peer: link.peer, ...link.counted(now_ms) });
      }
    }
    return { links };
  }

  #state(): Answer<'state'> {
    const now_ms = performance.now();
    const links = [...this.#table.links].map((link) => ({
      peer: link.peer ?? '',
      address: link.address,
      ways: link.ways.map(({ wanted }) => wanted),
      wakes: link.waiting !== undefined,
      ...link.counted(now_ms),
    }));
    const guests = [...this.#table.guests].flatMap(({ address, ways }) =>
      ways.flatMap(({ wanted }) => ('to' in wanted ? [{ address, via: wanted.via, from: wanted.to }] : [])),
    );
    return {
      ...(this.#sockets === undefined ? {} : { sockets: socketsState(this.#sockets) }),
      allocations: this.#allocations.list(),
      links,
      guests,
      ...(this.#echo === undefined ? {} : { echo: this.#echo.places }),
      dropped_events: this.#options.droppedEvents(),
    };
  }
}

function socketsState({ node, loopback, shared }: Sockets): Answer<'open'> {
  const { wireguard_port, port } = loopback;
  return { node, wireguard_port, loopback_port: port, shared_ports: shared.ports };
}

/** Known ones, those it sends to, and those that it sent to lately: the other side may change its ways a moment later. */
function placesOf({ known, ways, places }: Link): readonly Place[] {
  const all = [...known, ...ways.flatMap(({ wanted }) => ('to' in wanted ? [wanted.to] : [])), ...places];
  const each = new Map(all.map((place) => [placeText(place), place]));
  return [...each.values()].slice(0, MAX_PLACES_OF_LINK);
}

function isVia(wanted: WantedWay, allocation: string): boolean {
  return 'via' in wanted && wanted.via === allocation;
}

/** Its messages begin with their kind, 1 to 4, and three zeros; the shortest is a keepalive. */
function isWireguard(data: Buffer): boolean {
  if (data.length < 32) return false;
  const kind = data.readUInt32LE(0);
  return kind >= 1 && kind <= 4;
}
