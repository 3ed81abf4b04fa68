import type { Link } from './link.ts';

/** Ours: WireGuard itself keeps what is behind a handshake, so it is one packet, and the few that follow when it had a session. */
const MAX_PER_LINK = 4;
const MAX_LINKS = 256;
/** WireGuard begins a handshake anew after five seconds: what is older is of no use any more. */
const MAX_AGE_MS = 5000;

/** What WireGuard sent on links that have no way yet. The link that has waited for longest makes room. */
export class WaitingPackets {
  readonly #links = new Set<Link>();

  keep(link: Link, data: Buffer, at_ms: number): void {
    link.waiting ??= [];
    link.waiting.push({ data, at_ms });
    if (link.waiting.length > MAX_PER_LINK) link.waiting.shift();
    this.#links.add(link);
    const [oldest] = this.#links;
    if (this.#links.size > MAX_LINKS && oldest !== undefined) this.forget(oldest);
  }

  /** By its ways. */
  send(link: Link, now_ms: number): void {
    if (link.waiting === undefined || link.ways.length === 0) return;
    for (const { data, at_ms } of link.waiting) {
      if (now_ms - at_ms > MAX_AGE_MS) continue;
      for (const way of link.ways) way.send(data, now_ms);
    }
    this.forget(link);
  }

  forget(link: Link): void {
    link.waiting = undefined;
    this.#links.delete(link);
  }
}
