import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { familyOf } from '@meshwork/addresses';
import type { RelayAccess } from '@meshwork/contract';
import type { RelayTransport } from '@meshwork/contract/vocabulary';
import type { Carrier } from '../../carrier/carrier.ts';
import { usableAddresses } from '../../host/usable-addresses.ts';
import { messageOf } from '../../message-of.ts';
import type { Place } from '../../stun/xor-address.ts';
import { type WayToRelay, waysToRelay } from '../../turn/ways-to-relay.ts';

/** A place at a relay at which this node receives. */
export interface Seat {
  readonly relay: string;
  /** The carrier's name for it. */
  readonly allocation: string;
  readonly transport: RelayTransport;
  readonly relayed: Place;
}

export interface SeatHost {
  readonly carrier: Pick<Carrier, 'ask'>;
  /** The roots of the mesh, in PEM. */
  readonly roots: () => readonly string[];
  /** Of the addresses that the host can send from. */
  readonly families: () => ReadonlySet<number>;
  /** Addresses of relays that it hears beside its own. */
  readonly heard: () => readonly string[];
  /** It was taken, lost, or could not be had. */
  readonly changed: () => void;
  /** Ends early, and without an error, when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Ours: after how long a relay that does not take us is tried again, and then every so often. */
const AGAIN_MS = [500, 1000, 2000, 5000, 10_000] as const;
/** Ours: when a place that was had by a stream is tried to be had by datagrams, and then every so often: a stream makes packets wait for each other. */
const DATAGRAMS_AGAIN_MS = [20_000, 60_000, 300_000] as const;
/** Ours: what peers still send to a place that is given up arrives for so long. By then they have been sent the new one. */
export const GRACE_MS = 20_000;
/** Ours: an answer takes this long at most, nearly always. */
const STAGGER_MS = 700;
/** Ours: the most that a carrier takes. */
const MAX_HEARD = 250;

/** One relay at which the node keeps a place, for as long as it is wanted. */
export class RelaySeat {
  readonly name: string;
  readonly #host: SeatHost;
  readonly #stopping = new AbortController();
  #access: RelayAccess;
  #seat: Seat | undefined;
  #problem: string | undefined;
  #failures = 0;
  /** Addresses of the relay itself. */
  #own: readonly string[] = [];
  /** What is let in now, in one text. */
  #heard = '';

  /** `kept`: one that the carrier has from an agent before this one. */
  constructor(access: RelayAccess, host: SeatHost, kept?: Seat) {
    this.name = access.relay.name;
    this.#access = access;
    this.#host = host;
    if (kept === undefined) {
      void this.#take();
      return;
    }
    this.#seat = kept;
    this.#own = [kept.relayed.address];
    if (kept.transport !== 'udp') void this.#improve(kept);
  }

  /** Undefined: there is none now. */
  get seat(): Seat | undefined {
    return this.#seat;
  }

