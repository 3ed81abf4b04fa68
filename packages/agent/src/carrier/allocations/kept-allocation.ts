import { familyOf, plainAddress } from '@meshwork/addresses';
import type { Place } from '../../stun/xor-address.ts';
import { Allocation } from '../../turn/allocation.ts';
import { openStream } from '../../turn/stream-transport.ts';
import type { TurnTransport } from '../../turn/transport.ts';
import { TurnError } from '../../turn/turn-error.ts';
import { openUdp } from '../../turn/udp-transport.ts';
import type { Command } from '../control/messages.ts';
import type { Arrival, Through, Way } from '../links/link.ts';
import { Channels } from './channels.ts';
import { RelayedWay } from './relayed-way.ts';

export type WantedAllocation = Command<'allocate'>;

export interface AllocationEvents {
  readonly received: (arrival: Arrival) => void;
  readonly lost: (allocation: KeptAllocation) => void;
}

/** Ours: while packets are sent and none comes back for so long, the relay is asked whether it is still there. */
const SILENT_MS = 700;
/** Ours: also when no packet is sent, since peers send to it; far less than the half minute that NATs keep a mapping. */
const IDLE_SILENT_MS = 5000;
/** Ours: not sent for so long is idle. */
const IDLE_AFTER_MS = 5000;
const [LOOK_MS, IDLE_LOOK_MS] = [500, 2500];
/** Ours: what is behind a stream may come late, since the kernel sends it again. */
const GIVE_UP_MS = { udp: 2000, tcp: 5000, tls: 5000 } as const;
/** Permissions last for five minutes. */
const PERMIT_AGAIN_MS = 240_000;
const CHANNELS_LOOK_MS = 30_000;
const PERMITTED_AT_ONCE = 20;
const NO_ALLOCATION = 437;

/** An allocation that is kept for as long as its relay keeps it, with the credentials that it was made with. */
export class KeptAllocation implements Through {
  readonly wanted: WantedAllocation;
  readonly channels: Channels;
  readonly #allocation: Allocation;
  readonly #events: AllocationEvents;
  #permitted: readonly string[] = [];
  #lost: string | undefined;
  #isReleased = false;
  #isAsking = false;
  #timer: NodeJS.Timeout | undefined;
  #isIdle = true;
  #sent_ms = Number.NEGATIVE_INFINITY;
  #heard_ms = performance.now();
  #refreshed_ms = performance.now();
  #permitted_ms = performance.now();
  #channels_ms = performance.now();

  private constructor(wanted: WantedAllocation, allocation: Allocation, events: AllocationEvents) {
    this.wanted = wanted;
    this.#allocation = allocation;
    this.#events = events;
    this.channels = new Channels(allocation);
    this.#wait();
  }

  static async make(wanted: WantedAllocation, events: AllocationEvents): Promise<KeptAllocation> {
    const transport = await openTransport(wanted);
    let kept: KeptAllocation | undefined;
    const allocation = await Allocation.make(transport, wanted.credentials, {
      received: (from, data) => kept?.received(from, data),
      receivedOn: (channel, data) => kept?.receivedOn(channel, data),
      lost: (reason) => kept?.fail(reason),
    });
    kept = new KeptAllocation(wanted, allocation, events);
    return kept;
  }

  get relayed(): Place {
    return this.#allocation.relayed;
  }

  get mapped(): Place {
    return this.#allocation.mapped;
  }

  /** Why it is no more. Undefined: it is there. */
  get lost(): string | undefined {
    return this.#lost;
  }

  wayTo(to: Place): Way {
    return new RelayedWay(this, to);
  }

  send(to: Place, data: Buffer, now_ms: number): void {
    this.#note(now_ms);
    this.#allocation.send(to, data);
  }

  sendOn(channel: number, data: Buffer, now_ms: number): void {
    this.#note(now_ms);
    this.#allocation.sendOn(channel, data);
  }

