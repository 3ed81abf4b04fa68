import type { Cohort } from './cohort.ts';
import type { Plan } from './plan.ts';
import type { Link, Side } from './sides.ts';
import type { Signature } from './signature.ts';

/** A side on which all, or all of the same boundary, are peers. */
interface Near {
  readonly side: Side;
  readonly within: boolean;
}

/** A cohort as the engine has it. When its last member is gone it can still be asked: its signature says everything. */
export class KeptCohort implements Cohort {
  readonly members = new Set<string>();
  readonly plan: Plan;
  readonly signature: Signature;
  /** Mark of the last collection that included it, so that each collection includes it once. */
  seen = 0;
  #near: readonly Near[] | undefined;
  #matches: readonly string[] | undefined;

  constructor(plan: Plan, signature: Signature) {
    this.plan = plan;
    this.signature = signature;
  }

  /** Where its peers are. Cohorts come and go on these sides, but the sides stay, so this never has to be updated. */
  get near(): readonly Near[] {
    this.#near ??= nearOf(this.signature);
    return this.#near;
  }

  get matches(): readonly string[] {
    this.#matches ??= matchesOf(this.plan, this.signature);
    return this.#matches;
  }
}

function nearOf({ sources, targets }: Signature): readonly Near[] {
  const near = new Map<Side, boolean>();
  const add = (side: Side, within: boolean) => near.set(side, within && (near.get(side) ?? true));
  for (const { links } of sources) for (const { target, within } of links) add(target, within);
  for (const { links } of targets.keys()) for (const { source, within } of links) add(source, within);
  return Array.from(near, ([side, within]) => ({ side, within }));
}

function matchesOf({ document }: Plan, { sources, targets }: Signature): readonly string[] {
  const grants = new Set<number>();
  const add = (links: readonly Link[]) => {
    for (const link of links) for (const grant of link.grants) grants.add(grant);
  };
  for (const { links } of sources) add(links);
  for (const { links } of targets.keys()) add(links);
  const inOrder = document.grants.filter((_, index) => grants.has(index));
  return [...new Set(inOrder.map(({ from, to }) => `${from} -> ${to}`))];
}
