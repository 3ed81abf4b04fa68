import { type LinkReport, MAX_LINK_WAYS, type NodeId } from '@meshwork/contract';
import type { NodeStatus, PastWay, SeenLink } from './node-status.ts';

/**
 * Ours. Past ways of all links together, at some 250 bytes each: 25 MB at most, however many nodes there are. Links that never changed
 * cost nothing. 70 nodes that are all peers can have 20 ways of each link; with 10,000 nodes and 20 links each, every second link end
 * still has the way before this one.
 */
const MAX_PAST_WAYS = 100_000;
/** The part of them that is dropped at once: to find the oldest, a set passes all that were removed before it. */
const DROPPED_AT_ONCE = 0.1;

interface Kept extends PastWay {
  /** The link's own list that it stands in. */
  readonly among: Kept[];
}

/** How the packets of links went before they went as they do. In memory, as the links are: begun anew with each start. */
export class PastWays {
  /** Oldest first. Those of links that are gone stay until they are the oldest. */
  readonly #kept = new Set<Kept>();
  readonly #max: number;

  constructor(max = MAX_PAST_WAYS) {
    this.#max = max;
  }

  /** Takes in what a node reports of a link. */
  note(status: NodeStatus, report: LinkReport, now_ms: number): void {
    const peer = report.peer as NodeId;
    status.links ??= new Map<NodeId, SeenLink>();
    const known = status.links.get(peer) ?? status.links_before?.get(peer);
    status.links_before?.delete(peer);
    // How they went while another coordinator heard of it is not known here.
    const before = known !== undefined && known.observed_ms > (status.elsewhere_ms ?? 0) ? known : undefined;
    status.links.set(peer, { ...report, observed_ms: now_ms, ...this.#after(before, report, now_ms) });
  }

  #after(before: SeenLink | undefined, report: LinkReport, now_ms: number): Pick<SeenLink, 'since_ms' | 'past'> {
    if (before === undefined) return { since_ms: now_ms, past: undefined };
    const { since_ms, past, path, relay, via, endpoint, why } = before;
    if (wayOf(before) === wayOf(report)) return { since_ms, past };
    const among = (past as Kept[] | undefined) ?? [];
    const kept: Kept = { since_ms, path, relay, via, endpoint, why, among };
    among.unshift(kept);
    this.#kept.add(kept);
    // With the present one there are as many as are shown.
    if (among.length >= MAX_LINK_WAYS) this.#drop(among);
    if (this.#kept.size > this.#max) this.#dropOldest();
    return { since_ms: now_ms, past: among };
  }

  #dropOldest(): void {
    const left = Math.floor(this.#max * (1 - DROPPED_AT_ONCE));
    for (const { among } of this.#kept) {
      if (this.#kept.size <= left) return;
      this.#drop(among); // what is the oldest of all is the oldest of its link
    }
  }

  #drop(among: Kept[]): void {
    const oldest = among.pop();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** The node reports every link anew, in as many heartbeats as that takes. */
export function beginLinksAnew(status: NodeStatus, isPeer: (other: NodeId) => boolean): void {
  const before = [...(status.links_before ?? []), ...(status.links ?? [])].filter(([peer]) => isPeer(peer));
  status.links_before = before.length === 0 ? undefined : new Map(before);
  status.links = undefined;
}

/**
 * What makes it another way. The endpoint counts only where packets go to it directly: the place of a relay is its relay's matter, and while
 * nothing answers, endpoints are tried one after the other.
 */
function wayOf({ path, relay, via, endpoint }: LinkReport): string {
  return [path, relay, via?.relay, via?.transport, path === 'direct' ? endpoint : ''].join(' ');
}
