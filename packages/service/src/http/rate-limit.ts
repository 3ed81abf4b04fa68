import { groupsOf } from '@meshwork/addresses';
import { MeshError } from '@meshwork/contract';
import type { Clock } from '@meshwork/time';

interface Bucket {
  /** In thousandths of a request: whole milliseconds times a whole rate add up exactly, so a refill is due to the millisecond. */
  left: number;
  at: number;
  rate: Rate;
}

export interface Rate {
  readonly rate_per_s: number;
  readonly burst: number;
}

/** Says in the fields of the RateLimit draft (draft-ietf-httpapi-ratelimit-headers) what the limit is. */
export class RateLimited extends MeshError {
  /** Names and values in turn. */
  readonly headers: readonly string[];

  constructor(rate: Rate, retry_after_s: number) {
    const allowed = `${rate.rate_per_s} ${rate.rate_per_s === 1 ? 'request' : 'requests'} a second, ${rate.burst} at once`;
    super('rate_limited', `More than ${allowed}. Try again in ${retry_after_s} s.`, { retry_after_s });
    const window_s = Math.max(1, Math.ceil(rate.burst / rate.rate_per_s));
    this.headers = [
      'ratelimit-policy',
      `"caller";q=${rate.burst};w=${window_s}`,
      'ratelimit',
      `"caller";r=0;t=${retry_after_s}`,
    ];
  }
}

const SWEEP_ABOVE = 10_000;
const ONE = 1000;

/** A token bucket for each key: `burst` at once, `rate_per_s` for long. In memory, so each coordinator counts its own. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();
  #sweepAbove = SWEEP_ABOVE;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes one from the key's bucket, or throws `rate_limited` with the time to wait. */
  take(key: string, rate: Rate): void {
    const now = this.#clock.monotonic();
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      if (this.#buckets.size >= this.#sweepAbove) this.#sweep(now);
      bucket = { left: rate.burst * ONE, at: now, rate };
      this.#buckets.set(key, bucket);
    }
    bucket.rate = rate;
    bucket.left = leftAt(bucket, now);
    bucket.at = now;
    if (bucket.left < ONE) {
      throw new RateLimited(rate, Math.max(1, Math.ceil((ONE - bucket.left) / ONE / rate.rate_per_s)));
    }
    bucket.left -= ONE;
  }

  /** A full bucket is equal to none. */
  #sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (leftAt(bucket, now) >= bucket.rate.burst * ONE) this.#buckets.delete(key);
    }
    // When many are really busy, look again only after as many more came, or each new one would cost a walk.
    this.#sweepAbove = Math.max(SWEEP_ABOVE, this.#buckets.size * 2);
  }
}

function leftAt({ left, at, rate }: Bucket, now: number): number {
  return Math.min(rate.burst * ONE, left + Math.max(0, now - at) * rate.rate_per_s);
}

/** What an address is counted by: a host in an IPv6 /64 can choose the rest of its address at will. */
export function addressPrefixOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [withoutZone = ''] = address.split('%');
  const groups = groupsOf(withoutZone)?.slice(0, 4);
  return groups?.map((group) => group.toString(16)).join(':') ?? address;
}
