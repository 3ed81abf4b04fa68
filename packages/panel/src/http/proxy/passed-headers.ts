/** The headers that the panel forwards in either direction. It drops all others. */
import type { IncomingHttpHeaders } from 'node:http';
import { proxiedPath } from '@meshwork/contract';

const ASKED = ['accept', 'content-type', 'idempotency-key', 'if-match', 'last-event-id'] as const;
const ANSWERED = [
  'allow',
  'content-type',
  'content-length',
  'etag',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  // The coordinator's own: its log and its audit trail have the request under this id.
  'x-request-id',
  'x-accel-buffering',
] as const;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Neither the browser's cookies nor its credentials: the delegation authenticates the request. */
export function askedHeaders(headers: IncomingHttpHeaders, secret: string): Record<string, string> {
  return { ...only(ASKED, headers), authorization: `Bearer ${secret}`, 'user-agent': 'meshwork-panel' };
}

export function answeredHeaders(headers: Headers): Record<string, string> {
  const location = typeof headers.location === 'string' ? proxiedPath(headers.location) : undefined;
  return { ...only(ANSWERED, headers), ...(location === undefined ? {} : { location }) };
}

function only(names: readonly string[], headers: Headers): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  return passed;
}
