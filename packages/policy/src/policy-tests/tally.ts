import type { Allow } from '../document/allow.ts';

/** Pairs of nodes of the two sides of a test for which the same is allowed. */
export interface Tally {
  readonly count: number;
  /**
   * What is allowed, by the way that a packet takes. A node is reached in one way; to an address behind the mesh there
   * may be none.
   */
  readonly ways: readonly (readonly Allow[])[];
}

/** All pairs of two sides. */
export interface Tallied {
  readonly tallies: readonly Tally[];
  /** The pairs of some of the tallies, in order: `laptop-3 to git-1`. They are looked for only when they are read. */
  named(some: ReadonlySet<Tally>): Iterable<string>;
}
