import type { Applied, AppliedSection, LinkReport, Observed, SectionContent, UpstreamHealth } from '@meshwork/contract';
import { digestOfText } from '@meshwork/contract/digest';
import { utc } from '@meshwork/contract/vocabulary';
import { newWireguardKey } from '../identity/keys.ts';
import type { ReceivedView } from '../view/received-view.ts';
import type { DataPlane } from './data-plane.ts';

/** WireGuard makes a new handshake about this often; telemetry is reported with it. */
const LOOK_EVERY_MS = 120_000;
const MEMORY_BYTES = 2 ** 31;

export interface DryRunOptions {
  /** The node it stands for, so that two planes do not report the same round trips. */
  readonly node: string;
  readonly now: () => number;
  /** Links that are reported at most. Absent: all. A large simulated fleet has more of them than it can tell. */
  readonly max_links?: number | undefined;
  /** Made by `rekey`; the private half goes nowhere. */
  readonly new_key?: (() => string) | undefined;
}

/**
 * Touches nothing: remembers what it received, and reports it as in effect. Links are up, the assigned relay is in use, and an
 * ingress has as many connections as `setConnections` says.
 */
export class DryRunDataPlane implements DataPlane<ReceivedView> {
  readonly #options: DryRunOptions;
  #view: ReceivedView | undefined;
  /** What is in effect, as far as anything is here. Undefined: nothing yet. */
  #relay: string | null | undefined;
  #served: SectionContent<'ingress'> | undefined;
  #connections = 0;
  /** What `observe` has not reported yet. */
  readonly #unreported = new Set<'links' | 'relay' | 'ingress'>();
  /** Peers whose links were reported. */
  #linked: ReadonlySet<string> = new Set();
  /** The relays as last reported. */
  #reported: ReportedRelays = { relays: [], relay_proofs: [] };
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** The last key it made, and for which operation. */
  #rekeyed: { readonly operation: string; readonly key: string } | undefined;
  readonly #startedAt: number;
  #listener: (drifted: readonly AppliedSection[]) => void = () => undefined;

  constructor(options: DryRunOptions) {
    this.#options = options;
    this.#startedAt = options.now();
  }

  async apply(section: AppliedSection, view: ReceivedView): Promise<Applied> {
    this.#view = view;
    if (section === 'peers') this.#unreported.add('links');
    if (section === 'relay') this.#relay = view.sections.relay?.name ?? null;
    if (section === 'ingress') this.#served = view.sections.ingress ?? [];
    if (section === 'relay' || section === 'ingress') this.#unreported.add(section);
    return { revision: view.revisionOf(section), digest: view.digestOf(section) };
  }

