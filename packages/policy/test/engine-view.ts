import type { Terms } from '../src/engine/cohort.ts';
import type { Engine } from '../src/engine/engine.ts';
import type { ReferenceView } from './reference-engine.ts';

/** What the engine sends to one node, collected peer by peer, which only tests do. */
export function engineView(engine: Engine, id: string): ReferenceView {
  const own = engine.cohortOf(id);
  const terms = new Map<string, Terms>();
  if (own === undefined) return { terms, matches: [] };
  for (const cohort of engine.peersOf(own)) {
    if (cohort.members.size === 0) throw new Error('a cohort without members is listed as a peer');
    for (const peer of cohort.members) {
      if (peer === id) continue;
      if (terms.has(peer)) throw new Error(`${peer} is listed twice`);
      terms.set(peer, engine.terms(own, cohort));
    }
  }
  return { terms, matches: engine.matches(own) };
}
