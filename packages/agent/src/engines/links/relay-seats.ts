import type { RelayAccess } from '@meshwork/contract';
import type { Answer } from '../../carrier/control/messages.ts';
import { GRACE_MS, RelaySeat, type Seat, type SeatHost } from './relay-seat.ts';

/** The relays at which the node keeps a place, its home first. */
export class RelaySeats {
  readonly #host: SeatHost;
  #seats: readonly RelaySeat[] = [];
  readonly #leaving = new Map<RelaySeat, NodeJS.Timeout>();
  /** What an agent before this one left at the carrier, by relay. */
  readonly #kept = new Map<string, Seat>();

  constructor(host: SeatHost) {
    this.#host = host;
  }

  /** Those that it has now, its home first. */
  get all(): readonly Seat[] {
    return this.#seats.flatMap(({ seat }) => seat ?? []);
  }

  /** Also those that are being given up: packets may still leave by them. */
  find(allocation: string): Seat | undefined {
    return [...this.#seats, ...this.#leaving.keys()].find(({ seat }) => seat?.allocation === allocation)?.seat;
  }

  of(relay: string): Pick<RelaySeat, 'seat' | 'problem'> | undefined {
    return this.#seats.find(({ name }) => name === relay);
  }

  /** Before the first `want`: what the carrier has is gone on with. */
  adopt(allocations: Answer<'state'>['allocations']): void {
    for (const { allocation, relayed, transport, lost } of allocations) {
      const [relay = ''] = allocation.split('/');
      if (relayed !== undefined && lost === undefined) this.#kept.set(relay, { relay, allocation, transport, relayed });
      else this.#host.carrier.ask('release', { allocation }).catch(() => undefined); // it is of no use
    }
  }

  /** All that are wanted, the home first. */
  want(list: readonly RelayAccess[]): void {
    const before = new Map(this.#seats.map((seat) => [seat.name, seat]));
    this.#seats = list.map((access) => {
      const { name } = access.relay;
      const known = before.get(name) ?? this.#returning(name);
      if (known?.renew(access) === true) {
        before.delete(name);
        return known;
      }
      if (known !== undefined) before.set(name, known); // the relay is elsewhere now
      const kept = this.#kept.get(name);
      this.#kept.delete(name);
      return new RelaySeat(access, this.#host, kept);
    });
    for (const seat of before.values()) {
      this.#leaving.set(seat, setTimeout(() => void this.#leave(seat), GRACE_MS).unref());
    }
    for (const { allocation } of this.#kept.values()) {
      void this.#host.carrier.ask('release', { allocation }).catch(() => undefined); // it is forgotten by itself
    }
    this.#kept.clear();
  }

  /** Lets in what comes from relays that peers receive by now. */
  async hear(): Promise<void> {
    await Promise.all(this.#seats.map((seat) => seat.hear()));
  }

  lost(allocation: string, reason: string): void {
    this.#seats.find(({ seat }) => seat?.allocation === allocation)?.lost(reason);
    for (const [leaving, timer] of this.#leaving) {
      if (leaving.seat?.allocation !== allocation) continue;
      clearTimeout(timer);
      void this.#leave(leaving);
    }
  }

  /** The carrier ended, and all of them with it. */
  lostAll(reason: string): void {
    for (const one of this.#seats) if (one.seat !== undefined) one.lost(reason);
  }

  #returning(name: string): RelaySeat | undefined {
    const seat = [...this.#leaving.keys()].find((one) => one.name === name);
    if (seat === undefined) return undefined;
    clearTimeout(this.#leaving.get(seat));
    this.#leaving.delete(seat);
    return seat;
  }

  async #leave(seat: RelaySeat): Promise<void> {
    this.#leaving.delete(seat);
    await seat.leave();
  }
}
