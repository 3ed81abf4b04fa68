import { BackOff } from './back-off.ts';
import { PROBATION_PAUSE_MS } from './probation.ts';
import type { AgentStatus, Ending } from './status.ts';
import { judge } from './verdict.ts';

interface Circumstances {
  /** Whether a proof of identity was ever accepted. */
  readonly proven: boolean;
  readonly interval_s: number;
  /** Whether a change on trial may be what keeps heartbeats from being answered. */
  readonly urgent: boolean;
}

/** What an agent does after a failure. */
type Recourse =
  | { readonly next: 'end'; readonly ending: Ending }
  /** Prove the identity anew, at once. */
  | { readonly next: 'renew' }
  | {
      readonly next: 'pause';
      readonly status: AgentStatus;
      readonly pause_ms: number;
      /** Whether the identity is proven anew. */
      readonly renew: boolean;
      /** Whether the next coordinator is tried. */
      readonly elsewhere: boolean;
    };

/** Counts failures in a row, and decides what follows from the latest. */
export class Recovery {
  readonly #backOff: BackOff;
  #code = '';
  #times = 0;

  constructor(random: () => number) {
    this.#backOff = new BackOff(random);
  }

  /** Whether the last heartbeat failed. */
  get failing(): boolean {
    return this.#times > 0;
  }

  succeeded(): void {
    this.#backOff.reset();
    this.#code = '';
    this.#times = 0;
  }

  after(error: unknown, { proven, interval_s, urgent }: Circumstances): Recourse {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreachable';
    this.#times = code === this.#code ? this.#times + 1 : 1;
    this.#code = code;
    const verdict = judge(error, { proven, times: this.#times });
    if (verdict.next === 'end') return verdict;
    const renew = verdict.next === 'renew';
    if (renew && this.#times === 1) return { next: 'renew' };
    const asked_s = verdict.next === 'retry' ? verdict.asked_s : null;
    const pause_ms = this.#backOff.next(interval_s, asked_s);
    const longest_ms = urgent && asked_s === null ? PROBATION_PAUSE_MS : pause_ms;
    return {
      next: 'pause',
      status: verdict.status,
      pause_ms: Math.min(pause_ms, longest_ms),
      renew,
      elsewhere: verdict.next === 'retry' && verdict.elsewhere,
    };
  }
}
