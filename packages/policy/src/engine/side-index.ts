import type { PolicyNode } from '../policy-node.ts';
import { Membership, selectorsOf } from './membership.ts';
import type { Plan } from './plan.ts';
import type { SourceSide, TargetSide } from './sides.ts';

/** The sides that the members of a group are on. */
interface Standing {
  readonly sources: readonly SourceSide[];
  readonly targets: readonly TargetSide[];
}

/** From the attributes of a node to the sides that its groups put it on. */
export class SideIndex {
  readonly #byGroup: ReadonlyMap<string, Standing>;
  /** Networks that any node which forwards to them may provide. */
  readonly #anyProvider: Standing;
  readonly #membership: Membership;

  constructor(plan: Plan) {
    const byGroup = new Map<string, { readonly sources: SourceSide[]; readonly targets: TargetSide[] }>();
    const standingOf = (group: string) => {
      let standing = byGroup.get(group);
      if (standing === undefined) {
        standing = { sources: [], targets: [] };
        byGroup.set(group, standing);
      }
      return standing;
    };
    const anyProvider: TargetSide[] = [];
    for (const side of plan.sources) standingOf(side.group).sources.push(side);
    for (const side of plan.targets) {
      (side.group === undefined ? anyProvider : standingOf(side.group).targets).push(side);
    }
    this.#byGroup = byGroup;
    this.#anyProvider = { sources: [], targets: anyProvider };
    this.#membership = new Membership(selectorsOf(plan.document), byGroup.keys());
  }

  /** All that apply. */
  standingsOf(node: PolicyNode): readonly Standing[] {
    const standings = node.provides.length > 0 ? [this.#anyProvider] : [];
    for (const group of this.#membership.groupsOf(node)) {
      const standing = this.#byGroup.get(group);
      if (standing !== undefined) standings.push(standing);
    }
    return standings;
  }
}
