/**
 * A policy's own tests. They check the policy alone, whichever nodes are online: the caller compiles
 * an engine from the document with every node taken as fresh, with its tags and its agent as they are, and with the grants
 * that have expired left out as ever.
 *
 * An `allow` has to hold for every node that it names on either side, a `deny` for none. A node with itself is left out:
 * no policy comes between. So is a node that forwards to the address in question itself.
 */
import type { PolicyTest } from '../document/document.ts';
import { parseTarget } from '../document/target.ts';
import type { Engine } from '../engine/engine.ts';
import { checkPairs } from './check-pairs.ts';
import type { Directory } from './directory.ts';
import { MeshSides, type Side } from './mesh-sides.ts';
import { Tallies } from './tallies.ts';

export interface FailedTest {
  /** Its place in `tests`, from 0. */
  readonly test: number;
  /** As the test has it. */
  readonly from: string;
  /** As the test has it: `git-1:tcp:22`. */
  readonly to: string;
  readonly expected: 'allow' | 'deny';
  /** What happens instead, and for which nodes. */
  readonly detail: string;
}

export function runTests(engine: Engine, directory: Directory): readonly FailedTest[] {
  const sides = new MeshSides(engine, directory);
  const tallies = new Tallies(engine);
  return engine.document.tests.flatMap((test, index) => [
    ...failuresOf({ sides, tallies, test, index, expected: 'allow' }),
    ...failuresOf({ sides, tallies, test, index, expected: 'deny' }),
  ]);
}

interface Run {
  readonly sides: MeshSides;
  readonly tallies: Tallies;
  readonly test: PolicyTest;
  readonly index: number;
  readonly expected: 'allow' | 'deny';
}

function failuresOf({ sides, tallies, test, index, expected }: Run): readonly FailedTest[] {
  if (test[expected].length === 0) return [];
  const source = sides.source(test.from);
  return test[expected].flatMap((to) => {
    const target = parseTarget(to);
    if (target === undefined) throw new Error(`${to} is no target: the tests were run without being checked.`);
    const destination = sides.target(target);
    const detail =
      emptyWords(expected, source, destination) ?? checkPairs({ tallies, source, destination, target, expected });
    return detail === undefined ? [] : [{ test: index, from: test.from, to, expected, detail }];
  });
}

/** An unknown name is a mistake either way; an empty group proves only that nothing is allowed. */
function emptyWords(expected: 'allow' | 'deny', ...sides: readonly Side[]): string | undefined {
  const lost = sides.find(({ problem }) => problem !== undefined);
  if (lost?.problem === undefined) return undefined;
  return lost.problem.always || expected === 'allow' ? lost.problem.detail : undefined;
}
