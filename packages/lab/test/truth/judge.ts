/** Whether an answer of explain and what became of the attempt fit together. */

export type Verdict = 'allowed' | 'denied' | 'unknown';

/** What was tried at one address. */
export interface Attempt {
  readonly address: string;
  readonly passed: boolean;
  /** In the words of the prober: `connected`, `timed out` … */
  readonly outcome: string;
}

/** What explain says of an address. */
interface Claim {
  readonly address: string;
  readonly verdict: Verdict;
}

/** When a fault that concerns the flow began and ended, by the clock of the harness, in milliseconds. */
export interface FaultTimes {
  readonly hidden: boolean;
  readonly opens: boolean;
  readonly began_ms: number;
  /** Until then it is beginning. */
  readonly begun_ms: number;
  /** When the node's report that it put the change back was first seen. Null: not yet. */
  readonly put_back_ms: number | null;
}

export interface Compared {
  /** Before the attempt and after it. */
  readonly verdicts: readonly [before: Verdict, after: Verdict];
  /** By address, where the answer tells families apart. Empty: the verdict is about every address. */
  readonly claims: readonly Claim[];
  readonly attempts: readonly Attempt[];
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly faults: readonly FaultTimes[];
  /** The harness began or ended a change meanwhile, or the machine stood still. */
  readonly disturbed: boolean;
}

/**
 * `again`: shows nothing, because something changed in between. `late`: allowed and failing, right after a fault that could
 * not be known yet. `put back`: denied and passing, while a change of another program was being put back.
 */
export type Judgement = 'agrees' | 'unknown' | 'lie' | 'late' | 'put back' | 'again';

/** An answer may rest on a look that is this old. */
export const LATE_MS = 5000;
/** A node reports a change of its filter within this time. */
export const REPORTED_WITHIN_MS = 2000;

export function judge(compared: Compared): Judgement {
  const [before, after] = compared.verdicts;
  if (before !== after) return 'again';
  const wrong = compared.attempts.flatMap((attempt) => {
    const verdict = verdictOn(compared, attempt.address);
    return verdict !== 'unknown' && (verdict === 'allowed') !== attempt.passed ? [verdict] : [];
  });
  if (wrong.length === 0) return before === 'unknown' ? 'unknown' : 'agrees';
  if (compared.disturbed) return 'again';
  if (wrong.every((verdict) => verdict === 'allowed' && isLate(compared))) return 'late';
  if (wrong.every((verdict) => verdict === 'denied' && isPutBack(compared))) return 'put back';
  return 'lie';
}

function verdictOn({ claims, verdicts }: Compared, address: string): Verdict {
  return claims.find((claim) => claim.address === address)?.verdict ?? verdicts[0];
}

function isLate({ faults, started_ms, ended_ms }: Compared): boolean {
  return faults.some(
    ({ hidden, began_ms, begun_ms }) => hidden && began_ms <= ended_ms && started_ms <= begun_ms + LATE_MS,
  );
}

function isPutBack({ faults, started_ms, ended_ms }: Compared): boolean {
  return faults.some(
    ({ opens, began_ms, put_back_ms }) =>
      opens &&
      began_ms <= ended_ms &&
      put_back_ms !== null &&
      started_ms <= put_back_ms &&
      put_back_ms <= ended_ms + REPORTED_WITHIN_MS,
  );
}

/** `both`: some addresses of a name are reached, and some are not. */
export function realityOf(attempts: readonly Attempt[]): 'passed' | 'failed' | 'both' {
  if (attempts.every(({ passed }) => passed)) return 'passed';
  return attempts.some(({ passed }) => passed) ? 'both' : 'failed';
}
