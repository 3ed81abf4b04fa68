import { isSelected } from '../document/selector.ts';
import type { Target } from '../document/target.ts';
import type { Engine } from '../engine/engine.ts';
import type { PolicyNode } from '../policy-node.ts';
import type { ExplainFacts } from './facts.ts';
import type { Fitting } from './fitting-group.ts';
import { PolicyIndex } from './policy-index.ts';

/** One side of a test of the policy. */
export type TestSide = Pick<Target, 'kind' | 'name'>;

const rolls = new WeakMap<ExplainFacts, Roll>();

/**
 * Who is in a group, for one question. To find out, the whole mesh is gone through: only where a test of the policy is about
 * the same port, and once for each group however many nodes offer the service.
 */
export class Roll {
  readonly #engine: Engine;
  readonly #index: PolicyIndex;
  readonly #members = new Map<string, readonly PolicyNode[]>();
  readonly #found = new Map<string, readonly PolicyNode[]>();

  static of(facts: ExplainFacts): Roll {
    let roll = rolls.get(facts);
    if (roll === undefined) {
      roll = new Roll(facts.engine);
      rolls.set(facts, roll);
    }
    return roll;
  }

  private constructor(engine: Engine) {
    this.#engine = engine;
    this.#index = PolicyIndex.of(engine.document);
  }

  /** Members of the group that the side names too. Two are enough to know that there is one besides any other. */
  firstTwo(group: Fitting, side: TestSide): readonly PolicyNode[] {
    const key = `${group.name} ${side.kind} ${side.name}`;
    let found = this.#found.get(key);
    if (found === undefined) {
      const isNamed = (node: PolicyNode) =>
        side.kind === 'group' ? this.#isIn(side.name, node) : side.kind === 'node' && side.name === node.name;
      found = [...Iterator.from(this.#membersOf(group)).filter(isNamed).take(2)];
      this.#found.set(key, found);
    }
    return found;
  }

  #membersOf({ name, node }: Fitting): readonly PolicyNode[] {
    let members = this.#members.get(name);
    if (members === undefined) {
      const isMember = (one: PolicyNode) => (node === undefined ? this.#isIn(name, one) : one.name === node);
      members = [...this.#allNodes()].filter(isMember);
      this.#members.set(name, members);
    }
    return members;
  }

  *#allNodes(): Generator<PolicyNode> {
    for (const cohort of this.#engine.cohorts()) {
      for (const id of cohort.members) {
        const node = this.#engine.nodeOf(id);
        if (node !== undefined) yield node;
      }
    }
  }

  #isIn(group: string, node: PolicyNode): boolean {
    return this.#index.leavesOf(group).some((leaf) => isSelected(leaf, node));
  }
}
