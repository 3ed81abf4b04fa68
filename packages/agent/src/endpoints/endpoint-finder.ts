/**
 * Finds where peers can reach this node: the endpoints that it reports, best first.
 *
 * 1. Global addresses of its own interfaces. Nothing stands between, so nothing can be out of date.
 * 2. A port that the router maps to WireGuard: it lets in whatever comes to it.
 * 3. Addresses that are not its own but that others see it by: of a NAT. The relay says so by STUN, over UDP, as WireGuard
 *    will send; the coordinator says so by `seen_as`. Peers anywhere can try them, and a NAT may let them in.
 * 4. Private addresses of its own: right for peers nearby, and nothing but a lost packet for the others.
 * 5. Those of bridges and tunnels that end on this host. Hardly ever right, but in some hosts all there is.
 *
 * Within each, IPv4 comes first, then it goes by name of the interface and by address: the same facts always give the same
 * list, for every change of it wakes all peers of the node.
 *
 * The port is WireGuard's. A NAT may show another one in its place, and only a packet from that very port can find out
 * which; but WireGuard does not share it. So `probeBeforeStart` asks from it while it is still free. Afterwards the
 * relay is asked from any port, and what it says is believed as to the address only: see `candidates.ts` for the port.
 *
 * Start reading at `look`.
 */
import { networkInterfaces } from 'node:os';
import { type Network, readNetwork } from '@meshwork/addresses';
import { messageOf } from '../message-of.ts';
import { STUN_PACE, type StunPace } from '../stun/ask-stun.ts';
import { placeOf } from '../stun/place-text.ts';
import { candidates, type Mapping } from './candidates.ts';
import { type Interfaces, type LocalAddress, localAddresses } from './local-addresses.ts';
import { PublicAddresses } from './public-addresses.ts';
import { type FamilyView, type Relay, viewFromRelay } from './relay-view.ts';

export interface EndpointFinderOptions {
  /** Where WireGuard listens, or will. */
  readonly port: number;
  /** Called with the whole list, when it is another one than before. */
  readonly changed: (endpoints: readonly string[]) => void;
  /** Absent: the host's. Tests may put others in their place. */
  readonly interfaces?: (() => Interfaces) | undefined;
  /** Absent: `LOOK_EVERY_MS`. */
  readonly look_every_ms?: number | undefined;
  /** Absent: `STUN_PACE`. */
  readonly stun_pace?: StunPace | undefined;
}

/** How a NAT shows WireGuard's port. */
interface PortMapping extends Mapping {
  /** Whether that is the same port: such a NAT will most likely keep it at other addresses, too. */
  readonly keeps_port: boolean;
}

interface MeasuredRelay {
  readonly name: string;
  readonly rtt_ms: number;
}

/** Ours: short of the time in which most NATs forget, so that a new address is known before peers miss the old one. */
const LOOK_EVERY_MS = 30_000;
/** Ours: addresses and routes change several at a time, and on some hosts all the time. */
const CHANGES = { settle_ms: 300, rest_ms: 5000 } as const;

export class EndpointFinder {
  readonly #options: EndpointFinderOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** The look that is under way, and the one that will follow it. */
  #looking: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Looks because of a change of the host. */
  #soon: NodeJS.Timeout | undefined;
  #isRerouted = false;
  #lookedSoon_ms = Number.NEGATIVE_INFINITY;
  /** The addresses of the host when relays were last asked, as text. */
  #lookedAt = '';

  #mesh: readonly Network[] = [];
  #asked: readonly Relay[] = [];
  #seenAs: string | null = null;

  #local: readonly LocalAddress[] = [];
  #portMappings: readonly PortMapping[] = [];
  /** Addresses of a NAT, as links know them: asked from WireGuard's own port. */
  #mappedNow: readonly string[] = [];
  readonly #public = new PublicAddresses();
  #forwarded: Mapping | null = null;

  #endpoints: readonly string[] = [];
  #relays: readonly MeasuredRelay[] = [];
  #hostProblem: string | null = null;
  #relayProblem: string | null = null;

  constructor(options: EndpointFinderOptions) {
    this.#options = options;
  }

  get endpoints(): readonly string[] {
    return this.#endpoints;
  }

  /** What it measured when it last looked. Empty: there is no relay, or none answered. */
  get relays(): readonly MeasuredRelay[] {
    return this.#relays;
  }

  /** Why there may be endpoints that it does not know of. Null: nothing stood in the way. */
  get problem(): string | null {
    return this.#hostProblem ?? this.#relayProblem;
  }

  /** The networks that the mesh takes its addresses from: no endpoint is in them, or WireGuard would run through itself. */
  setMesh(list: readonly string[]): void {
    this.#mesh = list.map(readNetwork);
    this.#refresh();
  }

  /** The address that the coordinator sees this node by. Null: it has not said. */
  setSeenAs(address: string | null): void {
    this.#seenAs = address;
    this.#refresh();
  }

  /** How a NAT shows WireGuard's port right now, asked from that very port. */
  setMapped(endpoints: readonly string[]): void {
    const places = endpoints.flatMap((endpoint) => placeOf(endpoint) ?? []);
    this.#mappedNow = places.map(({ address }) => address);
    this.#portMappings = places.map((place) => ({ ...place, keeps_port: place.port === this.#options.port }));
    this.#refresh();
  }

  /** The router passes what comes to this endpoint on to WireGuard's port. Null: none does. */
  setForwarded(endpoint: string | null): void {
    this.#forwarded = endpoint === null ? null : (placeOf(endpoint) ?? null);
    this.#refresh();
  }

