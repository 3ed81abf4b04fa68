import { ApiError, UnreachableError } from '@meshwork/client';
import { MeshError } from '@meshwork/contract';

/** Ours: a coordinator that restarts is back by then. */
const COME_BACK_S = 2;

/** What the panel says when it could not ask, or not in its own name. The words are for anybody; the cause is for the log. */
export function unavailable(trouble: string, options: { cause?: unknown; retry_after_s?: number } = {}): MeshError {
  const { cause, retry_after_s = COME_BACK_S } = options;
  return new MeshError('coordinator_unavailable', `The coordinator cannot be asked: ${trouble}.`, {
    retry_after_s,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** In words that anybody may read. Undefined: it is not for want of an answer that it failed. */
export function troubleOf(error: unknown): string | undefined {
  if (error instanceof UnreachableError) return TROUBLES[error.reason] ?? 'it gives no answer';
  if (!(error instanceof ApiError)) return undefined;
  if (error.problem === null) return 'what answers in its place is something else';
  return error.status >= 500 || error.status === 429 ? `it answers ${error.code}` : undefined;
}

const TROUBLES: Partial<Record<UnreachableError['reason'], string>> = {
  refused: 'nothing listens there',
  timeout: 'it gives no answer in time',
  tls: 'no TLS connection can be made',
  not_http: 'what answers in its place is something else',
};
