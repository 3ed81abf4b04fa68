import { isId, MAX_LIMIT, type TokenId } from '@meshwork/contract';
import { InvalidArgumentError } from 'commander';
import { parseDuration } from './duration.ts';

/** Readers for arguments and options: what they refuse is wrong usage, and never reaches a coordinator. */

export function tokenId(text: string): TokenId {
  if (isId('token', text)) return text;
  throw new InvalidArgumentError('An id looks like token_01jcqv5s3ee3xv9k7d0w8m2b4n; `mesh token list` shows them.');
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
