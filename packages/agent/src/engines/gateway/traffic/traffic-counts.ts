import { randomBytes } from 'node:crypto';
import type { TrafficCount, TrafficObserved } from '@meshwork/contract';
import { COUNTED_STATUSES, MAX_TRAFFIC_COUNTS, STATUS_CLASSES, TIME_BOUNDS_S } from '@meshwork/contract/vocabulary';
import type { CountedRequest } from './read-line.ts';

const OTHER = STATUS_CLASSES.length - 1;

/** As it is kept over a restart of the agent. */
export interface KeptCounts {
  readonly epoch: string;
  readonly since: string;
  readonly counts: readonly TrafficCount[];
  /** Ingresses that were counted once in this epoch, and are not any more. */
  readonly gone?: readonly string[];
}

interface Counted {
  readonly ingress: string;
  readonly route: string | null;
  readonly classes: number[];
  readonly statuses: Map<number, number>;
  readonly times: number[];
  bytes_in: number;
  bytes_out: number;
  upstream_requests: number;
  upstream_ms: number;
  /** Requests when it was last reported, and the coordinator had it. Undefined: never. */
  reported: number | undefined;
}

/** Counts requests by route since the beginning of an epoch. When some can be missing, another epoch begins. */
export class TrafficCounts {
  #epoch = '';
  #since = '';
  readonly #counts = new Map<string, Counted>();
  readonly #gone = new Set<string>();

  constructor(now_ms: number) {
    this.restart(now_ms);
  }

  restart(now_ms: number): void {
    this.#epoch = randomBytes(12).toString('base64url');
    this.#since = new Date(now_ms).toISOString();
    this.#counts.clear();
    this.#gone.clear();
  }

  restore({ epoch, since, counts, gone = [] }: KeptCounts): void {
    this.#epoch = epoch;
    this.#since = since;
    this.#counts.clear();
    this.#gone.clear();
    for (const id of gone) this.#gone.add(id);
    for (const { statuses, classes, times, ...rest } of counts) {
      const known = new Map(statuses.map(({ status, count }) => [status, count]));
      const counted = { ...rest, classes: [...classes], times: [...times], statuses: known, reported: undefined };
      this.#counts.set(keyOf(rest), counted);
    }
  }

  /** Answers whether it could be counted: there are only so many routes. */
  add(request: CountedRequest): boolean {
    if (this.#gone.has(request.ingress)) return false;
    const key = keyOf(request);
    let counted = this.#counts.get(key);
    if (counted === undefined) {
      if (this.#counts.size >= MAX_TRAFFIC_COUNTS) return false;
      counted = nothing(request);
      this.#counts.set(key, counted);
    }
    const { status, time, bytes_in, bytes_out, upstream_ms } = request;
    increment(counted.classes, status >= 100 && status < 600 ? Math.floor(status / 100) - 1 : OTHER);
    if (COUNTED_STATUSES.some((one) => one === status)) {
      counted.statuses.set(status, (counted.statuses.get(status) ?? 0) + 1);
    }
    increment(counted.times, time);
    counted.bytes_in += bytes_in;
    counted.bytes_out += bytes_out;
    if (upstream_ms !== undefined) {
      counted.upstream_requests += 1;
      counted.upstream_ms += upstream_ms;
    }
    return true;
  }

  /**
   * Of ingresses that are not counted any more, what is known goes. False: one of them is back. It would begin at zero in the middle of
   * an epoch.
   */
  keepOnly(ingresses: ReadonlySet<string>): boolean {
    for (const [key, { ingress }] of this.#counts) {
      if (ingresses.has(ingress)) continue;
      this.#counts.delete(key);
      this.#gone.add(ingress);
    }
    return this.#gone.size <= MAX_TRAFFIC_COUNTS && this.#gone.isDisjointFrom(ingresses);
  }

  get kept(): KeptCounts {
    const counts = [...this.#counts.values()].map(recordOf);
    return { epoch: this.#epoch, since: this.#since, counts, gone: [...this.#gone] };
  }

  observed(extent: 'changes' | 'everything'): TrafficObserved {
    const all = [...this.#counts.values()];
    const chosen = extent === 'everything' ? all : all.filter((one) => one.reported !== requestsOf(one));
    return { epoch: this.#epoch, since: this.#since, counts: chosen.map(recordOf) };
  }

  reported({ epoch, counts }: TrafficObserved): void {
    if (epoch !== this.#epoch) return;
    for (const count of counts) {
      const known = this.#counts.get(keyOf(count));
      if (known !== undefined) known.reported = requestsOf(count);
    }
  }
}

function keyOf({ ingress, route }: Pick<CountedRequest, 'ingress' | 'route'>): string {
  return `${ingress} ${route ?? ''}`;
}

function nothing({ ingress, route }: CountedRequest): Counted {
  return {
    ingress,
    route,
    classes: STATUS_CLASSES.map(() => 0),
    statuses: new Map(),
    times: Array.from({ length: TIME_BOUNDS_S.length + 1 }, () => 0),
    bytes_in: 0,
    bytes_out: 0,
    upstream_requests: 0,
    upstream_ms: 0,
    reported: undefined,
  };
}

function increment(counts: number[], place: number): void {
  counts[place] = (counts[place] ?? 0) + 1;
}

function recordOf({ reported: _, statuses, classes, times, ...rest }: Counted): TrafficCount {
  return {
    ...rest,
    classes: [...classes],
    times: [...times],
    statuses: Array.from(statuses, ([status, count]) => ({ status, count })),
  };
}

function requestsOf({ classes }: { readonly classes: readonly number[] }): number {
  return classes.reduce((sum, one) => sum + one, 0);
}
