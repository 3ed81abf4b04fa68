import { isDeepStrictEqual } from 'node:util';
import type { LinkReport } from '@meshwork/contract';
import { utc } from '@meshwork/contract/vocabulary';
import { isInSession } from '../../host/in-session.ts';
import type { PeerPlacing } from '../../host/peer-places.ts';
import type { SeenPeer, SeenTunnel } from './tunnel.ts';

interface KnownLink {
  readonly seen: SeenPeer;
  readonly link: LinkReport;
}

/** Turns WireGuard's peers into links, and remembers which of them were reported. */
export class LinkBook {
  readonly #now: () => number;
  /** By id of the peer. */
  #known: ReadonlyMap<string, KnownLink> = new Map();
  readonly #unreported = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get all(): LinkReport[] {
    return Array.from(this.#known.values(), ({ link }) => link);
  }

  /** As it was last seen. Undefined: it never was. */
  of(peer: string): LinkReport | undefined {
    return this.#known.get(peer)?.link;
  }

  /** Takes in what was seen. Says whether a link came or went: that is worth a heartbeat of its own. */
  see(
    keys: Iterable<readonly [id: string, key: string]>,
    { peers }: SeenTunnel,
    placing?: Pick<PeerPlacing, 'wayOf'>,
  ): boolean {
    const now = this.#now();
    const known = new Map<string, KnownLink>();
    let moved = false;
    for (const [id, key] of keys) {
      const seen = peers.get(key);
      if (seen === undefined) continue;
      const before = this.#known.get(id);
      const isAlive = isInSession(seen, now);
      const way = placing?.wayOf(id, seen, isAlive);
      const path = way?.path ?? (isAlive ? 'direct' : 'none');
      if (way === undefined && before?.seen === seen && before.link.path === path) {
        known.set(id, before); // nearly all: an engine answers with the same object for a peer that is as it was
        continue;
      }
      const link = { ...linkOf(id, seen, path), ...way };
      known.set(id, { seen, link });
      if (before !== undefined && sameLink(before.link, link)) continue;
      this.#unreported.add(id);
      if (path !== (before?.link.path ?? 'none')) moved = true;
    }
    this.#known = known;
    return moved;
  }

  /** Those that changed since they were last asked for, or all. What has only counted on is not a change. */
  take(all: boolean): LinkReport[] {
    const ids = all ? this.#known.keys() : this.#unreported;
    const links = Array.from(ids, (id) => this.#known.get(id)?.link).filter((link) => link !== undefined);
    this.#unreported.clear();
    return links;
  }
}

function linkOf(
  peer: string,
  { endpoint, handshake_ms, rx_bytes, tx_bytes }: SeenPeer,
  path: LinkReport['path'],
): LinkReport {
  return {
    peer,
    path,
    endpoint,
    handshake_at: handshake_ms === null ? null : utc(handshake_ms),
    rx_bytes,
    tx_bytes,
  };
}

function sameLink(one: LinkReport, other: LinkReport): boolean {
  const { rx_bytes: _, tx_bytes: __, ...first } = one;
  const { rx_bytes: ___, tx_bytes: ____, ...second } = other;
  return isDeepStrictEqual(first, second);
}
