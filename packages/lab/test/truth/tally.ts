import type { Judgement, realityOf, Verdict } from './judge.ts';
import type { Phase } from './round-plan.ts';

export interface Entry {
  readonly phase: Phase;
  /** Kinds of the faults that concern it. Empty: none. */
  readonly faults: readonly string[];
  readonly verdict: Verdict;
  readonly reality: ReturnType<typeof realityOf>;
  /** It is unknown only because it differs by address family. */
  readonly by_family: boolean;
  /** It was unknown at first, while nothing was wrong. */
  readonly asked_again: boolean;
  readonly judgement: Judgement;
  /** Asked about something that the mesh does not decide. */
  readonly outside: boolean;
  /** The check that an unknown rests on. Null: it is none. */
  readonly cause: string | null;
  /** What was asked and what the answer says, of an unknown. Null: it is none. */
  readonly reason: string | null;
}

interface Disagreement {
  readonly round: number;
  readonly text: string;
}

/** How long the filter of a node was open after another program had changed it. */
export interface OpenTime {
  readonly round: number;
  readonly fault: string;
  readonly node: string;
  readonly open_ms: number;
  /** When its report was seen, after the change. Null: it never came. */
  readonly reported_ms: number | null;
}

interface SettledUnknowns {
  readonly unknown: number;
  /** Unknown at first. Those that stayed so are in both. */
  readonly asked_again: number;
  readonly of: number;
  readonly reasons: readonly string[];
}

/** Everything that was compared. */
export class Tally {
  readonly entries: Entry[] = [];
  readonly lies: Disagreement[] = [];
  readonly late: Disagreement[] = [];
  readonly openTimes: OpenTime[] = [];
  /** It could not be found out what was true: things changed under every try. */
  unsettled = 0;

  get comparisons(): number {
    return this.entries.length;
  }

  count(judgement: Judgement): number {
    return this.entries.filter((entry) => entry.judgement === judgement).length;
  }

  /** Of what was asked when all had settled and nothing was wrong at either end, and the mesh decides it. */
  settledUnknowns(): SettledUnknowns {
    const settled = this.entries.filter(({ phase, faults, outside }) => {
      return !outside && faults.length === 0 && (phase === 'before' || phase === 'settled');
    });
    const unknown = settled.filter(({ verdict, by_family }) => verdict === 'unknown' && !by_family);
    const asked_again = settled.filter((entry) => entry.asked_again).length;
    const reasons = unknown.map(({ cause, reason }) => `${cause}: ${reason}`);
    return { unknown: unknown.length, asked_again, of: settled.length, reasons };
  }
}
