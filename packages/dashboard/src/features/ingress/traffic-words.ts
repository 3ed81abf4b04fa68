/** Rules on traffic in words: what passes through an ingress, or through one of its paths, and how. */
import type { Ingress, Traffic, TrafficChange } from '@meshwork/contract';
import { DEFAULT_TRAFFIC } from '@meshwork/contract/vocabulary';
import { durationText } from '../../ui/durations.ts';
import { sizeText } from '../../ui/sizes.ts';
import { changesBetween } from './changes.ts';

interface TrafficLine {
  readonly label: string;
  readonly text: string;
}

type HeaderRule = Traffic['request_headers'][number];

/** Each rule that is named, in a line. */
export function trafficLines(traffic: TrafficChange): readonly TrafficLine[] {
  const { networks = {}, limits = {}, request_headers, response_headers } = traffic;
  const { max_body_bytes, connect_timeout_s, idle_timeout_s, compress } = traffic;
  return [
    line('Allowed networks', networks.allow, (all) => (all.length === 0 ? 'All' : all.join(', '))),
    line('Denied networks', networks.deny, (all) => (all.length === 0 ? 'None' : all.join(', '))),
    line('Request limit', limits.requests, requestLimitWords),
    line('Connection limit', limits.connections, (most) => (most === null ? 'None' : `${most} per client address`)),
    line('Limits count by', limits.by === 'address' ? undefined : limits.by, () => 'Identity, where one is known'),
    line('Request headers', request_headers, headerWords),
    line('Response headers', response_headers, headerWords),
    line('Largest request body', max_body_bytes, (bytes) => (bytes === null ? 'Any size' : sizeText(bytes))),
    line('Connect timeout', connect_timeout_s, durationText),
    line('Idle timeout', idle_timeout_s, durationText),
    line('Compression', compress, (isOn) => (isOn ? 'On (gzip)' : 'Off')),
  ].flat();
}

function line<Value>(label: string, value: Value | undefined, words: (value: Value) => string): readonly TrafficLine[] {
  return value === undefined ? [] : [{ label, text: words(value) }];
}

function requestLimitWords(limit: Traffic['limits']['requests']): string {
  if (limit === null) return 'None';
  const { rate, burst } = limit;
  const [count = '', unit] = rate.split('/');
  const rates = `${Number(count).toLocaleString('en')} per ${unit === 's' ? 'second' : 'minute'} per client address`;
  return burst === 0 ? rates : `${rates}, ${burst.toLocaleString('en')} more in a burst`;
}

function headerWords(rules: readonly HeaderRule[]): string {
  if (rules.length === 0) return 'Unchanged';
  return rules
    .map(({ name, value }) => (value === null ? `remove ${name}` : `set ${name} to “${value}”`))
    .join(', ')
    .replace(/^./, (first) => first.toUpperCase());
}

/** What differs from the defaults, in the record of an ingress. */
function ownTraffic({ traffic }: Pick<Ingress, 'traffic'>): TrafficChange {
  return changesBetween<TrafficChange>(traffic, DEFAULT_TRAFFIC);
}

/** `/` and every path that overrides something, each with its rules. Paths without any are left out. */
export function trafficByPath(ingress: Pick<Ingress, 'traffic' | 'routes'>) {
  return [{ path: '/', traffic: ownTraffic(ingress) }, ...ingress.routes]
    .map(({ path, traffic }) => ({ path, lines: trafficLines(traffic) }))
    .filter(({ lines }) => lines.length > 0);
}
