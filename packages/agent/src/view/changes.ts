import type { Peer, PeerTerms } from '@meshwork/contract';
import type { HeldView } from './held-view.ts';

/** A moment in the life of what is held about peers. */
export interface Mark {
  readonly peers: number;
  readonly acl: number;
}

/** What was held about a peer. */
interface PeerBefore {
  readonly peer: Peer | undefined;
  readonly terms: PeerTerms | undefined;
}

/** By id of the peer. */
export type PeerChanges = ReadonlyMap<string, PeerBefore>;

export function markOf({ peers, acl }: HeldView): Mark {
  return { peers: peers.mark, acl: acl.mark };
}

/**
 * The peers whose record or terms were sent again or removed since a mark, with what was held then. Undefined: not known,
 * so that all of them have to be compared.
 */
export function changedSince({ peers, acl }: HeldView, mark: Mark | undefined): PeerChanges | undefined {
  if (mark === undefined) return undefined;
  const records = peers.changedSince(mark.peers);
  const terms = acl.changedSince(mark.acl);
  if (records === undefined || terms === undefined) return undefined;
  const changes = new Map<string, PeerBefore>();
  for (const id of [...records.keys(), ...terms.keys()]) {
    changes.set(id, {
      peer: records.has(id) ? records.get(id) : peers.get(id),
      terms: terms.has(id) ? terms.get(id) : acl.get(id),
    });
  }
  return changes;
}
