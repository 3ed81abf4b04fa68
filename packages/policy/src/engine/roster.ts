import type { KeptCohort } from './kept-cohort.ts';
import type { Side } from './sides.ts';

const NO_COHORTS: ReadonlySet<KeptCohort> = new Set();

/** Which cohorts are on which side now. */
export class Roster {
  readonly #onSide: Set<KeptCohort>[];
  readonly #ofBoundary: Map<string, Set<KeptCohort>>[];

  constructor(sideCount: number) {
    this.#onSide = Array.from({ length: sideCount }, () => new Set());
    this.#ofBoundary = Array.from({ length: sideCount }, () => new Map());
  }

  add(cohort: KeptCohort): void {
    const { boundary } = cohort.signature;
    for (const { id } of sidesOf(cohort)) {
      this.#onSide[id]?.add(cohort);
      if (boundary === undefined) continue;
      const boundaries = this.#ofBoundary[id];
      const neighbours = boundaries?.get(boundary);
      if (neighbours === undefined) boundaries?.set(boundary, new Set([cohort]));
      else neighbours.add(cohort);
    }
  }

  delete(cohort: KeptCohort): void {
    const { boundary } = cohort.signature;
    for (const { id } of sidesOf(cohort)) {
      this.#onSide[id]?.delete(cohort);
      if (boundary === undefined) continue;
      const neighbours = this.#ofBoundary[id]?.get(boundary);
      if (neighbours?.delete(cohort) === true && neighbours.size === 0) this.#ofBoundary[id]?.delete(boundary);
    }
  }

  on(side: Side): ReadonlySet<KeptCohort> {
    return this.#onSide[side.id] ?? NO_COHORTS;
  }

  /** Those of one boundary. */
  onWithin(side: Side, boundary: string | undefined): ReadonlySet<KeptCohort> {
    return (boundary === undefined ? undefined : this.#ofBoundary[side.id]?.get(boundary)) ?? NO_COHORTS;
  }
}

function* sidesOf({ signature }: KeptCohort): Generator<Side> {
  yield* signature.sources;
  yield* signature.targets.keys();
}
