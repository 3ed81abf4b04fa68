import { ApiError, UnreachableError } from '@meshwork/client';
import { MeshError } from '@meshwork/contract';

/** Ours: a coordinator that restarts is back by then. */
const COME_BACK_S = 2;

/** The panel could not ask the coordinator, or was refused. The text is public; the cause is for the log. */
export function unavailable(trouble: string, options: { cause?: unknown; retry_after_s?: number } = {}): MeshError {
  const { cause, retry_after_s = COME_BACK_S } = options;
  return new MeshError('coordinator_unavailable', `The coordinator is unavailable: ${trouble}.`, {
    retry_after_s,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A public reason. Undefined: the coordinator did answer, and refused. */
export function troubleOf(error: unknown): string | undefined {
  if (error instanceof UnreachableError) return TROUBLES[error.reason] ?? 'it does not answer';
  if (!(error instanceof ApiError)) return undefined;
  if (error.problem === null) return 'something else answers at its address';
  return error.status >= 500 || error.status === 429 ? `it answers ${error.code}` : undefined;
}

const TROUBLES: Partial<Record<UnreachableError['reason'], string>> = {
  refused: 'the connection was refused',
  timeout: 'it did not answer in time',
  tls: 'the TLS connection failed',
  not_http: 'something else answers at its address',
};
