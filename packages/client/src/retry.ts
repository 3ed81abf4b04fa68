import type { Method } from '@meshwork/contract';
import { backOff } from '@meshwork/time';
import { ApiError } from './api-error.ts';
import { UnreachableError } from './unreachable-error.ts';

export interface RetryOptions {
  /** Attempts in all, the first one included. */
  readonly attempts?: number;
  /** The first pause, doubled each time; half of it is jitter, so that many clients do not retry together. */
  readonly base_ms?: number;
  /** The longest pause. A `Retry-After` beyond it ends the retries: the caller then knows how long to wait. */
  readonly max_ms?: number;
}

export const DEFAULT_RETRY: Required<RetryOptions> = { attempts: 4, base_ms: 200, max_ms: 10_000 };
export const NO_RETRY: Required<RetryOptions> = { attempts: 1, base_ms: 0, max_ms: 0 };

/**
 * Whether sending the same request again can do no harm.
 *
 * A GET changes nothing, and a POST carries an idempotency key or changes nothing, so both may follow any passing failure. The others may
 * follow only a clear refusal; when it is unknown whether they took effect, `if_match` alone makes them safe, since the
 * second one is then refused if the first one counted.
 */
export function mayRetry(error: unknown, request: { readonly method: Method; readonly guarded: boolean }): boolean {
  const repeatable = request.method === 'GET' || request.method === 'POST' || request.guarded;
  if (error instanceof UnreachableError) return error.passing && repeatable;
  if (!(error instanceof ApiError) || !error.retryable) return false;
  return error.problem !== null || repeatable;
}

/** Milliseconds to wait before attempt `next` (2 is the first retry), or null when that would be too long. */
export function pauseBefore(
  next: number,
  error: unknown,
  rules: Required<RetryOptions>,
  random: () => number,
): number | null {
  const pause = backOff(rules.base_ms, next - 2, rules.max_ms);
  const jittered = pause / 2 + (pause / 2) * random();
  const asked = error instanceof ApiError && error.retry_after_s !== null ? error.retry_after_s * 1000 : 0;
  if (asked > rules.max_ms) return null;
  return Math.max(jittered, asked);
}