  /** The relays to ask, all of them. What was measured of one that stays is kept until it is asked again. */
  setRelays(relays: readonly Relay[]): void {
    if (JSON.stringify(relays) === JSON.stringify(this.#asked)) return;
    const staying = new Set(
      relays.filter((relay) => this.#asked.some((one) => isSame(one, relay))).map(({ name }) => name),
    );
    this.#asked = relays;
    this.#relays = this.#relays.filter(({ name }) => staying.has(name));
    this.#relayProblem = null;
    if (this.#timer !== undefined) void this.look();
  }

  /**
   * Asks the first relay from WireGuard's own port, which must be free until this has settled. Answers with what was found
   * of it. Empty: nothing, because there is no relay, it does not answer, or the port is taken. `look` then makes the best of it.
   */
  async probeBeforeStart(): Promise<readonly PortMapping[]> {
    const { port } = this.#options;
    this.#refresh();
    const seen = await this.#askRelays(this.#asked.slice(0, 1), port);
    this.#portMappings = seen
      .filter(({ from_port }) => from_port)
      .map(({ mapping }) => ({ ...mapping, keeps_port: mapping.port === port }));
    this.#refresh();
    return this.#portMappings;
  }

  /** Looks now, and again now and then until it is stopped. */
  start(): void {
    const { look_every_ms = LOOK_EVERY_MS } = this.#options;
    this.#timer ??= setInterval(() => void this.look(), look_every_ms).unref();
    void this.look();
  }

  /** The host has other addresses, or another default route. It looks as soon as that has settled, once for many changes. */
  hostChanged(what: 'address' | 'default-route'): void {
    if (this.#timer === undefined || this.#stopping.signal.aborted) return;
    this.#isRerouted ||= what === 'default-route';
    const rests_ms = Math.max(0, this.#lookedSoon_ms + CHANGES.rest_ms - performance.now());
    this.#soon ??= setTimeout(() => this.#lookAtChange(), CHANGES.settle_ms + rests_ms).unref();
  }

  /** Of an address that says nothing to peers, as one of a container, relays know nothing new. */
  #lookAtChange(): void {
    this.#soon = undefined;
    this.#refresh();
    if (!this.#isRerouted && JSON.stringify(this.#local) === this.#lookedAt) return;
    this.#isRerouted = false;
    this.#lookedSoon_ms = performance.now();
    void this.look();
  }

  /** No callback is called afterwards. It cannot be started again. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#stopping.abort();
    await (this.#next ?? this.#looking);
  }

  /**
   * Looks at everything once more, and settles when that is done. What happened while a look was under way may have come
   * too late for it, so another one follows; but never more than one.
   */
  look(): Promise<void> {
    if (this.#looking === undefined) {
      this.#looking = this.#lookOnce().finally(() => {
        this.#looking = undefined;
      });
      return this.#looking;
    }
    const again = () => {
      this.#next = undefined;
      return this.look();
    };
    this.#next ??= this.#looking.then(again, again);
    return this.#next;
  }

  async #lookOnce(): Promise<void> {
    this.#refresh(); // at once: the relay may take seconds, and an address that is gone should not be reported any longer
    this.#lookedAt = JSON.stringify(this.#local);
    await this.#askRelays(this.#asked, 0);
    this.#refresh();
  }

  /** What the nearest relay that answers sees. Empty: nothing, or the finder was stopped. */
  async #askRelays(relays: readonly Relay[], from_port: number): Promise<readonly FamilyView[]> {
    const [asked, local, { signal }] = [this.#asked, this.#local, this.#stopping];
    const { stun_pace: pace = STUN_PACE } = this.#options;
    if (signal.aborted) return [];
    const views = await Promise.all(
      relays.map(async (relay) => ({ relay, ...(await viewFromRelay({ relay, from_port, pace, signal })) })),
    );
    if (signal.aborted || asked !== this.#asked) return [];
    const answered = views.flatMap(({ relay, seen }) => measured(relay.name, seen).map((one) => ({ ...one, seen })));
    answered.sort((a, b) => a.rtt_ms - b.rtt_ms);
    const seen = answered[0]?.seen ?? [];
    this.#public.learn(seen, local);
    // In the order in which the coordinator sent them: which one is nearest may change with every look, and is no news.
    this.#relays = views.flatMap(({ relay, seen: one }) => measured(relay.name, one));
    this.#relayProblem = views.find(({ problem }) => problem !== null)?.problem ?? null;
    return seen;
  }

  /** Reads what is cheap to read, and tells when the list has become another one. */
  #refresh(): void {
    if (this.#stopping.signal.aborted) return;
    this.#readHost();
    const endpoints = candidates({
      port: this.#options.port,
      mesh: this.#mesh,
      local: this.#local,
      port_mappings: this.#portMappings,
      public_addresses: [...this.#mappedNow, ...this.#public.list()],
      seen_as: this.#seenAs,
      forwarded: this.#forwarded,
    });
    if (endpoints.join() === this.#endpoints.join()) return;
    this.#endpoints = endpoints;
    this.#options.changed(endpoints);
  }

  #readHost(): void {
    try {
      this.#local = localAddresses((this.#options.interfaces ?? networkInterfaces)(), this.#mesh);
      this.#hostProblem = null;
    } catch (error) {
      // The addresses that were there most likely still are.
      this.#hostProblem = `the interfaces cannot be read: ${messageOf(error)}`;
    }
  }
}

/** By the quicker family. In tenths of a millisecond: less than that is the weather. */
function measured(name: string, seen: readonly FamilyView[]): readonly MeasuredRelay[] {
  if (seen.length === 0) return [];
  const quickest = Math.min(...seen.map(({ rtt_ms }) => rtt_ms));
  return [{ name, rtt_ms: Math.round(quickest * 10) / 10 }];
}

function isSame(a: Relay, b: Relay): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
