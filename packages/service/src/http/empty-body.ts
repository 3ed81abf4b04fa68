import { DEFAULT_BODY_LIMIT, type HttpOperation, MeshError } from '@meshwork/contract';

/** Enough for `{}` with some blanks. */
const EMPTY_BYTES = 64;

type Row = Pick<HttpOperation, 'method' | 'path' | 'body' | 'body_limit'>;

/** What a request may have as a body at most, in bytes. */
export function bodyLimitOf({ body, body_limit }: Row): number {
  return body === undefined ? EMPTY_BYTES : (body_limit ?? DEFAULT_BODY_LIMIT);
}

/**
 * Refuses a body, unread, where the operation takes none. Some clients send `{}` instead of nothing, so a body that small is read, and
 * `validation.ts` checks that it is empty.
 */
export function ensureNoBody(operation: Row, headers: Readonly<Record<string, string | string[] | undefined>>): void {
  if (operation.body !== undefined) return;
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if ((length === undefined || length === '0') && encoding === undefined) return;
  if (operation.method !== 'GET' && Number(length ?? 0) <= EMPTY_BYTES) return;
  throw unexpectedBody(operation);
}

export function unexpectedBody({ method, path }: Pick<HttpOperation, 'method' | 'path'>): MeshError {
  return new MeshError('unexpected_body', `${method} ${path} takes no body.`);
}
