import { covers, type IngressRates } from '@meshwork/contract';
import { pageById } from '@meshwork/service';
import type { Stored } from '../../../mesh/model.ts';
import type { Call, Reply } from '../../handler.ts';
import { gatewaysOf, problemOfAll, type TrafficSources } from './missing-traffic.ts';
import { STEP_MS } from './traffic-history.ts';
import { errorsIn, requestsIn, rounded } from './traffic-sample.ts';
import { type TrafficWindow, windowOf } from './traffic-window.ts';

export function listRates(sources: TrafficSources, call: Call<'ingress.rates'>): Reply<'ingress.rates'> {
  const { model } = sources.mesh;
  const window = windowOf(call.now_ms, call.query.minutes);
  const body = pageById('ingress.rates', call.query, {
    walk: (after) => model.after('ingress', after),
    keep: (ingress: Stored<'ingress'>) => covers(call.actor.scope, ingress.body.scope),
    show: (ingress) => ratesOfIngress(sources, ingress, window),
  });
  return { body };
}

function ratesOfIngress(sources: TrafficSources, ingress: Stored<'ingress'>, window: TrafficWindow): IngressRates {
  const { first, last, from_ms, now_ms, seconds } = window;
  const points = Array.from({ length: last - first + 1 }, () => ({ requests: 0, errors: 0 }));
  const gateways = gatewaysOf(sources, ingress, window);
  for (const { node } of gateways) {
    for (const [step, , sample] of sources.history.of(node, ingress.id, first)) {
      const point = points[step - first];
      if (point === undefined) continue;
      point.requests += requestsIn(sample);
      point.errors += errorsIn(sample);
    }
  }
  const requests = points.reduce((sum, point) => sum + point.requests, 0);
  return {
    ingress: ingress.id,
    from: new Date(from_ms).toISOString(),
    to: new Date(now_ms).toISOString(),
    requests: Math.round(requests),
    errors: Math.round(points.reduce((sum, { errors }) => sum + errors, 0)),
    per_s: rounded(requests / seconds),
    step_s: STEP_MS / 1000,
    points: points.map((point) => ({ requests: Math.round(point.requests), errors: Math.round(point.errors) })),
    problem: problemOfAll(ingress, gateways),
  };
}
