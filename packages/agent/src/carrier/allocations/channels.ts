import type { Place } from '../../stun/xor-address.ts';
import type { Allocation } from '../../turn/allocation.ts';
import { TurnError } from '../../turn/turn-error.ts';

/** Numbers that a client may give (RFC 8656, 12). */
const FIRST_NUMBER = 0x4000;
/** Ours: peers that are spoken with at the same time. All others cost some forty bytes more a packet. */
const MAX_CHANNELS = 512;
const MINUTE_MS = 60_000;
/** A channel lasts for ten minutes, and its number is its place's own for five more. */
const REBIND_AFTER_MS = 8 * MINUTE_MS;
const LASTS_MS = 9.5 * MINUTE_MS;
const FORGET_AFTER_MS = 15.5 * MINUTE_MS;
/** Ours: one that was not used for so long is not bound again. */
const IDLE_AFTER_MS = 5 * MINUTE_MS;
/** Ours: after a refusal. */
const AGAIN_AFTER_MS = 30_000;

/** What is sent to a place on a relay, in short. */
export interface Channel {
  readonly number: number;
  readonly to: Place;
  /** As `placeText` has it. */
  readonly place: string;
  /** Whether it may be sent on right now. */
  isOpen: boolean;
  bound_ms: number;
  used_ms: number;
  /** Not before this. */
  again_ms: number;
}

/** The channels of one allocation: bound when they are first used, and again while they are in use. */
export class Channels {
  readonly #allocation: Pick<Allocation, 'bind'>;
  readonly #byNumber: (Channel | undefined)[] = [];
  readonly #byPlace = new Map<string, Channel>();

  constructor(allocation: Pick<Allocation, 'bind'>) {
    this.#allocation = allocation;
  }

  get count(): number {
    return this.#byPlace.size;
  }

  numbered(number: number): Channel | undefined {
    return this.#byNumber[number - FIRST_NUMBER];
  }

  /** For a place that something is sent to. Undefined: there are too many. It is open a round trip later. */
  use(to: Place, place: string, now_ms: number): Channel | undefined {
    const channel = this.#byPlace.get(place) ?? this.#add(to, place, now_ms);
    if (channel !== undefined && !channel.isOpen) this.#bind(channel, now_ms);
    return channel;
  }

  /** From time to time. */
  look(now_ms: number): void {
    for (const channel of this.#byPlace.values()) {
      const age_ms = now_ms - channel.bound_ms;
      if (age_ms > REBIND_AFTER_MS && now_ms - channel.used_ms < IDLE_AFTER_MS) this.#bind(channel, now_ms);
      if (age_ms > LASTS_MS) channel.isOpen = false;
      if (age_ms > FORGET_AFTER_MS) this.#remove(channel);
    }
  }

  #add(to: Place, place: string, now_ms: number): Channel | undefined {
    if (this.#byPlace.size >= MAX_CHANNELS) return undefined;
    const free = this.#byNumber.indexOf(undefined);
    const index = free < 0 ? this.#byNumber.length : free;
    const times = { bound_ms: now_ms, used_ms: now_ms, again_ms: now_ms };
    const channel: Channel = { number: FIRST_NUMBER + index, to, place, isOpen: false, ...times };
    this.#byNumber[index] = channel;
    this.#byPlace.set(place, channel);
    return channel;
  }

  #remove(channel: Channel): void {
    this.#byNumber[channel.number - FIRST_NUMBER] = undefined;
    this.#byPlace.delete(channel.place);
  }

  #bind(channel: Channel, now_ms: number): void {
    if (now_ms < channel.again_ms) return;
    channel.again_ms = now_ms + AGAIN_AFTER_MS;
    this.#allocation.bind(channel.number, channel.to).then(
      () => {
        channel.isOpen = true;
        channel.bound_ms = now_ms;
      },
      (error: Error) => {
        // Until the next try it goes the long way. That the relay is gone is noticed elsewhere.
        if (error instanceof TurnError) channel.isOpen = false;
      },
    );
  }
}
