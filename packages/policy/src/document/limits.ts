/**
 * Far beyond what people write by hand, and small enough that the largest document that is still read costs little
 * memory and time, even when an attacker sent it.
 */
export const LIMITS = {
  characters: 16_777_216,
  depth: 32,
  /** Names and values of the whole text. */
  values: 500_000,
  groups: 2_000,
  /** Groups inside groups, counted with the outermost and the innermost. */
  groupsInChain: 32,
  selectorsOfGroup: 2_000,
  grants: 10_000,
  allowsOfGrant: 100,
  noteCharacters: 2_000,
  tests: 1_000,
  targetsOfTest: 1_000,
  /** Of all tests together: each is checked for every node that it names. */
  targets: 5_000,
  /** Entries of each table of owners. */
  ownerEntries: 2_000,
  ownersOfEntry: 200,
  problems: 50,
} as const;
