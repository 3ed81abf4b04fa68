/** How long a certificate of a service is issued for. */
import { span } from '../../../ui/ago.ts';

const DAY_S = 24 * 3600;
/** As long as the settings allow. */
export const LONGEST = 'longest';

const LIFETIMES = [
  { value: '1h', label: '1 hour', seconds: 3600 },
  { value: '1d', label: '1 day', seconds: DAY_S },
  { value: '7d', label: '7 days', seconds: 7 * DAY_S },
  { value: '30d', label: '30 days', seconds: 30 * DAY_S },
  { value: '90d', label: '90 days', seconds: 90 * DAY_S },
  { value: '365d', label: '1 year', seconds: 365 * DAY_S },
] as const;

/** What can be chosen. Undefined: the person may not read the settings, and the coordinator refuses what is too long. */
export function lifetimesWithin(
  max_s: number | undefined,
): readonly { readonly value: string; readonly label: string }[] {
  const shorter = LIFETIMES.filter(({ seconds }) => max_s === undefined || seconds < max_s);
  const longest = {
    value: LONGEST,
    label: max_s === undefined ? 'Longest allowed' : `Longest allowed (${span(max_s)})`,
  };
  return [longest, ...shorter.toReversed().map(({ value, label }) => ({ value, label }))];
}

/** Undefined: as long as the settings allow. */
export function secondsOf(lifetime: string): number | undefined {
  return LIFETIMES.find(({ value }) => value === lifetime)?.seconds;
}
