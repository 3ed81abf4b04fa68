/** What is missing of the requests of an ingress, and why: gateway by gateway. */
import type { IngressTraffic, NodeId } from '@meshwork/contract';
import { hasFeature } from '../../../mesh/abilities.ts';
import type { Mesh } from '../../../mesh/mesh.ts';
import type { Stored } from '../../../mesh/model.ts';
import { isFresh, nodeState } from '../../../mesh/node-state.ts';
import { wholeIngress } from '../../../mesh/whole-ingress.ts';
import type { NodeStatuses } from '../../../node-status/node-statuses.ts';
import type { TrafficHistory } from './traffic-history.ts';
import type { TrafficWindow } from './traffic-window.ts';

export interface TrafficSources {
  readonly mesh: Mesh;
  readonly statuses: NodeStatuses;
  readonly history: TrafficHistory;
}

type Gateway = IngressTraffic['gateways'][number];

/** Ours: gateways report every few seconds. */
const OVERDUE_MS = 60_000;

export function gatewaysOf(sources: TrafficSources, ingress: Stored<'ingress'>, window: TrafficWindow): Gateway[] {
  const { mesh, history } = sources;
  const at = (ms: number) => new Date(ms).toISOString();
  return (mesh.model.get('placement', ingress.id)?.body.gateways ?? []).flatMap(({ node: id }) => {
    const node = mesh.model.get('node', id);
    if (node === undefined) return [];
    const source = history.source(id);
    return {
      node: id,
      name: node.body.name,
      since: source === undefined ? null : at(Math.max(source.since_ms, window.from_ms)),
      reported_at: source === undefined ? null : at(source.reported_ms),
      problem: whyNotCounted(ingress) ?? whyMissing(sources, node, window),
    };
  });
}

/** Why none of its requests are counted anywhere. */
function whyNotCounted({ body }: Stored<'ingress'>): string | null {
  const { kind, counted } = wholeIngress(body);
  if (kind !== 'http') return 'Only requests of the kind http are counted.';
  return counted ? null : 'Its requests are not counted: `counted` is false.';
}

function whyMissing({ mesh, statuses, history }: TrafficSources, node: Stored<'node'>, window: TrafficWindow) {
  const id = node.id as NodeId;
  if (!hasFeature(mesh.model, id, 'traffic_counts')) return 'Its agent is too old to count requests.';
  if (!isFresh(mesh.model, id)) return `The node is ${nodeState(mesh.model, node)}.`;
  const source = history.source(id);
  const elsewhere_ms = statuses.of(id).elsewhere_ms ?? 0;
  if (elsewhere_ms > (source?.reported_ms ?? 0)) return 'It reports to another coordinator now, which knows more.';
  if (source === undefined) return 'It has not reported counts to this coordinator.';
  if (window.now_ms - source.reported_ms > OVERDUE_MS) return 'It has reported no counts for a minute.';
  return source.since_ms > window.from_ms ? 'Requests before `since` are not known here.' : null;
}

/** In one line, for all of its gateways. Null: nothing is missing. */
export function problemOfAll(ingress: Stored<'ingress'>, gateways: readonly Gateway[]): string | null {
  const of_all = whyNotCounted(ingress);
  if (of_all !== null) return of_all;
  if (gateways.length === 0) return 'It has no gateway.';
  const texts = new Map<string, string[]>();
  for (const { name, problem, since } of gateways) {
    if (problem === null) continue;
    const text = problem.replace('`since`', since ?? 'now');
    texts.set(text, [...(texts.get(text) ?? []), name]);
  }
  return texts.size === 0 ? null : Array.from(texts, ([text, names]) => `${names.join(', ')}: ${text}`).join(' ');
}
