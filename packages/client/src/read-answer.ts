import type { Problem } from '@meshwork/contract';
import { ApiError } from './api-error.ts';

/** A response, and what is needed to report on it. */
export interface Received {
  /** Scheme, host and port of the server. */
  readonly address: string;
  readonly response: Response;
  readonly text: string;
  /** Taken out of whatever is reported: some proxies answer with the headers they got. */
  readonly token: string | undefined;
  readonly now_ms: number;
}

/** The body of a good answer: JSON or text, as its media type says. Null: the operation answers without one. */
export function readBody(expected: string | null, received: Received): unknown {
  const { response, text } = received;
  if (expected === null || response.status === 204) return undefined;
  const type = mediaType(response);
  if (type !== expected) throw unexpected(received, `with ${type}, not ${expected}`);
  if (expected !== 'application/json') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected(received, 'with something that is not the JSON it claims to be');
  }
}

/** One line of a stream. */
export function readLine(line: string, number: number, received: Received): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw unexpected(received, `with a stream whose line ${number} is not JSON`);
  }
}

/** The error of a response. Anything but a problem document did not come from a coordinator. */
export function readRefusal(received: Received): ApiError {
  const { response, text, token, now_ms } = received;
  const parsed = parseJson(text, token);
  const retry_after_s = retryAfter(response, now_ms);
  if (!isProblem(parsed)) {
    const passing = [429, 502, 503, 504].includes(response.status);
    const detail = `with ${mediaType(response)}, not a problem document; is there a proxy in between?`;
    return unexpected(received, detail, { retryable: passing, retry_after_s, body: parsed });
  }
  return new ApiError({
    status: response.status,
    code: parsed.code,
    detail: parsed.detail,
    retryable: parsed.retryable,
    request_id: parsed.request_id,
    retry_after_s,
    problem: parsed,
  });
}

/** Following it could send the token to another host, and would turn a POST into a GET. */
export function redirectRefused({ address, response }: Received): ApiError {
  const target = URL.parse(response.headers.get('location') ?? '', address);
  const where = target === null ? '' : ` to ${target.origin}`;
  return new ApiError({
    status: response.status,
    code: 'redirect_refused',
    detail: `the answer was a redirect${where}, which is never followed; use the final address as the URL`,
    retryable: false,
    request_id: response.headers.get('x-request-id'),
  });
}

export function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
}

export function mediaType(response: Response): string {
  return response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() || 'no content type';
}

export function unexpected(
  { address, response }: Received,
  what: string,
  more: { retryable?: boolean; retry_after_s?: number | null; body?: unknown } = {},
): ApiError {
  return new ApiError({
    status: response.status,
    code: 'unexpected_answer',
    detail: `${address} answered ${response.status} ${what}`,
    retryable: false,
    request_id: response.headers.get('x-request-id'),
    ...more,
  });
}

function parseJson(text: string, token: string | undefined): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' && token !== undefined ? value.replaceAll(token, '[token]') : value,
    );
  } catch {
    return undefined; // not JSON, which the caller reports
  }
}

/** A newer coordinator may have codes that this client does not know, so only the shape is looked at. */
function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { code, detail, retryable, request_id } = value as Partial<Record<keyof Problem, unknown>>;
  return (
    typeof code === 'string' &&
    typeof detail === 'string' &&
    typeof retryable === 'boolean' &&
    typeof request_id === 'string'
  );
}

/** Seconds, or a date (RFC 9110): coordinators send seconds, proxies send either. */
function retryAfter(response: Response, now_ms: number): number | null {
  const text = response.headers.get('retry-after');
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now_ms) / 1000));
}
