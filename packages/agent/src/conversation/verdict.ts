import { ApiError, UnreachableError } from '@meshwork/client';
import type { AgentStatus, Ending } from './status.ts';

type Retrying = Extract<AgentStatus, { state: 'retrying' }>;

/** What to do after a failure. */
type Verdict =
  | { readonly next: 'end'; readonly ending: Ending }
  /** Prove the identity anew, and at once if this has just worked. */
  | { readonly next: 'renew'; readonly status: Retrying }
  | {
      readonly next: 'retry';
      readonly status: Retrying;
      readonly asked_s: number | null;
      /** Whether another coordinator may do better. */
      readonly elsewhere: boolean;
    };

/** What is known when a failure is judged. */
interface Circumstances {
  /** Whether a proof was ever accepted. */
  readonly proven: boolean;
  /** Failures of the same code in a row, this one included. */
  readonly times: number;
}

/** A replica may not know yet of a node that has just been enrolled with another one. */
const UNKNOWN_TIMES = 5;
/** Once can be a proxy that sent a request twice; a boot that is over stays so. */
const REPLAYED_TIMES = 3;

/** Rethrows what is no answer of a coordinator nor the lack of one: that is a fault of ours. */
export function judge(error: unknown, { proven, times }: Circumstances): Verdict {
  if (error instanceof UnreachableError) {
    return { next: 'retry', status: retrying('unreachable', error.message), asked_s: null, elsewhere: true };
  }
  if (!(error instanceof ApiError)) throw error;
  const { code, detail } = error;
  switch (code) {
    case 'session_expired':
    case 'session_void':
    case 'credentials_missing':
    case 'credentials_invalid':
      return { next: 'renew', status: retrying('refused', detail) };
    case 'clock_skewed':
      return again(error, 'clock_skewed');
    case 'proof_invalid':
    case 'not_found':
      if (proven) return end('removed', `the coordinator does not know this node any more: ${detail}`);
      if (times >= UNKNOWN_TIMES) return end('unknown', `the coordinator does not know this node: ${detail}`);
      return again(error, 'refused');
    case 'heartbeat_replayed':
      if (times >= REPLAYED_TIMES) return end('replaced', `another agent runs as this node: ${detail}`);
      return again(error, 'refused');
    default:
      return again(error, error.retryable ? 'unreachable' : 'refused');
  }
}

function again(error: ApiError, problem: Retrying['problem']): Verdict {
  const elsewhere = error.status >= 500 || error.code === 'unexpected_answer'; // another one may make sense
  return { next: 'retry', status: retrying(problem, error.detail), asked_s: error.retry_after_s, elsewhere };
}

function retrying(problem: Retrying['problem'], detail: string): Retrying {
  return { state: 'retrying', problem, detail };
}

function end(reason: Ending['reason'], detail: string): Verdict {
  return { next: 'end', ending: { reason, detail } };
}