  /** These relays and no others, from now on. Answers with those that it does not send to. */
  async permit(addresses: readonly string[]): Promise<readonly string[]> {
    const family = familyOf(this.relayed.address);
    this.#permitted = addresses.filter((address) => familyOf(address) === family);
    this.#permitted_ms = performance.now();
    const refused = addresses.filter((address) => familyOf(address) !== family);
    for (let at = 0; at < this.#permitted.length; at += PERMITTED_AT_ONCE) {
      refused.push(...(await this.#permitSome(this.#permitted.slice(at, at + PERMITTED_AT_ONCE))));
    }
    return refused;
  }

  /** The network of the host is another one now. The relay knows it by the address that it was made from. */
  check(own: ReadonlySet<string>): void {
    const { local } = this.#allocation;
    if (local !== undefined && !own.has(plainAddress(local) ?? local))
      this.fail(new Error(`this host does not have ${local} any more`));
    else void this.#prove();
  }

  /** The relay forgets it by itself if it does not hear this. */
  async release(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isReleased = true;
    if (this.#lost === undefined) await this.#allocation.release();
  }

  received(from: Place, data: Buffer): void {
    const now_ms = performance.now();
    this.#heard_ms = now_ms;
    this.#events.received({ allocation: this, data, from, now_ms });
  }

  receivedOn(number: number, data: Buffer): void {
    const now_ms = performance.now();
    this.#heard_ms = now_ms;
    const channel = this.channels.numbered(number);
    if (channel === undefined) return;
    channel.used_ms = now_ms;
    this.#events.received({ allocation: this, data, from: channel.to, place: channel.place, now_ms });
  }

  fail(reason: Error): void {
    if (this.#lost !== undefined || this.#isReleased) return;
    clearTimeout(this.#timer);
    this.#lost = reason.message;
    this.#allocation.abandon(reason);
    this.#events.lost(this);
  }

  #note(now_ms: number): void {
    this.#sent_ms = now_ms;
    if (!this.#isIdle) return;
    this.#isIdle = false;
    clearTimeout(this.#timer);
    this.#wait();
  }

  /** One timer for each allocation, however many links go through it. */
  #wait(): void {
    this.#timer = setTimeout(() => this.#look(), this.#isIdle ? IDLE_LOOK_MS : LOOK_MS);
  }

  #look(): void {
    const now_ms = performance.now();
    this.#isIdle = now_ms - this.#sent_ms > IDLE_AFTER_MS;
    this.#wait();
    const isSilent = now_ms - this.#heard_ms > (this.#isIdle ? IDLE_SILENT_MS : SILENT_MS);
    const isDue = now_ms - this.#refreshed_ms > (this.#allocation.lifetime_s * 1000) / 2;
    if (isSilent || isDue) void this.#prove();
    if (now_ms - this.#permitted_ms > PERMIT_AGAIN_MS) {
      this.permit(this.#permitted).catch((error: Error) => this.#doubt(error));
    }
    if (now_ms - this.#channels_ms < CHANNELS_LOOK_MS) return;
    this.#channels_ms = now_ms;
    this.channels.look(now_ms);
  }

  /** Refreshes it: the only question whose answer says that the relay is there and still has it. */
  async #prove(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      await this.#allocation.refresh(GIVE_UP_MS[this.wanted.transport]);
      this.#heard_ms = performance.now();
      this.#refreshed_ms = this.#heard_ms;
    } catch (error) {
      this.#doubt(error as Error);
    } finally {
      this.#isAsking = false;
    }
  }

  /** A relay that refuses is there. Its refusal is the end once the allocation's time is over, or if it has none. */
  #doubt(error: Error): void {
    const now_ms = performance.now();
    const isOver = now_ms - this.#refreshed_ms > this.#allocation.lifetime_s * 1000;
    if (!(error instanceof TurnError) || error.code === NO_ALLOCATION || isOver) this.fail(error);
    else this.#heard_ms = now_ms;
  }

  /** One address that it refuses does not keep the others out. */
  async #permitSome(addresses: readonly string[]): Promise<readonly string[]> {
    try {
      await this.#allocation.permit(addresses);
      return [];
    } catch (error) {
      if (!(error instanceof TurnError) || error.code === NO_ALLOCATION) throw error;
      if (addresses.length === 1) return addresses;
      const refused: string[] = [];
      for (const address of addresses) refused.push(...(await this.#permitSome([address])));
      return refused;
    }
  }
}

function openTransport({ relay, transport, tls }: WantedAllocation): Promise<TurnTransport> {
  if (transport === 'udp') return openUdp(relay);
  return openStream(relay, transport === 'tls' ? { servername: tls?.servername, ca: tls?.ca } : undefined);
}