  observe(extent: 'changes' | 'everything'): Observed {
    const view = this.#view;
    if (view === undefined) return {};
    const now = this.#options.now();
    const all = extent === 'everything' || now - this.#lookedAt >= LOOK_EVERY_MS;
    if (all) this.#lookedAt = now;
    const observed: Observed = all ? { telemetry: this.#telemetry() } : {};
    if (all || this.#unreported.has('links')) {
      const links = this.#links(view, all);
      if (links.length > 0) observed.links = links;
    }
    Object.assign(observed, this.#relays(view, all));
    if (this.#relay !== undefined && (all || this.#unreported.has('relay'))) observed.relay = this.#relay;
    if (this.#served !== undefined && (all || this.#unreported.has('ingress'))) observed.ingress = this.#ingress();
    this.#unreported.clear();
    return observed;
  }

  async rekey(operation: string): Promise<string> {
    if (this.#rekeyed?.operation !== operation) {
      this.#rekeyed = { operation, key: this.#options.new_key?.() ?? newWireguardKey().public };
    }
    return this.#rekeyed.key;
  }

  /** What it remembers, and that it is no more than that. */
  async diagnose(): Promise<string> {
    const { uptime_s } = this.#telemetry();
    const { node, max_links } = this.#options;
    const held = { self: this.#view?.sections.self ?? null, peers: this.#view?.peers.size ?? 0 };
    const in_effect = {
      relay: this.#relay ?? null,
      ingress: this.#served?.map(({ id }) => id) ?? [],
      connections: this.#connections,
    };
    return JSON.stringify({ dry_run: true, node, uptime_s, ...held, links: this.#linked.size, max_links, in_effect });
  }

  onChange(listener: (drifted: readonly AppliedSection[]) => void): void {
    this.#listener = listener;
  }

  /** How many connections each ingress has from now on. */
  setConnections(connections: number): void {
    this.#connections = connections;
    this.#unreported.add('ingress');
    this.#listener([]);
  }

  /** As if another program had changed these. */
  drift(sections: readonly AppliedSection[]): void {
    this.#listener(sections);
  }

  /** An assignment that drains keeps its connections until they are ended, as on a gateway. */
  #ingress(): NonNullable<Observed['ingress']> {
    return (this.#served ?? []).map((assignment) => ({
      id: assignment.id,
      connections: this.#connections,
      ...(assignment.draining ? { refuses: true as const } : {}),
      ...this.#upstreams(assignment),
    }));
  }

  /** Every node answers. A coordinator of 0.1.0 does not say which there are. */
  #upstreams({ routes = [] }: SectionContent<'ingress'>[number]): { upstreams?: UpstreamHealth[] } {
    const since = utc(this.#startedAt);
    const found = new Map<string, UpstreamHealth>();
    for (const { service, targets } of routes.flatMap(({ pools }) => pools)) {
      for (const { node } of targets) found.set(`${service} ${node}`, { service, node, state: 'up', since, why: null });
    }
    return found.size === 0 ? {} : { upstreams: [...found.values()] };
  }

  /** Every relay answers, and carries. What is as it was last reported is left out, unless `all`. */
  #relays({ sections }: ReceivedView, all: boolean): Partial<ReportedRelays> {
    const { node } = this.#options;
    const before = this.#reported;
    this.#reported = {
      relays: (sections.relays ?? []).map(({ name }) => ({ name, rtt_ms: roundTrip(node, name) })),
      relay_proofs: (sections.relay_access ?? []).map(({ relay }) => ({ name: relay.name, carries: true, via: 'udp' })),
    };
    const isNews = (name: keyof ReportedRelays) =>
      all ? this.#reported[name].length > 0 : JSON.stringify(this.#reported[name]) !== JSON.stringify(before[name]);
    const { relays, relay_proofs } = this.#reported;
    return { ...(isNews('relays') ? { relays } : {}), ...(isNews('relay_proofs') ? { relay_proofs } : {}) };
  }

  #telemetry(): NonNullable<Observed['telemetry']> {
    const { node, now } = this.#options;
    const share = (digestOfText(node) % 100) / 100;
    return {
      uptime_s: Math.round((now() - this.#startedAt) / 1000),
      load: share,
      memory_used_bytes: Math.round(MEMORY_BYTES * (0.2 + share / 2)),
      memory_total_bytes: MEMORY_BYTES,
      rx_bytes: 0,
      tx_bytes: 0,
    };
  }

  /** Those of new peers, or all of them. */
  #links(view: ReceivedView, all: boolean): LinkReport[] {
    const { node, now, max_links = Number.POSITIVE_INFINITY } = this.#options;
    const handshake_at = utc(now());
    const before = this.#linked;
    const linked = new Set<string>();
    const links: LinkReport[] = [];
    for (const peer of view.peers.ids()) {
      if (linked.size >= max_links) break;
      linked.add(peer);
      if (!all && before.has(peer)) continue;
      links.push({ peer, path: 'direct', handshake_at, rtt_ms: roundTrip(node, peer), rx_bytes: 0, tx_bytes: 0 });
    }
    this.#linked = linked;
    return links;
  }
}

type ReportedRelays = Required<Pick<Observed, 'relays' | 'relay_proofs'>>;

/** From 1 to 81 ms, the same from both ends and at all times. */
function roundTrip(one: string, other: string): number {
  const [first, second] = one < other ? [one, other] : [other, one];
  return 1 + (digestOfText(`${first}${second}`) % 800) / 10;
}
