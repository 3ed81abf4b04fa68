export interface Denied {
  readonly in: number;
  readonly forward: number;
}

/** The kernel counts from zero again when a table is replaced. Here the sum never falls. */
export class DeniedPackets {
  /** Of tables that are gone. */
  #before: Denied = { in: 0, forward: 0 };
  /** Of the one that is there, when it was last looked at. */
  #now: Denied = { in: 0, forward: 0 };

  /** As it was last seen. */
  get last(): Denied {
    return sum(this.#before, this.#now);
  }

  /** A counter that fell means that the table was replaced. */
  look(counters: ReadonlyMap<string, number>): Denied {
    const seen = { in: counters.get('denied_in') ?? 0, forward: counters.get('denied_forward') ?? 0 };
    if (seen.in < this.#now.in || seen.forward < this.#now.forward) this.replaced();
    this.#now = seen;
    return this.last;
  }

  /** The table that was there is gone, and another one begins to count. */
  replaced(): void {
    this.#before = sum(this.#before, this.#now);
    this.#now = { in: 0, forward: 0 };
  }
}

function sum(a: Denied, b: Denied): Denied {
  return { in: a.in + b.in, forward: a.forward + b.forward };
}
