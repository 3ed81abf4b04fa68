/** One round: a mesh that has settled, faults, what is true while they last, and how it comes back. */
import { setTimeout as pause } from 'node:timers/promises';
import { atATime } from '../../src/at-a-time.ts';
import { seeded } from '../seeded.ts';
import { compare, type Round } from './compare.ts';
import { LATE_MS } from './judge.ts';
import { OpenMeter } from './open-meter.ts';
import { randomRules, replaceRules } from './random-rules.ts';
import { PHASES, type Phase, type RoundPlan } from './round-plan.ts';
import { RunningFault } from './running-fault.ts';
import type { StallWatch } from './stall-watch.ts';
import type { Tally } from './tally.ts';
import type { World } from './world.ts';

/** Ours: most of them wait for a packet that is dropped. */
const AT_A_TIME = 8;

interface Setting {
  readonly world: World;
  readonly tally: Tally;
  readonly stalls: StallWatch;
  readonly number: number;
  readonly replay: string;
}

export async function runRound(plan: RoundPlan, setting: Setting): Promise<string> {
  const { world, tally, number } = setting;
  const faults = plan.faults.map((fault) => new RunningFault(world, fault));
  const round: Round = { ...setting, faults };
  const ask = (phase: Phase) => atATime(AT_A_TIME, plan.questions[phase], (asked) => compare(round, phase, asked));

  await prepare(world, plan);
  await ask(PHASES[0]);
  const meters = await Promise.all(faults.map((fault) => OpenMeter.start(world, fault, faults)));
  await Promise.all([...faults.map((fault) => fault.begin()), ask('during')]);
  await pause(Math.max(0, ...faults.map(({ begun_ms }) => begun_ms + LATE_MS - performance.now())));
  await ask('settled');
  await Promise.all([...faults.map((fault) => fault.mend()), ask('mending')]);
  for (const meter of meters) {
    const open = await meter?.end(number);
    if (open !== undefined) tally.openTimes.push(open);
  }
  await world.settle();
  return faults.map(({ words }) => words).join(', ');
}

/** Everything that a round has of its own, whatever the one before left. */
async function prepare(world: World, plan: RoundPlan): Promise<void> {
  await world.settle();
  await replaceRules(world.scene.client, randomRules(seeded(plan.rules_seed), world.nodes));
  for (const [name, tags] of plan.tags) await world.retag(name, tags);
  await world.setPolicy(plan.policy(Date.now()));
  await world.settle();
}
