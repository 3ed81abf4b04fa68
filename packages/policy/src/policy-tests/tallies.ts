import type { Engine } from '../engine/engine.ts';
import type { Side } from './mesh-sides.ts';
import type { Tallied } from './tally.ts';
import { NodeTallies } from './tally-nodes.ts';
import { tallyOutside } from './tally-outside.ts';

/**
 * The pairs of nodes of two sides, by what is allowed between them. Two sides are walked once, cohort by cohort, however
 * many tests ask about them: there are few different terms in a mesh, and each test only looks at those.
 */
export class Tallies {
  readonly #engine: Engine;
  readonly #nodes: NodeTallies;
  readonly #known = new Map<Side, Map<Side, Tallied>>();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#nodes = new NodeTallies(engine);
  }

  /** `to` is what the destination is called, if it is behind the mesh. */
  between(source: Side, destination: Side, to: string): Tallied {
    let known = this.#known.get(source);
    if (known === undefined) {
      known = new Map();
      this.#known.set(source, known);
    }
    let tallied = known.get(destination);
    if (tallied === undefined) {
      const { parts, behind } = destination;
      tallied =
        behind === undefined
          ? this.#nodes.between(source.parts, parts)
          : tallyOutside(this.#engine, source.parts, { to, behind, providers: parts });
      known.set(destination, tallied);
    }
    return tallied;
  }
}
