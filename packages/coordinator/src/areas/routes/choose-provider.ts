import type { NodeId } from '@meshwork/contract';

interface RouteSeeker {
  /** The node that forwards to the network now. Null: none. */
  readonly present: NodeId | null;
  /** Nodes that offer it, are allowed to, and may serve, in any order. */
  readonly candidates: readonly NodeId[];
  /** Whether the present one still offers it, is allowed to and stays, and is no candidate only because it is overdue. */
  readonly lingers: boolean;
}

/**
 * Which node forwards to one network. The present one goes on: it does not move back when an older one returns. Else
 * the candidate that has been a member for longest, by its id. Without another candidate, one that is merely overdue
 * keeps it: it may still be there, and taking the network off it would help no client.
 */
export function chooseProvider({ present, candidates, lingers }: RouteSeeker): NodeId | null {
  if (present !== null && candidates.includes(present)) return present;
  const [first, ...rest] = candidates;
  if (first === undefined) return lingers ? present : null;
  return rest.reduce((oldest, candidate) => (candidate < oldest ? candidate : oldest), first);
}
