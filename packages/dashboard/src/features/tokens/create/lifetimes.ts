/** How long a token is made for. */
import { utc } from '@meshwork/contract/vocabulary';

const DAY_S = 24 * 3600;

export interface Lifetime {
  readonly value: string;
  readonly label: string;
  readonly seconds: number;
}

const LIFETIMES: readonly Lifetime[] = [
  { value: '1h', label: '1 hour', seconds: 3600 },
  { value: '1d', label: '1 day', seconds: DAY_S },
  { value: '7d', label: '7 days', seconds: 7 * DAY_S },
  { value: '30d', label: '30 days', seconds: 30 * DAY_S },
  { value: '90d', label: '90 days', seconds: 90 * DAY_S },
  { value: '180d', label: '180 days', seconds: 180 * DAY_S },
  { value: '365d', label: '1 year', seconds: 365 * DAY_S },
];

/** Those that the settings allow. Undefined: the person has no permission to read them, and the coordinator refuses what is too long. */
export function lifetimesWithin(max_days: number | undefined): readonly Lifetime[] {
  const allowed = LIFETIMES.filter(({ seconds }) => max_days === undefined || seconds <= max_days * DAY_S);
  return allowed.length === 0 ? LIFETIMES.slice(0, 1) : allowed;
}

/** The wanted one, else the longest that is allowed and shorter. */
export function closestLifetime(wanted: string, allowed: readonly Lifetime[]): string {
  return allowed.some(({ value }) => value === wanted) ? wanted : (allowed.at(-1)?.value ?? wanted);
}

export function expiryOf(lifetime: string, now_ms: number): string {
  const seconds = LIFETIMES.find(({ value }) => value === lifetime)?.seconds ?? DAY_S;
  return utc(now_ms + seconds * 1000);
}
