import { randomBytes } from 'node:crypto';
import type { Carrier } from '../../carrier/carrier.ts';
import { isInSession } from '../../host/in-session.ts';
import { LINK_NETWORK } from '../../host/own-numbers.ts';
import type { PlacedPeer, PlacingTunnel } from '../../host/peer-places.ts';
import { placeOf, textOf } from '../../stun/place-text.ts';
import type { Place } from '../../stun/xor-address.ts';
import { ActiveLink, type LinkHost } from './active-link.ts';
import type { KnownLink, LinkTable } from './link-table.ts';
import { MtuProbes } from './mtu-probes.ts';
import { readPathMessage, writePathMessage } from './path-message.ts';
import { ProvenPlaces } from './proven-places.ts';
import type { Questions } from './questions.ts';

interface ActiveLinksOptions {
  /** Id of this node. */
  readonly node: string;
  readonly carrier: Pick<Carrier, 'ask' | 'events'>;
  readonly table: LinkTable;
  readonly questions: Questions;
  readonly sendFirst: LinkHost['sendFirst'];
  readonly tunnel: () => PlacingTunnel | undefined;
  readonly keyWith: (peer_public: string) => string;
  readonly ownEndpoints: () => Promise<readonly string[]>;
  readonly endpointsOf: (peer: string) => readonly string[];
  readonly isOutside: (endpoint: string) => boolean;
  readonly hindered: () => string | undefined;
  /** Where WireGuard sends a peer's packets that go through the carrier. */
  readonly endpointOf: (peer: string) => string | undefined;
  /** Whether a peer bears a role for this node, and WireGuard keeps the session with it. */
  readonly isBearer: (peer: string) => boolean;
  /** How large packets get to a peer by the path that it has now. */
  readonly measured: (peer: string, mtu: number) => void;
  /** A path is another one now, or there is more to say of it. */
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}

/** Ours: two looks, and a third one soon after a question, are within the second in which a dead path is left. */
const TICK_MS = 400;
/** Ours: while one of them gives nothing back. */
const DOUBT_MS = 200;
/** Ours: of the time, the share that looking at WireGuard may take where it has many peers. */
const SHARE = 1 / 20;
/** Ours: a look that comes so late says nothing about silence. */
const LATE_MS = 1200;
/** Ours: what is not used for so long goes back to the relay, before a NAT has forgotten it. */
const IDLE_MS = 60_000;
const LINKS_START = LINK_NETWORK.slice(0, LINK_NETWORK.indexOf('.') + 1);

/** Whether WireGuard sends to the carrier. */
export function isHere(endpoint: string | null): boolean {
  return endpoint?.startsWith(LINKS_START) === true;
}

/** What WireGuard's packets go by. Undefined: by more than one path, or by one that is not proven. */
function pathOf(
  { place, isDoubtful }: ActiveLink,
  known: KnownLink | undefined,
  isCarried: boolean,
): string | undefined {
  if (isDoubtful || isCarried !== (place === undefined)) return undefined;
  if (place !== undefined) return textOf(place);
  return known?.way && `${known.way.seat.allocation} ${textOf(known.way.to)}`;
}

/** The links that are in use. Nothing runs for the others. */
export class ActiveLinks {
  readonly #options: ActiveLinksOptions;
  readonly #links = new Map<string, ActiveLink>();
  readonly #host: LinkHost;
  readonly #mtus: MtuProbes;
  readonly #proven = new ProvenPlaces();
  #timer: NodeJS.Timeout | undefined;
  #ticked_ms = Number.NEGATIVE_INFINITY;

