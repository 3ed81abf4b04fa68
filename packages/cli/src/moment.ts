import { utc } from '@meshwork/contract';
import { InvalidArgumentError } from 'commander';
import { parseDuration } from './duration.ts';

const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2}))?$/;

/**
 * A moment as people write it: a timestamp with its zone, a day (its start in UTC), or a duration from now, which lies
 * ahead for what will end and back for what to look at.
 */
export function moment(direction: 'ahead' | 'back', now: () => number = Date.now): (text: string) => string {
  return (text) => {
    const duration = parseDuration(text);
    if (duration !== undefined) return utc(now() + (direction === 'ahead' ? duration : -duration));
    const at = parseTimestamp(text);
    if (at !== undefined) return utc(at);
    throw new InvalidArgumentError('Give a timestamp such as 2027-01-31T00:00:00Z, or a duration such as 30d or 12h.');
  };
}

function parseTimestamp(text: string): number | undefined {
  const match = TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const [, year, month, day] = match.map(Number);
  // The platform takes 30 February for 2 March.
  const lastDay = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
  const at = Date.parse(text.toUpperCase().replace(' ', 'T'));
  return Number.isNaN(at) || (day ?? 0) > lastDay ? undefined : at;
}
