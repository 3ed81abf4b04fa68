import { invalid } from './errors.ts';
import { type TSchema, Type } from './type.ts';

export const MAX_LIMIT = 200;
export const DEFAULT_LIMIT = 50;

/** The query parameters every list takes. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT, description: 'Items on a page at most.' }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: 'Where the page before ended: its `next_cursor`.' }),
  ),
};

/** A page may be short, or even empty, and still have a `next_cursor`; only `null` says that the list is at its end. */
export function Page<S extends TSchema>(item: S) {
  return Type.Object(
    {
      items: Type.Array(item, { description: 'The page itself.' }),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'What to give as `cursor` for the next page. Null: the list ends here.',
      }),
    },
    { additionalProperties: false },
  );
}

/** Which list it is a cursor of, and the last item seen there. */
type Position = readonly [list: string, last: string | number];

/** Cursors name the last item seen, not a distance, so they stay right while others come and go. */
export function encodeCursor(list: string, last: string | number): string {
  return toBase64Url(JSON.stringify([list, last] satisfies Position));
}

export function decodeCursor<T extends 'string' | 'number'>(
  list: string,
  cursor: string,
  type: T,
): T extends 'string' ? string : number {
  const position = parsePosition(cursor);
  if (position === undefined || position[0] !== list || typeof position[1] !== type) {
    throw invalid('query/cursor', 'is not a cursor of this list; use the next_cursor of an earlier page as it is');
  }
  return position[1] as T extends 'string' ? string : number;
}

function parsePosition(cursor: string): Position | undefined {
  try {
    const parsed: unknown = JSON.parse(fromBase64Url(cursor));
    if (!Array.isArray(parsed) || parsed.length !== 2) return undefined;
    const [list, last]: readonly unknown[] = parsed;
    if (typeof list !== 'string') return undefined;
    // JSON reads 1e999 as Infinity, which no list ever gave out.
    return typeof last === 'string' || Number.isFinite(last) ? [list, last as string | number] : undefined;
  } catch {
    return undefined; // not ours: the caller says so
  }
}

/** By way of UTF-8, because `btoa` alone throws on the first letter beyond Latin-1, and names may have such. */
function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (byte) => byte.charCodeAt(0)));
}