  /** Why there is none. Undefined: there is one, or it was not tried yet. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** New credentials are for the next time. False: the relay is elsewhere now, and another seat has to be taken. */
  renew(access: RelayAccess): boolean {
    if (!isDeepStrictEqual(access.relay, this.#access.relay)) return false;
    this.#access = access;
    return true;
  }

  /** Lets in what comes from relays that it did not know of before. */
  async hear(): Promise<void> {
    const allocation = this.#seat?.allocation;
    const addresses = this.#toHear();
    const wanted = addresses.join();
    if (allocation === undefined || wanted === this.#heard) return;
    this.#heard = wanted;
    await this.#host.carrier.ask('permit', { allocation, addresses: [...addresses] });
  }

  lost(reason: string): void {
    const allocation = this.#seat?.allocation;
    // The carrier keeps it to say what became of it, and takes no more than a few.
    if (allocation !== undefined) this.#host.carrier.ask('release', { allocation }).catch(() => undefined);
    this.#seat = undefined;
    this.#problem = reason;
    this.#failures = 0;
    this.#host.changed();
    void this.#take();
  }

  /** Gives it back. */
  async leave(): Promise<void> {
    this.#stopping.abort();
    const allocation = this.#seat?.allocation;
    this.#seat = undefined;
    if (allocation !== undefined) await this.#host.carrier.ask('release', { allocation }).catch(() => undefined); // the relay forgets it
  }

  /** Its own first: that a relay carries is proven by what it sends to itself. */
  #toHear(): readonly string[] {
    return [...new Set([...this.#own, ...this.#host.heard()])].slice(0, MAX_HEARD);
  }

  async #take(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted && this.#seat === undefined) {
      const found = await this.#tryAll();
      if (signal.aborted) {
        if (typeof found !== 'string')
          await this.#host.carrier.ask('release', { allocation: found.allocation }).catch(() => undefined);
        return;
      }
      if (typeof found !== 'string') {
        this.#have(found);
        return;
      }
      const isNew = this.#problem !== found;
      this.#problem = found;
      if (isNew) this.#host.changed();
      const wait_ms = AGAIN_MS[Math.min(this.#failures++, AGAIN_MS.length - 1)] ?? 0;
      await this.#host.pause(wait_ms * (0.8 + Math.random() * 0.4), signal);
    }
  }

  #have(seat: Seat): void {
    this.#seat = seat;
    this.#problem = undefined;
    this.hear().catch(() => undefined); // what changed while it was made; one that is lost is made again
    this.#host.changed();
    if (seat.transport !== 'udp') void this.#improve(seat);
  }

  /** Makes another one by UDP beside it, as soon as there is a way. */
  async #improve(seat: Seat): Promise<void> {
    const { signal } = this.#stopping;
    for (let times = 0; this.#seat === seat; times++) {
      const wait_ms = DATAGRAMS_AGAIN_MS[Math.min(times, DATAGRAMS_AGAIN_MS.length - 1)] ?? 0;
      await this.#host.pause(wait_ms * (0.8 + Math.random() * 0.4), signal);
      if (signal.aborted || this.#seat !== seat) return;
      const found = await this.#tryAll(({ transport }) => transport === 'udp');
      if (typeof found === 'string') continue;
      const isWanted = !signal.aborted && this.#seat === seat;
      if (isWanted) this.#have(found);
      const { allocation } = isWanted ? seat : found;
      if (isWanted) await this.#host.pause(GRACE_MS, signal);
      await this.#host.carrier.ask('release', { allocation }).catch(() => undefined); // the relay forgets it
    }
  }

  /** By UDP, or where that does not get there by TCP, or by TLS. Text: why by none of them. */
  async #tryAll(isMeant: (way: WayToRelay) => boolean = () => true): Promise<Seat | string> {
    try {
      const { relay } = this.#access;
      const { usable } = await usableAddresses(relay, this.#stopping.signal);
      const reachable = usable.filter((address) => this.#host.families().has(familyOf(address)));
      if (reachable.length === 0) return `${relay.host} has no address that this host can send to`;
      this.#own = usable;
      const ways = waysToRelay(this.#access.relay, this.#host.roots()).filter(isMeant);
      return await this.#race(ways.flatMap((way) => reachable.map((address) => ({ ...way, address }))));
    } catch (error) {
      return messageOf(error);
    }
  }

  /** One after the other, without waiting for the end of each: what is blocked most often gives no answer at all. */
  async #race(ways: readonly AddressedWay[]): Promise<Seat | string> {
    const { promise: first, resolve } = Promise.withResolvers<Seat>();
    const won = new AbortController();
    const problems: string[] = [];
    const tries = ways.map(async (way, index) => {
      await this.#host.pause(index * STAGGER_MS, won.signal);
      if (won.signal.aborted || this.#stopping.signal.aborted) return;
      try {
        const seat = await this.#try(way);
        if (won.signal.aborted)
          await this.#host.carrier.ask('release', { allocation: seat.allocation }).catch(() => undefined);
        else {
          won.abort();
          resolve(seat);
        }
      } catch (error) {
        problems.push(`${way.transport} to ${way.address}: ${messageOf(error)}`);
      }
    });
    return await Promise.race([
      first,
      Promise.all(tries).then(() => problems.join(', ') || 'it is not wanted any more'),
    ]);
  }

  async #try({ transport, address, port, tls }: AddressedWay): Promise<Seat> {
    const { username, password } = this.#access;
    const allocation = `${this.name}/${randomBytes(4).toString('hex')}`;
    const addresses = this.#toHear();
    const { relayed } = await this.#host.carrier.ask('allocate', {
      allocation,
      relay: { address, port },
      transport,
      ...(tls === undefined ? {} : { tls: { servername: tls.servername, ...(tls.ca && { ca: tls.ca.join('\n') }) } }),
      credentials: { username, password },
      permit: [...addresses],
    });
    this.#heard = addresses.join();
    return { relay: this.name, allocation, transport, relayed };
  }
}

interface AddressedWay extends WayToRelay {
  readonly address: string;
}
