import type { Explanation } from '@meshwork/contract';
import type { Attempt } from './judge.ts';
import type { Question } from './questions.ts';
import type { RunningFault } from './running-fault.ts';
import type { StallWatch } from './stall-watch.ts';
import type { Tally } from './tally.ts';
import type { World } from './world.ts';

export interface Round {
  readonly world: World;
  readonly number: number;
  readonly faults: readonly RunningFault[];
  readonly tally: Tally;
  readonly stalls: StallWatch;
  /** Nothing more is to be asked. */
  readonly signal: AbortSignal;
  /** How to run this round again. */
  readonly replay: string;
}

export interface Observation {
  readonly question: Question;
  readonly answer: Explanation;
  readonly attempts: readonly Attempt[];
  readonly faults: readonly RunningFault[];
  readonly started_ms: number;
  readonly ended_ms: number;
}
