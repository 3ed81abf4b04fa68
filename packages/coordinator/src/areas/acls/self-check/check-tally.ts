import { type ProbeReport, type SelfCheck, utc } from '@meshwork/contract';

/** Ours: the disagreements that are kept to be looked into. */
const MOST_KEPT = 20;

export interface CheckedPair {
  readonly from: string;
  readonly to: string;
  readonly port: string;
}

/** How often explanations were what happened, since this coordinator started. */
export class CheckTally {
  readonly #since_ms: number;
  readonly #counts = new Map<string, { verdict: Verdict; reality: ProbeReport['reality']; count: number }>();
  #disagreed = 0;
  #disagreements: SelfCheck['disagreements'] = [];

  constructor(since_ms: number) {
    this.#since_ms = since_ms;
  }

  /** Returns whether it is a disagreement. */
  count(pair: CheckedPair, report: ProbeReport, now_ms: number): boolean {
    const { reality, explanation } = report;
    const { verdict } = explanation;
    const key = `${verdict} ${reality}`;
    const known = this.#counts.get(key) ?? { verdict, reality, count: 0 };
    this.#counts.set(key, { ...known, count: known.count + 1 });
    if (report.agrees !== false) return false;
    this.#disagreed += 1;
    const command = `mesh explain ${pair.from} ${pair.to} ${pair.port} --live`;
    const disagreement = { at: utc(now_ms), ...pair, report, command };
    this.#disagreements = [disagreement, ...this.#disagreements].slice(0, MOST_KEPT);
    return true;
  }

  get all(): SelfCheck {
    const checks = [...this.#counts.values()];
    return {
      since: utc(this.#since_ms),
      checks: checks.map((one) => ({ ...one })),
      total: sum(checks),
      unknown: sum(checks.filter(({ verdict }) => verdict === 'unknown')),
      disagreed: this.#disagreed,
      disagreements: [...this.#disagreements],
    };
  }
}

type Verdict = ProbeReport['explanation']['verdict'];

function sum(checks: readonly { readonly count: number }[]): number {
  return checks.reduce((total, { count }) => total + count, 0);
}
