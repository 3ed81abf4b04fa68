import type { NodeId } from '@meshwork/contract';

interface RouteSeeker {
  /** Who forwards to the network now. Null: nobody. */
  readonly present: NodeId | null;
  /** Nodes that offer it, are allowed to, and may serve, in any order. */
  readonly candidates: readonly NodeId[];
  /** Whether the present one still offers it, is allowed to and stays, and is no candidate only because it is overdue. */
  readonly lingers: boolean;
}

/**
 * Who forwards to one network. Whoever does it goes on: it does not move back when an older one returns. Else the
 * candidate that has been a member for longest, which its id tells. With nobody else to take over, one that is merely
 * overdue keeps it: it may still be there, and taking the network off it would help nobody.
 */
export function chooseProvider({ present, candidates, lingers }: RouteSeeker): NodeId | null {
  if (present !== null && candidates.includes(present)) return present;
  const [first, ...rest] = candidates;
  if (first === undefined) return lingers ? present : null;
  return rest.reduce((oldest, candidate) => (candidate < oldest ? candidate : oldest), first);
}
