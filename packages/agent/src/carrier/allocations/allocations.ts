import { type Answer, MAX_ALLOCATIONS } from '../control/messages.ts';
import { type AllocationEvents, KeptAllocation, type WantedAllocation } from './kept-allocation.ts';

/** The allocations of this node, by the names that the agent gives them. */
export class Allocations {
  readonly #events: AllocationEvents;
  readonly #kept = new Map<string, KeptAllocation>();
  /** Those that are being made. `release` before they are there lets go of them as soon as they are. */
  readonly #making = new Map<string, { readonly wanted: WantedAllocation; isWanted: boolean }>();

  constructor(events: AllocationEvents) {
    this.#events = events;
  }

  /** Undefined: there is none, or it is lost. */
  find(name: string): KeptAllocation | undefined {
    const kept = this.#kept.get(name);
    return kept?.lost === undefined ? kept : undefined;
  }

  /** A new one, under a name that no other has: what is to replace another is made beside it. */
  async make(wanted: WantedAllocation): Promise<Answer<'allocate'>> {
    const name = wanted.allocation;
    if (this.find(name) !== undefined || this.#making.has(name)) throw new Error(`there is an allocation ${name}`);
    this.#kept.delete(name); // it was lost
    if (this.#kept.size + this.#making.size >= MAX_ALLOCATIONS) throw new Error(`there are ${MAX_ALLOCATIONS} already`);
    const mark = { wanted, isWanted: true };
    this.#making.set(name, mark);
    let kept: KeptAllocation | undefined;
    try {
      kept = await KeptAllocation.make(wanted, this.#events);
      const refused = await kept.permit(wanted.permit);
      if (!mark.isWanted || kept.lost !== undefined) throw new Error(kept.lost ?? 'it was released while it was made');
      this.#kept.set(name, kept);
      return { relayed: kept.relayed, mapped: kept.mapped, refused };
    } catch (error) {
      void kept?.release().catch(() => undefined); // a relay that does not hear it forgets it by itself
      throw error;
    } finally {
      this.#making.delete(name);
    }
  }

  async permit(name: string, addresses: readonly string[]): Promise<readonly string[]> {
    const kept = this.find(name);
    if (kept === undefined) throw new Error(`there is no allocation ${name}`);
    return await kept.permit(addresses);
  }

  /** Nothing happens if there is none. What goes through it is lost from now on. */
  async release(name: string): Promise<void> {
    const making = this.#making.get(name);
    if (making !== undefined) making.isWanted = false;
    const kept = this.#kept.get(name);
    if (kept === undefined) return;
    this.#kept.delete(name);
    await kept.release().catch(() => undefined); // a relay that does not hear it forgets it by itself
  }

  checkAll(own: ReadonlySet<string>): void {
    for (const kept of this.#kept.values()) if (kept.lost === undefined) kept.check(own);
  }

  async releaseAll(): Promise<void> {
    const names = [...this.#kept.keys(), ...this.#making.keys()];
    await Promise.allSettled(names.map((name) => this.release(name)));
  }

  list(): Answer<'state'>['allocations'] {
    const made = [...this.#kept.values()].map((kept) => {
      const { allocation, relay, transport } = kept.wanted;
      const { relayed, mapped, lost } = kept;
      const places = lost === undefined ? { relayed, mapped } : { lost: lost.slice(0, 1000) };
      return { allocation, relay, transport, channels: kept.channels.count, ...places };
    });
    const making = [...this.#making.values()].map(({ wanted: { allocation, relay, transport } }) => {
      return { allocation, relay, transport, channels: 0 };
    });
    return [...made, ...making];
  }
}
