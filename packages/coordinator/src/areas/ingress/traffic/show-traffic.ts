import type { IngressTraffic } from '@meshwork/contract';
import type { Call, Reply } from '../../handler.ts';
import { findIngress } from '../find-ingress.ts';
import { gatewaysOf, type TrafficSources } from './missing-traffic.ts';
import { STEP_MS } from './traffic-history.ts';
import { addTo, classesOf, emptySample, errorsIn, ratesOf, requestsIn, type Sample } from './traffic-sample.ts';
import { windowOf } from './traffic-window.ts';

export function showTraffic(sources: TrafficSources, call: Call<'ingress.traffic'>): Reply<'ingress.traffic'> {
  const ingress = findIngress(sources.mesh.model, call.params.id, call.actor);
  const window = windowOf(call.now_ms, call.query.minutes);
  const { first, last, from_ms, seconds } = window;
  const steps = new Map<number, Sample>();
  const routes = new Map<string, Sample>();
  const total = emptySample();
  const gateways = gatewaysOf(sources, ingress, window);
  for (const { node } of gateways) {
    for (const [step, route, sample] of sources.history.of(node, ingress.id, first)) {
      addTo(sumIn(steps, step), sample);
      addTo(sumIn(routes, route), sample);
      addTo(total, sample);
    }
  }
  const body: IngressTraffic = {
    ingress: ingress.id,
    from: new Date(from_ms).toISOString(),
    to: new Date(call.now_ms).toISOString(),
    gateways,
    total: ratesOf(total, seconds),
    routes: [...routes]
      .sort(([, a], [, b]) => requestsIn(b) - requestsIn(a))
      .map(([route, sample]) => ({ route: route === '' ? null : route, traffic: ratesOf(sample, seconds) })),
    step_s: STEP_MS / 1000,
    points: Array.from({ length: last - first + 1 }, (_, index) => {
      const sample = steps.get(first + index) ?? emptySample();
      return {
        at: new Date((first + index) * STEP_MS).toISOString(),
        requests: Math.round(requestsIn(sample)),
        errors: Math.round(errorsIn(sample)),
        classes: classesOf(sample),
      };
    }),
  };
  return { body };
}

function sumIn<Key>(sums: Map<Key, Sample>, key: Key): Sample {
  const sum = sums.get(key) ?? emptySample();
  sums.set(key, sum);
  return sum;
}
