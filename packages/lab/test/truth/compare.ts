/** Asks explain, tries what was asked about, and asks again. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, UnreachableError } from '@meshwork/client';
import type { Explanation } from '@meshwork/contract';
import { describeDisagreement } from './disagreement.ts';
import { type Attempt, type Judgement, judge, REPORTED_WITHIN_MS, realityOf, type Verdict } from './judge.ts';
import { destinationOf, isOutside, nodesOf, type Question, wordsOf } from './questions.ts';
import { attempt } from './reality.ts';
import type { Observation, Round } from './round.ts';
import type { Phase } from './round-plan.ts';
import type { World } from './world.ts';

/** Ours: as long as that, a comparison that something came between is made again. */
const AGAIN_WITHIN_MS = 8000;
const AGAIN_AFTER_MS = 50;
/** Ours: an unknown for which there is no fault says to try again, as on a busy machine on which a node did not answer in time. */
const UNKNOWN_AFTER_MS = 1000;
/** Ours: a machine on which a timer is that late has no time for WireGuard either. */
const STOOD_STILL_MS = 400;
/** At a rule with a rate the attempts of all comparisons count: then it is tried again, a little later. */
const RATE_TRIES = 4;
const RATE_PAUSE_MS = 1500;
/** Reports are looked for more often than this. */
const LOOKED_FOR_EVERY_MS = 100;

export async function compare(round: Round, phase: Phase, question: Question): Promise<void> {
  const deadline = performance.now() + AGAIN_WITHIN_MS;
  let asked_again = false;
  for (;;) {
    const { judgement, observed } = await compareOnce(round, question);
    const isOver = performance.now() > deadline;
    const isAnswered = judgement !== 'again' && observed !== undefined;
    if (isAnswered && (isOver || !isUnexplained(observed))) {
      return await count(round, { phase, judgement, observed, asked_again });
    }
    if (isOver) {
      round.tally.unsettled += 1;
      return;
    }
    asked_again ||= isAnswered;
    await pause(isAnswered ? UNKNOWN_AFTER_MS : AGAIN_AFTER_MS);
  }
}

/** Unknown, and nothing is wrong at either end. */
function isUnexplained({ answer, faults, question }: Observation): boolean {
  return answer.verdict === 'unknown' && !isByFamily(answer) && faults.length === 0 && !isOutside(question);
}

/** It says of each address family what holds, and that they differ: the verdict is unknown, and the answer is not. */
function isByFamily({ families }: Explanation): boolean {
  return families.length > 0 && families.every(({ verdict }) => verdict !== 'unknown');
}

/** Observed is absent where there was no answer: the coordinator is away. */
async function compareOnce(
  round: Round,
  question: Question,
): Promise<{ readonly judgement: Judgement; readonly observed?: Observation }> {
  const { world, stalls } = round;
  const { changes } = world;
  const answer = await explained(world, question);
  if (answer === undefined) return { judgement: 'again' };
  const started_ms = performance.now();
  const attempts = await attemptWithin(world, question, answer);
  const ended_ms = performance.now();
  const after: Verdict | undefined =
    answer.verdict === 'unknown' ? 'unknown' : (await explained(world, question))?.verdict;
  if (after === undefined) return { judgement: 'again' };
  const nodes = nodesOf(question, answer.to.name);
  const faults = round.faults.filter((fault) => fault.began_ms <= ended_ms && fault.concerns(nodes));
  const observed = { question, answer, attempts, faults, started_ms, ended_ms };
  const compared = {
    ...observed,
    verdicts: [answer.verdict, after] as const,
    claims: answer.families,
    disturbed: world.changes !== changes || stalls.longestSince(started_ms) > STOOD_STILL_MS,
  };
  return { judgement: await patientJudge(compared), observed };
}

/** A node has some time to report that another program opened its filter. */
async function patientJudge(compared: Parameters<typeof judge>[0]): Promise<Judgement> {
  const first = judge(compared);
  const mayBeReported = compared.faults.some(({ opens, put_back_ms }) => opens && put_back_ms === null);
  if (first !== 'lie' || !mayBeReported) return first;
  await pause(REPORTED_WITHIN_MS + LOOKED_FOR_EVERY_MS);
  return judge(compared);
}

async function attemptWithin(world: World, question: Question, answer: Explanation): Promise<readonly Attempt[]> {
  let attempts = await attempt(world, question, answer);
  if (answer.verdict !== 'allowed' || answer.conditions.length === 0) return attempts;
  for (let left = RATE_TRIES; left > 0 && realityOf(attempts) !== 'passed'; left--) {
    await pause(RATE_PAUSE_MS);
    attempts = await attempt(world, question, answer);
  }
  return attempts;
}

/** Undefined: no coordinator answers just now, or it does not know the node yet that was just made. */
async function explained(world: World, question: Question): Promise<Explanation | undefined> {
  const { from, port } = question;
  try {
    const query = { from, to: destinationOf(world, question), ...(port === null ? {} : { port }) };
    return (await world.scene.client.call('acls.explain', { query })).body;
  } catch (error) {
    if (error instanceof UnreachableError || (error instanceof ApiError && error.status >= 500)) return undefined;
    throw error;
  }
}

interface Counted {
  readonly phase: Phase;
  readonly judgement: Judgement;
  readonly observed: Observation;
  readonly asked_again: boolean;
}

async function count(round: Round, { phase, judgement, observed, asked_again }: Counted): Promise<void> {
  const { tally, number } = round;
  const { answer, attempts, question, faults } = observed;
  tally.entries.push({
    phase,
    judgement,
    faults: faults.map(({ plan }) => plan.fault),
    verdict: answer.verdict,
    reality: realityOf(attempts),
    by_family: isByFamily(answer),
    asked_again,
    outside: isOutside(question),
    cause: answer.verdict === 'unknown' ? causeOf(answer) : null,
    reason:
      answer.verdict === 'unknown'
        ? `round ${number}, ${phase}: ${wordsOf(round.world, question)}: ${answer.reason}`
        : null,
  });
  if (judgement !== 'lie' && judgement !== 'late') return;
  const text = await describeDisagreement(round, { phase, ...observed });
  (judgement === 'lie' ? tally.lies : tally.late).push({ round: number, text });
}

/** The steps `path` and `relay` are unknown only where the link is. */
function causeOf({ steps }: Explanation): string {
  const deciding = steps.filter(({ check }) => check !== 'path' && check !== 'relay');
  return deciding.find(({ outcome }) => outcome === 'unknown')?.check ?? 'no check';
}