  constructor(options: ActiveLinksOptions) {
    this.#options = options;
    this.#host = this.#makeHost();
    const { carrier, table, measured } = options;
    this.#mtus = new MtuProbes({ carrier, addressOf: (peer) => table.addressOf(peer), found: measured });
    const { events } = options.carrier;
    events.on('woken', ({ peer }) => this.use(peer));
    events.on('silent', ({ peer, ms }) => this.#links.get(peer)?.silent(ms));
    events.on('asked', ({ peer, from }) => {
      this.#proven.note(peer, from); // also when the link is not in use yet: what it says next may begin it
      this.#links.get(peer)?.asked(from);
    });
    events.on('messaged', ({ from, text }) => this.#messaged(from, text));
  }

  get(peer: string): ActiveLink | undefined {
    return this.#links.get(peer);
  }

  /** Undefined: not known, or not yet. */
  mtuOf(peer: string): number | undefined {
    return this.#mtus.of(peer);
  }

  get all(): ReadonlyMap<string, ActiveLink> {
    return this.#links;
  }

  /** It has packets. `place`: where WireGuard sends them already, past the carrier. */
  use(peer: string, place?: Place): ActiveLink | undefined {
    const known = this.#options.table.get(peer);
    if (known === undefined) return undefined;
    const now_ms = performance.now();
    const there = this.#links.get(peer);
    there?.use(now_ms);
    if (there !== undefined) return there;
    const link = new ActiveLink({ peer, leads: this.#options.node < peer }, this.#host, now_ms, place);
    this.#links.set(peer, link);
    void this.#begin(link, known);
    return link;
  }

  /** Ends those whose peers are gone. */
  keepOnly(isThere: (peer: string) => boolean): void {
    for (const peer of this.#links.keys()) if (!isThere(peer)) this.#end(peer);
  }

  /** Relays see us elsewhere, so another path may be better. */
  seekAll(): void {
    const now_ms = performance.now();
    for (const link of this.#links.values()) link.seek(now_ms);
    this.#mtus.forgetAll();
    this.#soon(0);
  }

  /** Our own network changed. */
  doubtAll(): void {
    const now_ms = performance.now();
    for (const link of this.#links.values()) link.doubt(now_ms);
    this.#soon(0);
  }

  /** The endpoints of a peer are others now. */
  seek(peer: string): void {
    this.#links.get(peer)?.seek(performance.now());
  }

  /**
   * WireGuard may have sessions with peers past the carrier, as an agent before this one left them. An endpoint without a
   * session is one that was never proven, and all that goes there may be lost. Those in use are said again: the carrier may be
   * another one.
   */
  async adopt(): Promise<void> {
    await this.introduce();
    const peers = (await this.#options.tunnel()?.look())?.peers;
    const now_ms = Date.now();
    for (const { peer } of this.#options.table.all) {
      const seen = peers?.get(peer.wireguard_key);
      if (seen === undefined || seen.endpoint === null || !isInSession(seen, now_ms) || isHere(seen.endpoint)) continue;
      const place = placeOf(seen.endpoint);
      if (place !== undefined) this.use(peer.id, place);
    }
  }

  /** All to the carrier, anew: with the keys that both ends have now. */
  async introduce(): Promise<void> {
    for (const [id, link] of this.#links) {
      const known = this.#options.table.get(id);
      if (known !== undefined) await this.#introduce(link, known);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const link of this.#links.values()) link.stop();
    this.#links.clear();
    this.#mtus.forgetAll();
  }

  async #begin(link: ActiveLink, known: KnownLink): Promise<void> {
    await this.#introduce(link, known);
    if (this.#links.get(known.peer.id) !== link) return;
    link.tick(undefined, { isHere: true, isLate: true, now_ms: performance.now() });
    this.#soon(TICK_MS);
  }

  /** To the carrier. */
  async #introduce(link: ActiveLink, { peer }: KnownLink): Promise<void> {
    const { table, keyWith, failed } = this.#options;
    try {
      await table.setKey(peer.id, keyWith(peer.wireguard_key));
      if (link.place !== undefined) await table.sendDirectly(peer.id, link.place);
    } catch (error) {
      failed(error);
    }
  }

  #end(peer: string): void {
    this.#links.get(peer)?.stop();
    this.#links.delete(peer);
    this.#mtus.forget(peer);
    this.#options.changed();
  }

  #soon(wait_ms: number): void {
    if (wait_ms > 0 && this.#timer !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tick(), wait_ms).unref();
  }

  async #tick(): Promise<void> {
    const { tunnel, table, failed } = this.#options;
    const from_ms = performance.now();
    try {
      const peers: ReadonlyMap<string, PlacedPeer> = (await tunnel()?.look())?.peers ?? new Map();
      const now_ms = performance.now();
      const isLate = now_ms - this.#ticked_ms > LATE_MS;
      this.#ticked_ms = now_ms;
      for (const [id, link] of [...this.#links]) {
        const known = table.get(id);
        const seen = peers.get(known?.peer.wireguard_key ?? '');
        link.tick(seen, { isHere: isHere(seen?.endpoint ?? null), isLate, now_ms });
        if (seen !== undefined) this.#mtus.look(id, pathOf(link, known, isHere(seen.endpoint)), now_ms);
        if (now_ms - link.used_ms > IDLE_MS && !this.#isKept(id, link, now_ms)) this.#rest(id, link, now_ms);
      }
    } catch (error) {
      failed(error);
    }
    this.#timer = undefined;
    if (this.#links.size === 0) return;
    const wait_ms = [...this.#links.values()].some(({ isDoubtful }) => isDoubtful) ? DOUBT_MS : TICK_MS;
    this.#soon(Math.max(wait_ms, (performance.now() - from_ms) / SHARE));
  }

  /**
   * A direct path is kept while keepalives pass, which the end sends for which the other bears a role. One through relays is not
   * worth it: the session is there, and a direct path is looked for with the next packet.
   */
  #isKept(peer: string, { place, heard_ms }: ActiveLink, now_ms: number): boolean {
    return place !== undefined && (this.#options.isBearer(peer) || now_ms - heard_ms <= IDLE_MS);
  }

  /** It is not used any more. Its next packet must not go to a NAT that has forgotten it. */
  #rest(peer: string, link: ActiveLink, now_ms: number): void {
    if (link.place !== undefined) link.fallBack('it is not in use', now_ms);
    this.#end(peer);
  }

  #messaged(from: string, text: string): void {
    const { table } = this.#options;
    const message = readPathMessage(text);
    const known = table.at(from);
    if (message === null || known === undefined) return;
    // A peer that lets go of a link is no reason to begin with it.
    const link = this.#links.get(known.peer.id) ?? (message.kind === 'relay' ? undefined : this.use(known.peer.id));
    link?.messaged(message, performance.now());
  }

  #makeHost(): LinkHost {
    const { carrier, table, questions, tunnel, failed } = this.#options;
    const doing = (work: Promise<unknown> | undefined) => void work?.catch(failed);
    const handOver = (peer: string) => {
      const endpoint = this.#options.endpointOf(peer);
      if (endpoint !== undefined) doing(tunnel()?.place(new Map([[peer, endpoint]])));
    };
    return {
      questions,
      sendFirst: this.#options.sendFirst,
      run: randomBytes(6).toString('hex'),
      ownEndpoints: () => this.#options.ownEndpoints(),
      endpointsOf: (peer) => this.#options.endpointsOf(peer),
      isOutside: (endpoint) => this.#options.isOutside(endpoint),
      isProven: (peer, place) => this.#proven.has(peer, place),
      hindered: () => this.#options.hindered(),
      sendDirectly: (peer, to) => doing(table.sendDirectly(peer, to)),
      handOver,
      sendByRelay: (peer) => {
        doing(table.sendByRelay(peer));
        handOver(peer);
      },
      tryOtherRelay: (peer) => doing(table.turn(peer)),
      say: (peer, message) => {
        const to = table.addressOf(peer);
        // It is lost if there is no session yet: what it says is said again, or shows in the packets.
        if (to !== undefined) carrier.ask('message', { to, text: writePathMessage(message) }).catch(() => undefined);
      },
      echo: (peer) => {
        const to = table.addressOf(peer);
        if (to !== undefined) carrier.ask('echo', { to }).catch(() => undefined); // too many at once: the next look asks again
      },
      changed: () => this.#options.changed(),
    };
  }
}
