/**
 * Far beyond what anybody writes by hand, and small enough that the largest document that is still read costs little
 * memory and time, whoever sent it.
 */
export const LIMITS = {
  characters: 16_777_216,
  depth: 32,
  /** Names and values of the whole text. */
  values: 500_000,
  groups: 5_000,
  selectorsOfGroup: 2_000,
  grants: 20_000,
  allowsOfGrant: 100,
  noteCharacters: 2_000,
  tests: 5_000,
  targetsOfTest: 1_000,
  problems: 50,
} as const;
