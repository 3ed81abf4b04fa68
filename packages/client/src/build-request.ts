import { JSONC_TYPE } from '@meshwork/contract/vocabulary';
import { isRepeatable, type WireOperation } from '@meshwork/contract/wire';
import { below } from './base-url.ts';
import type { AnyRequest } from './requests.ts';

export interface Caller {
  readonly base: URL;
  readonly token: string | undefined;
  readonly user_agent: string;
}

export interface BuiltRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/**
 * The exact request that every attempt sends: its idempotency key too stays the same. `accept` is the media type that is
 * wanted; absent: the one that the operation answers with by itself.
 */
export function buildRequest(
  caller: Caller,
  operation: WireOperation,
  request: AnyRequest,
  accept = operation.answer ?? 'application/json',
): BuiltRequest {
  const url = below(caller.base, fillPath(operation.path, request.params ?? {}));
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.append(name, String(value));
  }
  const headers: Record<string, string> = {
    accept,
    'user-agent': caller.user_agent,
  };
  if (caller.token !== undefined) headers.authorization = `Bearer ${caller.token}`;
  const body = bodyOf(operation, request);
  if (body !== undefined) headers['content-type'] = body.type;
  if (isRepeatable(operation)) headers['idempotency-key'] = request.idempotency_key ?? crypto.randomUUID();
  if (request.if_match !== undefined) headers['if-match'] = request.if_match;
  return { method: operation.method, url, headers, body: body?.text };
}

/** Text is sent unchanged: the server reports problems by line and column. */
function bodyOf(operation: WireOperation, { body }: AnyRequest): { type: string; text: string } | undefined {
  if (operation.body === undefined) return undefined;
  if (operation.body === 'json') return { type: 'application/json', text: JSON.stringify(body) };
  if (typeof body !== 'string') throw new TypeError(`${operation.path} takes its body as text`);
  return { type: JSONC_TYPE, text: body };
}

function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // A URL swallows these even when they are percent-encoded, and the request would reach another operation.
    if (value === undefined || value === '' || value === '.' || value === '..') {
      throw new TypeError(`params.${name} cannot be ${value === undefined ? 'absent' : JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
  });
}

/** What RFC 6750 allows. Checked early, because the platform's own complaint about a header repeats its value. */
export function checkToken(token: string): void {
  if (!/^[\w.~+/=-]+$/.test(token)) {
    throw new TypeError('the token has characters that no token has; was more than the token copied?');
  }
}
