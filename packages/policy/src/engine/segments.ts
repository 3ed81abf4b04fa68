import type { Cohort } from './cohort.ts';
import type { Engine } from './engine.ts';

/** Nodes that were of one cohort before a change and are of one after it, so that the change means the same to all. */
export interface Segment {
  readonly members: readonly string[];
  /** Undefined: they had none. */
  readonly before: Cohort | undefined;
  /** Undefined: they have none. */
  readonly after: Cohort | undefined;
}

/** All segments of two engines, and those that a cohort of the one or the other fell into. */
export class Segments {
  readonly #all: Segment[] = [];
  readonly #of = new Map<Cohort, Segment[]>();

  constructor(before: Engine, after: Engine) {
    for (const cohort of after.cohorts()) {
      for (const [old, members] of byOther(cohort, before)) this.#add({ members, before: old, after: cohort });
    }
    for (const cohort of before.cohorts()) {
      const members = byOther(cohort, after).get(undefined);
      if (members !== undefined) this.#add({ members, before: cohort, after: undefined });
    }
  }

  all(): readonly Segment[] {
    return this.#all;
  }

  of(cohort: Cohort): readonly Segment[] {
    return this.#of.get(cohort) ?? [];
  }

  #add(segment: Segment): void {
    this.#all.push(segment);
    for (const cohort of [segment.before, segment.after]) {
      if (cohort === undefined) continue;
      const known = this.#of.get(cohort);
      if (known === undefined) this.#of.set(cohort, [segment]);
      else known.push(segment);
    }
  }
}

/** The members of a cohort, by the cohort that they have in the other engine. */
function byOther(cohort: Cohort, other: Engine): ReadonlyMap<Cohort | undefined, readonly string[]> {
  const parts = new Map<Cohort | undefined, string[]>();
  for (const id of cohort.members) {
    const there = other.cohortOf(id);
    const part = parts.get(there);
    if (part === undefined) parts.set(there, [id]);
    else part.push(id);
  }
  return parts;
}
