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

/** Which of the further media types an operation offers the caller asked for. Undefined: the usual one will do. */
export function wantedType(
  accept: string | undefined,
  offered: readonly string[],
  usual = 'application/json',
): string | undefined {
  if (accept === undefined || offered.length === 0) return undefined;
  const matchUsual = [usual, 'application/*', '*/*'];
  const asked = accept
    .split(',')
    .map((part) => ({ type: part.split(';', 1)[0]?.trim().toLowerCase() ?? '', weight: weightOf(part) }))
    .filter(({ type, weight }) => weight > 0 && (offered.includes(type) || matchUsual.includes(type)))
    .sort((a, b) => b.weight - a.weight); // the first of equal weights
  const best = asked[0]?.type;
  return best === undefined || matchUsual.includes(best) ? undefined : best;
}

/** 0: named in order to be refused. */
function weightOf(part: string): number {
  const [, text] = /;\s*q=([01](?:\.\d{0,3})?)\s*(?:;|$)/i.exec(part) ?? [];
  return text === undefined ? 1 : Number(text);
}
