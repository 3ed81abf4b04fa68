import { type IdPrefix, isId, MAX_LIMIT } from '@meshwork/contract';
import { InvalidArgumentError } from 'commander';
import { parseAmount } from './amount.ts';
import { parseDuration } from './duration.ts';

/** Readers for arguments and options: what they refuse is wrong usage, and never reaches a coordinator. */

/** For things that are known by their id alone. `listing` is the command that shows their ids. */
export function idOf(prefix: IdPrefix, listing = `mesh ${prefix} list`): (text: string) => string {
  return (text) => {
    if (isId(prefix, text)) return text;
    const example = `${prefix}_01jcqv5s3ee3xv9k7d0w8m2b4n`;
    throw new InvalidArgumentError(`An id looks like ${example}; \`${listing}\` shows them.`);
  };
}

export function pageLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new InvalidArgumentError(`Give a number from 1 to ${MAX_LIMIT}.`);
}

export function seconds(text: string): number {
  const duration = parseDuration(text);
  if (duration !== undefined) return duration / 1000;
  throw new InvalidArgumentError('Give a duration such as 1h, 30m or 0.');
}

export function bytes(text: string): number {
  const amount = parseAmount(text);
  if (amount !== undefined) return amount;
  throw new InvalidArgumentError('Give an amount such as 50MB, 1GiB or a number of bytes.');
}

/** How long to wait: seconds, or a duration with its unit. */
export function waitSeconds(text: string): number {
  const duration = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : parseDuration(text);
  if (duration !== undefined) return duration / 1000;
  throw new InvalidArgumentError('Give seconds, or a duration such as 5m. Without either it must come last.');
}

export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number.');
}
