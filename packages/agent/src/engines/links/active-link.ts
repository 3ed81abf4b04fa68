import type { LinkReport } from '@meshwork/contract';
import { TokenBucket } from '../../carrier/token-bucket.ts';
import type { PlacedPeer } from '../../host/peer-places.ts';
import { placeOf, textOf } from '../../stun/place-text.ts';
import type { Place } from '../../stun/xor-address.ts';
import { type DirectPath, DirectSearch } from './direct-search.ts';
import { DirectWatch, KEEPALIVE_BYTES, type Look } from './direct-watch.ts';
import { guessedPlaces, type PortGuess } from './next-ports.ts';
import type { PathMessage } from './path-message.ts';
import type { Questions } from './questions.ts';

/** What a link that is in use needs of those around it. */
export interface LinkHost {
  readonly questions: Pick<Questions, 'ask'>;
  /** Sends the first packets to a peer. They are given the port that the NAT shows them by, if it can be guessed. */
  readonly sendFirst: (send: (guess: PortGuess | undefined) => void) => Promise<void>;
  /** Of this start of the agent. */
  readonly run: string;
  /** Ours, as far as they are known right now. */
  readonly ownEndpoints: () => Promise<readonly string[]>;
  /** What the coordinator says of the peer. */
  readonly endpointsOf: (peer: string) => readonly string[];
  /** Whether a peer may be there: not inside of the mesh. */
  readonly isOutside: (endpoint: string) => boolean;
  /** Whether the peer has lately shown that it is there. */
  readonly isProven: (peer: string, place: Place) => boolean;
  /** Why this node can have no direct path at all. Undefined: it can. */
  readonly hindered: () => string | undefined;
  /** What WireGuard hands over goes there from now on, from WireGuard's own port, and through relays. */
  readonly sendDirectly: (peer: string, to: Place) => void;
  /** WireGuard hands its packets over again, until one of the peer's comes directly. */
  readonly handOver: (peer: string) => void;
  /** Its packets go through relays from now on, whatever WireGuard has learnt. */
  readonly sendByRelay: (peer: string) => void;
  /** By another relay of ours or of the peer's, if there is one. */
  readonly tryOtherRelay: (peer: string) => void;
  readonly say: (peer: string, message: PathMessage) => void;
  /** A question inside the tunnel. That packets come back shows in what WireGuard received. */
  readonly echo: (peer: string) => void;
  readonly changed: () => void;
}

interface LinkEnds {
  readonly peer: string;
  /** Which of the two ends decides to go directly: both would decide for different paths. */
  readonly leads: boolean;
}

/** Ours: from then on another way through relays is tried for good. Until then the carrier sends by all of them. */
const RELAY_DEAD_MS = 2000;
/** Ours: when a direct path is looked for again after one fell silent, and then every minute. */
const AGAIN_MS = [2000, 10_000, 30_000, 60_000] as const;
/** Ours: when one is looked for again that was not found: the call to the peer may have been lost. */
const SEARCH_AGAIN_MS = [4000, 15_000, 60_000] as const;
/** Ours: NATs forget a port that nothing came to after 30 s. Until then they show the peer the one that it had, whichever that is. */
const FORGOTTEN_MS = 35_000;
/** Ours: searches that a peer may have us begin. Each sends some 200 requests at most, to places of the peer's choosing. */
const CALLED = { per_s: 0.1, at_once: 6 } as const;
/** A search takes as long. */
const SAME_SEARCH_MS = 3000;
/** Ours: a path that held for so long was a good one. */
const HELD_MS = 120_000;
/** Ours: what the peer sends directly in this time after we went back to relays, it sent before it knew. */
const SETTLED_MS = 2000;

/**
 * The path of one link while it is in use. It begins with relays and goes directly as soon as endpoints of the peer answer from
 * WireGuard's own port, in both directions; when that falls silent, it goes through relays again.
 */
export class ActiveLink {
  readonly #host: LinkHost;
  readonly #peer: string;
  readonly #leads: boolean;
  #place: Place | undefined;
  #changed_ms: number;
  #why = 'a direct path is being looked for';
  #tried: NonNullable<LinkReport['tried']> = [];
  #search: DirectSearch | undefined;
  /** By which port the NAT shows us to the peer, as far as that can be guessed, and when the peer was last asked. */
  #guess: PortGuess | undefined;
  #probed_ms = Number.NEGATIVE_INFINITY;
  #beginning: Promise<void> | undefined;
  #isStopped = false;
  readonly #calls = new TokenBucket(CALLED.per_s, CALLED.at_once);
  #seek_ms: number;
  #failures = 0;
  /** Searches since there was a direct path, or a reason to look for another. */
  #misses = 0;
  #epoch = 0;
  #heard: { readonly run: string; readonly epoch: number } | undefined;
  #seen: PlacedPeer | undefined;
  /** Of the direct path. */
  #watch: DirectWatch | undefined;
  #used_ms: number;
  #heard_ms = Number.NEGATIVE_INFINITY;

