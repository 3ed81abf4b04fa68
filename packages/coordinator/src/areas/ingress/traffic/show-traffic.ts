import type { IngressTraffic, NodeId } from '@meshwork/contract';
import { hasFeature } from '../../../mesh/abilities.ts';
import type { Mesh } from '../../../mesh/mesh.ts';
import type { Stored, View } from '../../../mesh/model.ts';
import { isFresh, nodeState } from '../../../mesh/node-state.ts';
import { wholeIngress } from '../../../mesh/whole-ingress.ts';
import type { NodeStatuses } from '../../../node-status/node-statuses.ts';
import type { Call, Reply } from '../../handler.ts';
import { findIngress } from '../find-ingress.ts';
import { STEP_MS, type TrafficHistory } from './traffic-history.ts';
import { addTo, emptySample, errorsIn, ratesOf, requestsIn, type Sample } from './traffic-sample.ts';

interface Sources {
  readonly mesh: Mesh;
  readonly statuses: NodeStatuses;
  readonly history: TrafficHistory;
}

const USUAL_MINUTES = 5;
/** Ours: gateways report every few seconds. */
const OVERDUE_MS = 60_000;

export function showTraffic(sources: Sources, call: Call<'ingress.traffic'>): Reply<'ingress.traffic'> {
  const { model } = sources.mesh;
  const ingress = findIngress(model, call.params.id, call.actor);
  const { minutes = USUAL_MINUTES } = call.query;
  const last = Math.floor(call.now_ms / STEP_MS);
  const first = last - (minutes * 60_000) / STEP_MS + 1;
  const from_ms = first * STEP_MS;
  const window_s = (call.now_ms - from_ms) / 1000;
  const steps = new Map<number, Sample>();
  const routes = new Map<string, Sample>();
  const total = emptySample();
  const gateways = (model.get('placement', ingress.id)?.body.gateways ?? []).map(({ node }) => node);
  for (const node of gateways) {
    for (const [step, route, sample] of sources.history.of(node, ingress.id, first)) {
      for (const [sums, key] of [
        [steps as Map<number | string, Sample>, step],
        [routes as Map<number | string, Sample>, route],
      ] as const) {
        const sum = sums.get(key) ?? emptySample();
        sums.set(key, sum);
        addTo(sum, sample);
      }
      addTo(total, sample);
    }
  }
  const body: IngressTraffic = {
    ingress: ingress.id,
    from: new Date(from_ms).toISOString(),
    to: new Date(call.now_ms).toISOString(),
    gateways: gateways.flatMap((id) => gatewayOf(sources, { ingress, id, from_ms, now_ms: call.now_ms })),
    total: ratesOf(total, window_s),
    routes: [...routes]
      .sort(([, a], [, b]) => requestsIn(b) - requestsIn(a))
      .map(([route, sample]) => ({ route: route === '' ? null : route, traffic: ratesOf(sample, window_s) })),
    step_s: STEP_MS / 1000,
    points: Array.from({ length: last - first + 1 }, (_, index) => {
      const sample = steps.get(first + index) ?? emptySample();
      const at = new Date((first + index) * STEP_MS).toISOString();
      return { at, requests: Math.round(requestsIn(sample)), errors: Math.round(errorsIn(sample)) };
    }),
  };
  return { body };
}

interface Asked {
  readonly ingress: Stored<'ingress'>;
  readonly id: NodeId;
  readonly from_ms: number;
  readonly now_ms: number;
}

function gatewayOf({ mesh, statuses, history }: Sources, asked: Asked): IngressTraffic['gateways'] {
  const { id, from_ms } = asked;
  const node = mesh.model.get('node', id);
  if (node === undefined) return [];
  const source = history.source(id);
  const at = (ms: number) => new Date(ms).toISOString();
  return [
    {
      node: id,
      name: node.body.name,
      since: source === undefined ? null : at(Math.max(source.since_ms, from_ms)),
      reported_at: source === undefined ? null : at(source.reported_ms),
      problem: problemOf(mesh.model, node, { ...asked, statuses, history }),
    },
  ];
}

/** What is missing of a gateway, and why. */
function problemOf(
  view: View,
  node: Stored<'node'>,
  { ingress, id, from_ms, now_ms, statuses, history }: Asked & Omit<Sources, 'mesh'>,
): string | null {
  if (wholeIngress(ingress.body).kind !== 'http') return 'Only requests of the kind http are counted.';
  if (!hasFeature(view, id, 'traffic_counts')) return 'Its agent is too old to count requests.';
  if (!isFresh(view, id)) return `The node is ${nodeState(view, node)}.`;
  const source = history.source(id);
  const elsewhere_ms = statuses.of(id).elsewhere_ms ?? 0;
  if (elsewhere_ms > (source?.reported_ms ?? 0)) return 'It reports to another coordinator now, which knows more.';
  if (source === undefined) return 'It has not reported counts to this coordinator.';
  if (now_ms - source.reported_ms > OVERDUE_MS) return 'It has reported no counts for a minute.';
  return source.since_ms > from_ms ? 'Requests before `since` are not known here.' : null;
}
