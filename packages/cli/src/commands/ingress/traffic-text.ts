/** `mesh ingress traffic`: how much comes to an ingress, and how it goes. */
import type { IngressTraffic, TrafficRates } from '@meshwork/contract';
import { amount } from '../../amount.ts';
import type { Output } from '../../output.ts';
import { fields, table } from '../../table.ts';

const HEADINGS = ['REQUESTS', 'A SECOND', '2XX', '3XX', '4XX', '5XX', 'P50', 'P95', 'P99', 'IN', 'OUT'];

export function trafficText(traffic: IngressTraffic, out: Pick<Output, 'strong'>): string {
  const { from, to, gateways, total, routes } = traffic;
  const strong = (text: string) => out.strong(text);
  const rows = routes.map((one) => [one.route ?? '-', ...cells(one.traffic)]);
  return [
    fields([
      ['from', from],
      ['to', to],
      ['statuses', total.statuses.map(({ status, requests }) => `${status}: ${requests}`).join(', ') || '-'],
      ['services took', total.upstream_ms === null ? '-' : ms(total.upstream_ms)],
    ]),
    table(['ROUTE', ...HEADINGS], [['all', ...cells(total)], ...rows], strong),
    table(
      ['GATEWAY', 'KNOWN SINCE', 'LAST REPORT', 'MISSING'],
      gateways.map(({ name, since, reported_at, problem }) => [name, since ?? '-', reported_at ?? '-', problem ?? '-']),
      strong,
    ),
  ].join('\n\n');
}

function cells({ requests, per_s, classes, p50_ms, p95_ms, p99_ms, bytes_in, bytes_out }: TrafficRates): string[] {
  const counts = [requests, per_s, classes['2xx'], classes['3xx'], classes['4xx'], classes['5xx']].map(String);
  return [...counts, ...[p50_ms, p95_ms, p99_ms].map(ms), amount(bytes_in), amount(bytes_out)];
}

function ms(value: number | null): string {
  return value === null ? '-' : `${value} ms`;
}
