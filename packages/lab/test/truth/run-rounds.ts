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
  const aborted = Promise.withResolvers<'aborted'>();
  signal.addEventListener('abort', () => aborted.resolve('aborted'), { once: true });
  if (signal.aborted) aborted.resolve('aborted');
  for (const number of rounds) {
    const running = runRound(planRound(plan, number), { world, tally, stalls, number, replay: replayOf(plan, number) });
    const ended = await Promise.race([running, aborted.promise]);
    if (signal.aborted) {
      running.catch(() => undefined); // its mesh is taken from it
      break;
    }
    onRound(number, ended, tally);
  }
  return tally;
}

function replayOf({ seed, kinds, faults_a_round, questions }: RoundsPlan, round: number): string {
  const only = kinds.length === FAULT_NAMES.length ? '' : ` --only ${kinds.join(',')}`;
  const lots = PHASES.map((phase) => questions[phase]).join(',');
  return `npm run truth -- --seed ${seed} --round ${round} --faults ${faults_a_round} --questions ${lots}${only}`;
}
