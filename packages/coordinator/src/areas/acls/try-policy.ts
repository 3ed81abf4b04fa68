import type { FailedTest, NodeId } from '@meshwork/contract';
import { type Directory, Engine, type PolicyDocument, type PolicyNode, runTests } from '@meshwork/policy';
import type { Fleet } from '../../fleet/fleet.ts';
import type { View } from '../../mesh/model.ts';
import { nodeNamed } from '../../mesh/node-state.ts';
import { policyNode } from '../../mesh/policy-node.ts';

/** Where nodes are, and what they forward to. */
type Where = Pick<Fleet, 'routes' | 'directory'>;

/** What a policy would be with the nodes there are. Nothing is put into effect. */
export interface Trial {
  readonly document: PolicyDocument;
  readonly lapsed: ReadonlySet<number>;
  readonly nodes: readonly PolicyNode[];
}

export function tryPolicy(view: View, { routes }: Where, document: PolicyDocument, now_ms: number): Trial {
  const all = Array.from(view.all('node'), ({ id }) => policyNode(view, routes, id as NodeId));
  return { document, lapsed: new Set(lapsedGrants(document, now_ms)), nodes: all.filter((node) => node !== undefined) };
}

/** Places of the grants that have expired. */
export function lapsedGrants({ grants }: PolicyDocument, now_ms: number): number[] {
  return grants.flatMap(({ expires }, place) =>
    expires !== undefined && Date.parse(expires) <= now_ms ? [place] : [],
  );
}

/**
 * The tests in it that do not hold. They speak of the policy: a laptop that is switched off this minute must not keep
 * anybody from changing it, so every node counts as heard from.
 */
export function failedTests(view: View, at: Where, { document, lapsed, nodes }: Trial): FailedTest[] {
  if (document.tests.length === 0) return [];
  const fresh = nodes.map((node) => (node.fresh ? node : { ...node, fresh: true }));
  const engine = Engine.compile({ document, lapsed, nodes: fresh });
  return runTests(engine, membersOf(view, at, engine)).map((failed) => ({ ...failed }));
}

/** How names and addresses in tests are found: among those who have a part in the mesh. */
function membersOf(view: View, { directory }: Where, engine: Engine): Directory {
  const member = (id: string | undefined) => (id === undefined || engine.nodeOf(id) === undefined ? undefined : id);
  return {
    byName: (name) => member(nodeNamed(view, name)?.id),
    byAddress: (address) => member(directory.nodeAt(address)),
    *names() {
      for (const { id, body } of view.all('node')) if (member(id) !== undefined) yield body.name;
    },
  };
}
