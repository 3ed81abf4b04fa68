import { FAULT_NAMES } from './faults/index.ts';
import { PHASES, planRound, type RoundsPlan } from './round-plan.ts';
import { runRound } from './run-round.ts';
import { StallWatch } from './stall-watch.ts';
import { Tally } from './tally.ts';
import { World } from './world.ts';

interface Rounds {
  readonly plan: RoundsPlan;
  /** Which ones, in order. May go on for ever. */
  readonly rounds: Iterable<number>;
  /** No round begins after it, and the one that runs is given up. */
  readonly signal: AbortSignal;
  onRound(round: number, faults: string, tally: Tally): void;
}

/** Builds a mesh, takes it through the rounds, and takes it down, whatever happens. */
export async function runRounds({ plan, rounds, signal, onRound }: Rounds): Promise<Tally> {
  const tally = new Tally();
  await using world = await World.start();
  using stalls = new StallWatch();
  for (const number of rounds) {
    if (signal.aborted) break;
    const setting = { world, tally, stalls, signal, number, replay: replayOf(plan, number) };
    const faults = await runRound(planRound(plan, number), setting).catch((error: unknown) => {
      if (signal.aborted) return undefined; // it was not given the time to end well
      throw error;
    });
    if (faults !== undefined) onRound(number, faults, tally);
  }
  return tally;
}

function replayOf({ seed, kinds, faults_a_round, questions }: RoundsPlan, round: number): string {
  const only = kinds.length === FAULT_NAMES.length ? '' : ` --only ${kinds.join(',')}`;
  const lots = PHASES.map((phase) => questions[phase]).join(',');
  return `npm run truth -- --seed ${seed} --round ${round} --faults ${faults_a_round} --questions ${lots}${only}`;
}
