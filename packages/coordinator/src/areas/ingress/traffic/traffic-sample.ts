import type { TrafficCount, TrafficRates } from '@meshwork/contract';
import { COUNTED_STATUSES, STATUS_CLASSES, TIME_BOUNDS_S } from '@meshwork/contract';

/** The numbers of a `TrafficCount`, one behind the other. */
export type Sample = Float64Array;

const TIMES = STATUS_CLASSES.length;
const STATUSES = TIMES + TIME_BOUNDS_S.length + 1;
const BYTES_IN = STATUSES + COUNTED_STATUSES.length;
const STATUS_PLACES: ReadonlyMap<number, number> = new Map(COUNTED_STATUSES.map((status, place) => [status, place]));
const LENGTH = BYTES_IN + 4;

export function emptySample(): Sample {
  return new Float64Array(LENGTH);
}

function sampleOf({
  classes,
  times,
  statuses,
  bytes_in,
  bytes_out,
  upstream_requests,
  upstream_ms,
}: TrafficCount): Sample {
  const sample = emptySample();
  sample.set(classes.slice(0, TIMES), 0);
  sample.set(times.slice(0, STATUSES - TIMES), TIMES);
  for (const { status, count } of statuses) {
    const place = STATUS_PLACES.get(status) ?? -1;
    if (place !== -1) sample[STATUSES + place] = count;
  }
  sample.set([bytes_in, bytes_out, upstream_requests, upstream_ms], BYTES_IN);
  return sample;
}

/** What came between two counts of one epoch. Undefined: nothing, or they are out of order. */
export function differenceOf(before: TrafficCount | undefined, after: TrafficCount): Sample | undefined {
  const came = sampleOf(after);
  if (before !== undefined) {
    const known = sampleOf(before);
    for (let place = 0; place < LENGTH; place++) came[place] = (came[place] ?? 0) - (known[place] ?? 0);
  }
  return came.some((one) => one < 0) || !came.some((one) => one > 0) ? undefined : came;
}

export function addTo(sample: Sample, more: Sample): void {
  for (let place = 0; place < LENGTH; place++) sample[place] = (sample[place] ?? 0) + (more[place] ?? 0);
}

export function scaled(sample: Sample, share: number): Sample {
  return sample.map((one) => one * share);
}

export function requestsIn(sample: Sample): number {
  return sample.subarray(0, TIMES).reduce((sum, one) => sum + one, 0);
}

export function errorsIn(sample: Sample): number {
  return sample[STATUS_CLASSES.indexOf('5xx')] ?? 0;
}

export function classesOf(sample: Sample): TrafficRates['classes'] {
  const classes = STATUS_CLASSES.map((name, place) => [name, Math.round(sample[place] ?? 0)]);
  return Object.fromEntries(classes) as TrafficRates['classes'];
}

export function ratesOf(sample: Sample, window_s: number): TrafficRates {
  const [bytes_in = 0, bytes_out = 0, asked = 0, took_ms = 0] = sample.subarray(BYTES_IN);
  const requests = requestsIn(sample);
  const times = sample.subarray(TIMES, STATUSES);
  return {
    requests: Math.round(requests),
    per_s: rounded(requests / window_s),
    classes: classesOf(sample),
    statuses: COUNTED_STATUSES.flatMap((status, place) => {
      const count = Math.round(sample[STATUSES + place] ?? 0);
      return count === 0 ? [] : [{ status, requests: count }];
    }),
    p50_ms: quantile(times, 0.5),
    p95_ms: quantile(times, 0.95),
    p99_ms: quantile(times, 0.99),
    upstream_ms: asked === 0 ? null : rounded(took_ms / asked),
    bytes_in: Math.round(bytes_in),
    bytes_out: Math.round(bytes_out),
  };
}

/** Between the bounds of the bucket in proportion, as Prometheus does. What took longer than the last bound took at least that. */
function quantile(times: Sample, of: number): number | null {
  const all = times.reduce((sum, one) => sum + one, 0);
  if (all <= 0) return null;
  let left = all * of;
  for (const [place, count] of times.entries()) {
    const upper = TIME_BOUNDS_S[place];
    if (upper === undefined) break;
    if (count >= left && count > 0) {
      const lower = TIME_BOUNDS_S[place - 1] ?? 0;
      return rounded((lower + ((upper - lower) * left) / count) * 1000);
    }
    left -= count;
  }
  return (TIME_BOUNDS_S.at(-1) ?? 0) * 1000;
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
