import type { TrafficCount } from '@meshwork/contract';
import { STATUS_CLASSES, TIME_BOUNDS_S } from '@meshwork/contract/vocabulary';
import { buckets, family, type Labels, type Sample } from './exposition.ts';

/** Requests to ingresses, as the gateway counts them: a series for a route of the record, never for a path that a client asked for. */
export function ingressMetrics(requests: readonly TrafficCount[]): string[] {
  const byClass = requests.flatMap((count) =>
    STATUS_CLASSES.map((name, place): Sample => [{ ...labelsOf(count), class: name }, count.classes[place] ?? 0]),
  );
  const bytes = (of: 'bytes_in' | 'bytes_out') => requests.map((count): Sample => [labelsOf(count), count[of]]);
  return [
    counter('requests_total', 'Requests that were answered, by ingress, route and class of the status.', byClass),
    counter('rx_bytes_total', 'Received from clients of ingresses.', bytes('bytes_in')),
    counter('tx_bytes_total', 'Sent to clients of ingresses.', bytes('bytes_out')),
    buckets(
      'mesh_node_ingress_request_seconds',
      'Time from the first byte of a request to the last of its answer.',
      TIME_BOUNDS_S,
      requests.map((count) => [labelsOf(count), count.times] as const),
    ),
  ];
}

const counter = (name: string, help: string, samples: readonly Sample[]) =>
  family(`mesh_node_ingress_${name}`, 'counter', help, samples);

/** What has no route has an empty one. */
function labelsOf({ ingress, route }: TrafficCount): Labels {
  return { ingress, route: route ?? '' };
}
