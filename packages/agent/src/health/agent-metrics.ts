import type { AppliedSection } from '@meshwork/contract';
import { family, Histogram, type Labels, type Sample } from './exposition.ts';
import type { HealthSnapshot, HealthSource } from './health-source.ts';
import { ingressMetrics } from './ingress-metrics.ts';
import { countByPath } from './readiness.ts';

/** Ours, in seconds: from one element of a set to ten thousand peers. */
const RECONCILE_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The metrics of an agent. Most of them are read when Prometheus scrapes. None has a label for the peer: in a large mesh
 * each node would have as many series as there are nodes.
 */
export class AgentMetrics {
  readonly #source: HealthSource;
  readonly #now: () => number;
  readonly #seconds = new Histogram(
    'mesh_node_reconcile_seconds',
    'Time to make one engine what it should be.',
    RECONCILE_BOUNDS,
  );
  readonly #errors = new Map<string, number>();
  readonly #repairs = new Map<string, number>();
  readonly #rollbacks = new Map<string, number>();

  constructor(source: HealthSource, now: () => number) {
    this.#source = source;
    this.#now = now;
  }

  /** An engine was made what it should be, or could not be. */
  applied(subsystem: string, took_ms: number, error: unknown): void {
    this.#seconds.observe(took_ms / 1000);
    if (error !== undefined) count(this.#errors, subsystem);
  }

  repaired(section: AppliedSection): void {
    count(this.#repairs, section);
  }

  rolledBack(parts: readonly string[]): void {
    for (const part of parts) count(this.#rollbacks, part);
  }

  /** As Prometheus reads it, all of one moment. */
  text(): string {
    const seen = this.#source.look();
    return [
      ...this.#conversation(seen),
      ...this.#dataPlane(seen),
      ...ingressMetrics(seen.requests),
      ...this.#upkeep(),
    ].join('');
  }

  #conversation({ node, name, version, answered_ms, heartbeats, sections }: HealthSnapshot): string[] {
    const age = answered_ms === null ? [] : [alone(Math.max(0, this.#now() - answered_ms) / 1000)];
    const revisions = Array.from(sections, ([section, { in_effect }]): Sample => [{ section }, in_effect]);
    return [
      gauge('info', 'Which node this is. Always 1.', [[{ node, name, version }, 1]]),
      gauge('heartbeat_age_seconds', 'Since a heartbeat was last answered. Absent: none was.', age),
      counter('heartbeats_total', 'Heartbeats, by what came of them.', by('result', heartbeats)),
      gauge('config_revision', 'The revision in effect, by section.', revisions),
    ];
  }

  #dataPlane({ links, rx_bytes, tx_bytes, relays, denied, certificate_ends_ms: ends }: HealthSnapshot): string[] {
    const ages = handshakeAges(links, this.#now());
    const left = ends === null ? [] : [alone((ends - this.#now()) / 1000)];
    const trips = relays.map(({ name, rtt_ms }): Sample => [{ relay: name }, rtt_ms / 1000]);
    return [
      gauge('peers', 'Peers, by the way that packets take to them.', by('path', countByPath(links))),
      gauge(
        'peer_handshake_age_seconds',
        'Since the last handshake: the middle one of all peers, and the oldest.',
        ages,
      ),
      counter('rx_bytes_total', 'Received through the mesh.', [alone(rx_bytes)]),
      counter('tx_bytes_total', 'Sent through the mesh.', [alone(tx_bytes)]),
      gauge('relay_rtt_seconds', 'Round trip to a relay.', trips),
      counter('acl_denied_total', 'Packets that the policy turned away.', by('place', denied)),
      gauge('certificate_expiry_seconds', 'Until the certificate of the node expires. Absent: it has none.', left),
    ];
  }

  #upkeep(): string[] {
    const errors = by('subsystem', Object.fromEntries(this.#errors));
    const repairs = by('section', Object.fromEntries(this.#repairs));
    const rollbacks = by('part', Object.fromEntries(this.#rollbacks));
    return [
      this.#seconds.text(),
      counter('reconcile_errors_total', 'Attempts to make an engine what it should be that failed.', errors),
      counter('rollbacks_total', 'Changes that were rolled back, because no heartbeat was answered.', rollbacks),
      counter('repairs_total', 'Changes by other programs on the host that were put back.', repairs),
    ];
  }
}

const gauge = (name: string, help: string, samples: readonly Sample[]) =>
  family(`mesh_node_${name}`, 'gauge', help, samples);
const counter = (name: string, help: string, samples: readonly Sample[]) =>
  family(`mesh_node_${name}`, 'counter', help, samples);

function alone(value: number): Sample {
  return [{}, value];
}

function by(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([key, value]): [Labels, number] => [{ [label]: key }, value]);
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function handshakeAges(links: HealthSnapshot['links'], now: number): Sample[] {
  const ages = links
    .flatMap(({ handshake_at }) => (handshake_at ? [Math.max(0, now - Date.parse(handshake_at)) / 1000] : []))
    .sort((a, b) => a - b);
  const [middle, oldest] = [ages[Math.floor((ages.length - 1) / 2)], ages.at(-1)];
  if (middle === undefined || oldest === undefined) return [];
  return [
    [{ which: 'median' }, middle],
    [{ which: 'oldest' }, oldest],
  ];
}