  /** `place`: where WireGuard sends it already. */
  constructor({ peer, leads }: LinkEnds, host: LinkHost, now_ms: number, place?: Place) {
    [this.#peer, this.#leads, this.#host] = [peer, leads, host];
    [this.#seek_ms, this.#used_ms, this.#changed_ms] = [now_ms, now_ms, now_ms];
    if (place === undefined) return;
    this.#place = place;
    this.#watch = new DirectWatch(now_ms, { isProven: true });
    this.#why = `direct to ${textOf(place)}`;
    this.#seek_ms = Number.POSITIVE_INFINITY;
  }

  /** Undefined: through relays. */
  get place(): Place | undefined {
    return this.#place;
  }

  get why(): string {
    return this.#why;
  }

  /** What became of the endpoints of the peer. */
  get tried(): NonNullable<LinkReport['tried']> {
    return this.#search?.tried ?? this.#tried;
  }

  /** Since when nothing was sent or received, but for what keeps it. */
  get used_ms(): number {
    return this.#used_ms;
  }

  /** When anything last came, also if it only keeps the link. */
  get heard_ms(): number {
    return this.#heard_ms;
  }

  /** Whether packets left and none came back, so that it should be looked at soon. */
  get isDoubtful(): boolean {
    return this.#watch?.isDoubtful === true;
  }

  /** WireGuard or a relay has packets of it. */
  use(now_ms: number): void {
    this.#used_ms = now_ms;
  }

  /** Endpoints of either end are others now, or its network is. */
  seek(now_ms: number): void {
    this.#misses = 0;
    this.#seek_ms = now_ms;
  }

  /** The network of this node is another one: WireGuard may not even be able to send by a direct path, and count nothing. */
  doubt(now_ms: number): void {
    this.seek(now_ms);
    if (this.#place === undefined) return;
    this.#watch = new DirectWatch(now_ms);
    this.#host.handOver(this.#peer);
    this.#host.echo(this.#peer);
  }

  stop(): void {
    this.#isStopped = true;
    this.#search?.stop();
  }

  /** Called now and then. `isHere`: WireGuard sends to the carrier. `isLate`: it was not called for long, so silence says nothing. */
  tick(
    seen: PlacedPeer | undefined,
    { isHere, isLate, now_ms }: { isHere: boolean; isLate: boolean; now_ms: number },
  ): void {
    const before = this.#seen;
    this.#seen = seen;
    if (seen !== undefined && before !== undefined) {
      const [came, went] = [seen.rx_bytes - before.rx_bytes, seen.tx_bytes - before.tx_bytes];
      if (came > 0) this.#heard_ms = now_ms;
      if (came > KEEPALIVE_BYTES || went > KEEPALIVE_BYTES) this.#used_ms = now_ms;
      if (came > 0 && !isHere) this.#followPeer(seen, now_ms);
      this.#look({ came, went, isHere, isLate, now_ms });
    }
    if (now_ms >= this.#seek_ms && this.#search === undefined) void this.#seek(now_ms);
  }

  /** The peer asked one of our endpoints from there, and proved itself. */
  asked(from: Place): void {
    // Also when our own search is over, or has not begun: the peer's NAT is open for us there, and perhaps only now.
    const isWanted = this.#search !== undefined || (this.#leads && this.#place === undefined);
    if (isWanted && this.#mayBegin()) this.#searchAt([textOf(from)]);
  }

  /** The carrier: packets leave for a relay, and nothing comes back. */
  silent(ms: number): void {
    if (this.#place !== undefined) return;
    if (ms >= RELAY_DEAD_MS) this.#host.tryOtherRelay(this.#peer);
    this.#host.echo(this.#peer);
  }

  messaged(message: PathMessage, now_ms: number): void {
    this.#used_ms = now_ms;
    if (message.kind === 'call') {
      void this.#called(message);
      return;
    }
    const { run, epoch } = message;
    if (this.#heard?.run === run && epoch <= this.#heard.epoch) return; // an older one that came late
    this.#heard = { run, epoch };
    this.#epoch = Math.max(this.#epoch, epoch);
    const place = message.kind === 'direct' ? placeOf(message.from) : undefined;
    // One that is not proven is passed over: if the peer is there, its packets come from there, and are followed.
    if (place !== undefined && this.#host.isProven(this.#peer, place)) this.#direct(place, now_ms);
    else if (message.kind === 'relay' && this.#place !== undefined) this.#relay(message.why, now_ms);
  }

  async #called({ endpoints, next, answer }: Extract<PathMessage, { kind: 'call' }>): Promise<void> {
    if (!this.#mayBegin()) return;
    const { isOutside, endpointsOf } = this.#host;
    if (!(await this.#probe([...endpoints.filter(isOutside), ...endpointsOf(this.#peer)]))) return;
    if (next !== undefined) this.#search?.guess(guessedPlaces(next).filter((place) => isOutside(textOf(place))));
    if (answer) await this.#call(false);
  }

  async #call(answer: boolean): Promise<void> {
    const endpoints = await this.#host.ownEndpoints();
    this.#host.say(this.#peer, { kind: 'call', endpoints, next: this.#guess, answer });
  }

  /** What is added to a search that goes on is bounded by that search. False: the peer has had us begin too many. */
  #mayBegin(): boolean {
    return this.#search !== undefined || this.#calls.take();
  }

  /** False: not now, so that the NAT forgets the port that it showed the peer, and shows it one that can be guessed. */
  async #probe(endpoints: readonly string[]): Promise<boolean> {
    await this.#beginning; // a packet that leaves before the others has the port that was guessed for them
    const now_ms = performance.now();
    const since_ms = now_ms - this.#probed_ms;
    if (this.#search !== undefined || since_ms < SAME_SEARCH_MS) {
      if (!this.#isStopped) this.#searchAt(endpoints);
      return true;
    }
    if (this.#guess !== undefined && since_ms < FORGOTTEN_MS) {
      this.#seek_ms = Math.min(this.#seek_ms, this.#probed_ms + FORGOTTEN_MS);
      return false;
    }
    this.#probed_ms = now_ms;
    this.#beginning = this.#host.sendFirst((guess) => {
      this.#guess = guess;
      if (!this.#isStopped) this.#searchAt(endpoints);
    });
    await this.#beginning;
    this.#beginning = undefined;
    return true;
  }

  async #seek(now_ms: number): Promise<void> {
    this.#seek_ms = now_ms + (SEARCH_AGAIN_MS[Math.min(this.#misses++, SEARCH_AGAIN_MS.length - 1)] ?? 0);
    const hindered = this.#host.hindered();
    if (hindered !== undefined) {
      this.#say(hindered);
      return;
    }
    if (await this.#probe(this.#host.endpointsOf(this.#peer))) await this.#call(true);
  }

  #searchAt(endpoints: readonly string[]): void {
    if (this.#search !== undefined) {
      this.#search.add(endpoints);
      return;
    }
    const { questions } = this.#host;
    this.#search = new DirectSearch(
      { peer: this.#peer, questions, ended: (found) => this.#searched(found) },
      endpoints,
    );
  }

  #searched(found: DirectPath | undefined): void {
    this.#tried = this.#search?.tried ?? [];
    this.#search = undefined;
    const now_ms = performance.now();
    if (found === undefined) {
      if (this.#place === undefined)
        this.#say(this.#tried.length === 0 ? 'it has no endpoint to try' : 'none of its endpoints answered');
    } else if (this.#leads && (this.#place === undefined || textOf(this.#place) !== textOf(found.to))) {
      this.#goDirectly(found, now_ms);
    }
    this.#host.changed();
  }

  #goDirectly({ to, from, rtt_ms }: DirectPath, now_ms: number): void {
    this.#direct(to, now_ms, rtt_ms);
    this.#why = `direct to ${textOf(to)}, which answered in ${rtt_ms.toFixed(1)} ms`;
    const { run } = this.#host;
    this.#host.say(this.#peer, { kind: 'direct', run, epoch: ++this.#epoch, from: textOf(from) });
    this.#host.echo(this.#peer);
  }

  #direct(place: Place, now_ms: number, rtt_ms = 0): void {
    this.#place = place;
    this.#changed_ms = now_ms;
    this.#watch = new DirectWatch(now_ms, { rtt_ms });
    this.#misses = 0;
    this.#seek_ms = Number.POSITIVE_INFINITY;
    this.#why = `direct to ${textOf(place)}`;
    this.#host.sendDirectly(this.#peer, place);
    this.#host.changed();
  }

  #relay(why: string, now_ms: number): void {
    if (now_ms - this.#changed_ms > HELD_MS) this.#failures = 0;
    this.#seek_ms = now_ms + (AGAIN_MS[Math.min(this.#failures++, AGAIN_MS.length - 1)] ?? 0);
    this.#place = undefined;
    this.#changed_ms = now_ms;
    this.#watch = undefined;
    this.#host.sendByRelay(this.#peer);
    this.#say(why);
  }

  #say(why: string): void {
    if (this.#why === why) return;
    this.#why = why;
    this.#host.changed();
  }

  #look(look: Look): void {
    const verdict = this.#watch?.look(look) ?? 'fine';
    if (verdict === 'dead') {
      const place = this.#place === undefined ? '' : textOf(this.#place);
      this.fallBack(`nothing came back from ${place}`, look.now_ms);
      return;
    }
    if (verdict === 'hand over') this.#host.handOver(this.#peer);
    if (verdict !== 'fine') this.#host.echo(this.#peer);
  }

  /** Through relays, and has the peer do so too. */
  fallBack(why: string, now_ms: number): void {
    this.#relay(why, now_ms);
    this.#host.say(this.#peer, { kind: 'relay', run: this.#host.run, epoch: ++this.#epoch, why });
  }

  /** What the peer sends says where it is, whatever was lost of what it said. */
  #followPeer({ endpoint }: PlacedPeer, now_ms: number): void {
    const place = endpoint === null ? undefined : placeOf(endpoint);
    if (place === undefined || (this.#place === undefined && now_ms - this.#changed_ms < SETTLED_MS)) return;
    if (this.#place === undefined || textOf(this.#place) !== textOf(place)) this.#direct(place, now_ms);
  }
}
