import { invalid } from '@meshwork/contract';

/** The revision in an If-Match header; undefined when there is none, or `*`, which any version matches. */
export function ifMatchOf(header: string | undefined): number | undefined {
  if (header === undefined || header === '*') return undefined;
  const revision = /^"(\d{1,15})"$/.exec(header)?.[1];
  if (revision === undefined)
    throw invalid('header/if-match', 'must be an ETag as an earlier answer gave it, such as "1184"');
  return Number(revision);
}

export function etagOf(revision: number): string {
  return `"${revision}"`;
}

export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw invalid('header/idempotency-key', 'must be 1 to 255 visible ASCII characters without spaces');
}

/** Which of the further media types an operation offers the caller asked for. */
export function wantedType(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined || offered.length === 0) return undefined;
  return accept
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part)) // named in order to be refused
    .map((part) => part.split(';', 1)[0]?.trim().toLowerCase())
    .find((type) => type !== undefined && offered.includes(type));
}
