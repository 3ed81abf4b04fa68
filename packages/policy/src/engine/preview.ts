import { difference } from './difference.ts';
import type { Engine } from './engine.ts';
import { type Flow, Flows } from './flows.ts';

interface Preview {
  readonly opens: readonly Flow[];
  readonly closes: readonly Flow[];
  /** Ids of the nodes that get other peers, or other terms with those they have. */
  readonly touched: readonly string[];
}

/**
 * What an edit of the policy means, before it is made.
 *
 * A flow opens for two nodes when a grant after the edit allows them what nothing allowed them before: a grant that is
 * merely renamed, split or moved opens nothing, and a group that grows opens what its grants allow, though no grant changed.
 * It is listed under the two groups of each grant that allows it, and counts two nodes once. For a network, allowed before
 * is what was allowed in the same or in a wider one behind the same node. Closing is the same with before and after
 * exchanged.
 *
 * What the grants between two groups newly say without effect on any node is listed with no pairs, so that the author sees that
 * it changes nothing.
 */
export function preview(before: Engine, after: Engine): Preview {
  const touched: string[] = [];
  const opens = new Flows({ before, after }, 'after');
  const closes = new Flows({ before, after }, 'before');
  for (const change of difference(before, after)) {
    const sources = [...change.peers_lost, ...change.peers_gained, ...change.terms_changed];
    for (const source of sources) {
      opens.count(source, change);
      closes.count(source, change);
    }
    if (sources.length > 0) for (const id of change.members) touched.push(id);
  }
  return { opens: opens.list(), closes: closes.list(), touched };
}
