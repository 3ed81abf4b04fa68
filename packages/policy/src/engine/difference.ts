import type { Cohort } from './cohort.ts';
import type { Engine } from './engine.ts';
import { type Segment, Segments } from './segments.ts';

/**
 * What a change means to the members of a segment. A segment may be in its own lists: its members are then peers of each
 * other, and none of them of itself.
 */
export interface SegmentChange extends Segment {
  readonly peers_lost: readonly Segment[];
  readonly peers_gained: readonly Segment[];
  /** Peers both before and after, with different terms now. */
  readonly terms_changed: readonly Segment[];
  /** Whether they have a part in other grants than before. It may be all that changed. */
  readonly matches_changed: boolean;
}

/**
 * What differs between two engines, node by node, for instance before and after an edit of the policy. Exact: a node that is
 * in no change is not affected, and one that is in a change is. Costs what the cohorts and their peers cost, whatever their
 * size, and one look at each node.
 */
export function* difference(before: Engine, after: Engine): Generator<SegmentChange> {
  const engines = { before, after };
  const segments = new Segments(before, after);
  for (const segment of segments.all()) {
    const change = changeFor(segment, segments, engines);
    const { peers_lost, peers_gained, terms_changed, matches_changed } = change;
    if (matches_changed || peers_lost.length + peers_gained.length + terms_changed.length > 0) yield change;
  }
}

/** The ids that such a list stands for, as one member of the segment sees it: a node is not its own peer. */
export function* idsIn(list: readonly Segment[], member: string): Generator<string> {
  for (const { members } of list) for (const id of members) if (id !== member) yield id;
}

type Engines = Readonly<Record<'before' | 'after', Engine>>;

function changeFor(segment: Segment, segments: Segments, engines: Engines): SegmentChange {
  const peersAt = (time: keyof Engines) => {
    const peers = new Set<Segment>();
    const cohort = segment[time];
    if (cohort === undefined) return peers;
    for (const peer of engines[time].peersOf(cohort)) for (const other of segments.of(peer)) peers.add(other);
    if (segment.members.length === 1) peers.delete(segment);
    return peers;
  };
  const [were, are] = [peersAt('before'), peersAt('after')];
  const termsAt = (time: keyof Engines, peer: Segment) => {
    const [viewer, about] = [segment[time], peer[time]];
    return viewer === undefined || about === undefined ? undefined : engines[time].terms(viewer, about);
  };
  return {
    ...segment,
    peers_lost: [...were].filter((peer) => !are.has(peer)),
    peers_gained: [...are].filter((peer) => !were.has(peer)),
    terms_changed: [...are].filter((peer) => were.has(peer) && termsAt('before', peer) !== termsAt('after', peer)),
    matches_changed: matchesText(engines.before, segment.before) !== matchesText(engines.after, segment.after),
  };
}

function matchesText(engine: Engine, cohort: Cohort | undefined): string {
  return cohort === undefined ? '' : engine.matches(cohort).join();
}
