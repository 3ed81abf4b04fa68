/**
 * What `mesh explain` says is what happens: a real mesh goes through random policies, rules, tags and every kind of fault, and
 * answers are compared with real attempts before, during and after. All chance comes from one seed. `npm run truth` goes on
 * for longer.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { FAULT_NAMES } from './faults/index.ts';
import { words } from './report.ts';
import { roundsForAll } from './round-plan.ts';
import { runRounds } from './run-rounds.ts';

/** Another one, or `random`, by MESH_TEST_SEED: to search for new failures. */
const USUAL_SEED = '7';
const COMPARISONS = 1000;
const FAULTS_A_ROUND = 5;
const TAKES_AT_MOST_MS = 570_000;
/** The most that may be unknown while nothing is wrong. */
const UNKNOWN_SHARE = 0.03;
/** The most that may be so at first. Beside three busy loops on two cores it was 4 %. */
const UNKNOWN_AT_FIRST_SHARE = 0.06;

test('what explain says of a connection is what becomes of it', { timeout: TAKES_AT_MOST_MS }, async (t) => {
  const { MESH_TEST_SEED = USUAL_SEED } = process.env;
  const seed = MESH_TEST_SEED === 'random' ? randomInt(2 ** 32) : Number(MESH_TEST_SEED);
  t.diagnostic(`MESH_TEST_SEED=${seed}`);
  const plan = { seed, kinds: FAULT_NAMES, faults_a_round: FAULTS_A_ROUND };
  const rounds = roundsForAll(plan);
  const each = Math.ceil(COMPARISONS / rounds / 4);
  const questions = { before: each, during: each, settled: each, mending: each };
  const tally = await runRounds({
    plan: { ...plan, questions },
    rounds: Array.from({ length: rounds }, (_, round) => round),
    onRound: (round, faults, so_far) => t.diagnostic(`round ${round}: ${faults}: ${words(so_far)}`),
    signal: t.signal,
  });
  assert.ok(tally.lies.length === 0, `MESH_TEST_SEED=${seed}\n${tally.lies.map(({ text }) => text).join('\n\n')}`);
  const { unknown, asked_again, of, reasons } = tally.settledUnknowns();
  const known = `${unknown} of ${of} were unknown while nothing was wrong:\n${reasons.join('\n')}`;
  assert.ok(unknown <= of * UNKNOWN_SHARE, known);
  assert.ok(asked_again <= of * UNKNOWN_AT_FIRST_SHARE, words(tally));
  assert.ok(tally.comparisons + tally.unsettled >= COMPARISONS && tally.unsettled * 20 < COMPARISONS, words(tally));
});
