/** One round: a mesh that has settled, faults, what is true while they last, and how it comes back. */
import { setTimeout as pause } from 'node:timers/promises';
import { atATime } from '../../src/at-a-time.ts';
import { seeded } from '../seeded.ts';
import { compare } from './compare.ts';
import { LATE_MS } from './judge.ts';
import { OpenMeter } from './open-meter.ts';
import { randomRules, replaceRules } from './random-rules.ts';
import type { Round } from './round.ts';
import type { Phase, RoundPlan } from './round-plan.ts';
import { RunningFault } from './running-fault.ts';
import type { World } from './world.ts';

/** Ours: most of them wait for a packet that is dropped. */
const AT_A_TIME = 8;

/** Answers with the faults of the round, in words. */
export async function runRound(plan: RoundPlan, setting: Omit<Round, 'faults'>): Promise<string> {
  const faults = plan.faults.map((fault) => new RunningFault(setting.world, fault));
  const giveUp = () => {
    for (const fault of faults) fault.giveUp();
  };
  setting.signal.addEventListener('abort', giveUp, { once: true });
  try {
    await goThrough(plan, { ...setting, faults });
  } finally {
    setting.signal.removeEventListener('abort', giveUp);
    giveUp();
  }
  return faults.map(({ words }) => words).join(', ');
}

async function goThrough(plan: RoundPlan, round: Round): Promise<void> {
  const { world, tally, number, faults, signal } = round;
  const ask = (phase: Phase) =>
    atATime(AT_A_TIME, plan.questions[phase], async (asked) => {
      if (!signal.aborted) await compare(round, phase, asked);
    });

  await prepare(world, plan, signal);
  await ask('before');
  const meters = await Promise.all(faults.map((fault) => OpenMeter.start(world, fault, faults)));
  await allOf([beginAll(faults), ask('during')]);
  await pause(Math.max(0, ...faults.map(({ begun_ms }) => begun_ms + LATE_MS - performance.now())));
  await ask('settled');
  await allOf([...faults.map((fault) => fault.mend()), ask('mending')]);
  for (const meter of meters) {
    const open = await meter?.end(number);
    if (open !== undefined) tally.openTimes.push(open);
  }
  await world.settle(signal);
}

/** Those of everyone come last: operations of the others need a coordinator. */
async function beginAll(faults: readonly RunningFault[]): Promise<void> {
  await allOf(faults.filter(({ isForAll }) => !isForAll).map((fault) => fault.begin()));
  for (const fault of faults) if (fault.isForAll) await fault.begin();
}

/** When one fails, the others are waited for: what they started must be there to be ended. */
async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (failed.length > 0) throw failed.length === 1 ? failed[0] : new AggregateError(failed, 'several things failed');
}

/** Everything that a round has of its own, whatever the one before left. */
async function prepare(world: World, plan: RoundPlan, signal: AbortSignal): Promise<void> {
  await world.settle(signal);
  await replaceRules(world.scene.client, randomRules(seeded(plan.rules_seed), world.nodes));
  for (const [name, tags] of plan.tags) await world.retag(name, tags);
  await world.setPolicy(plan.policy(Date.now()));
  await world.settle(signal);
}
