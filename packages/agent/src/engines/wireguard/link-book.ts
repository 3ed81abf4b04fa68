import type { LinkReport } from '@meshwork/contract';
import { utc } from '@meshwork/contract/vocabulary';
import { isInSession } from './in-session.ts';
import type { SeenPeer, SeenTunnel } from './tunnel.ts';

/** Turns WireGuard's peers into links, and remembers which of them were reported. */
export class LinkBook {
  readonly #now: () => number;
  #links: ReadonlyMap<string, LinkReport> = new Map();
  readonly #unreported = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** By id of the peer. */
  get all(): ReadonlyMap<string, LinkReport> {
    return this.#links;
  }

  /** Takes in what was seen. Says whether a link came or went: that is worth a heartbeat of its own. */
  see(keys: Iterable<readonly [id: string, key: string]>, { peers }: SeenTunnel): boolean {
    const now = this.#now();
    const links = new Map<string, LinkReport>();
    let moved = false;
    for (const [id, key] of keys) {
      const seen = peers.get(key);
      if (seen === undefined) continue;
      const before = this.#links.get(id);
      const link = linkOf(id, seen, now);
      links.set(id, link);
      if (before !== undefined && sameLink(before, link)) continue;
      this.#unreported.add(id);
      if (link.path !== (before?.path ?? 'none')) moved = true;
    }
    this.#links = links;
    return moved;
  }

  /** Those that changed since they were last asked for, or all. What has only counted on is not a change. */
  tell(all: boolean): LinkReport[] {
    const ids = all ? this.#links.keys() : this.#unreported;
    const links = Array.from(ids, (id) => this.#links.get(id)).filter((link) => link !== undefined);
    this.#unreported.clear();
    return links;
  }
}

function linkOf(peer: string, seen: SeenPeer, now: number): LinkReport {
  const { endpoint, handshake_ms, rx_bytes, tx_bytes } = seen;
  return {
    peer,
    path: isInSession(seen, now) ? 'direct' : 'none',
    endpoint,
    handshake_at: handshake_ms === null ? null : utc(handshake_ms),
    rx_bytes,
    tx_bytes,
  };
}

function sameLink(one: LinkReport, other: LinkReport): boolean {
  return one.path === other.path && one.endpoint === other.endpoint && one.handshake_at === other.handshake_at;
}
