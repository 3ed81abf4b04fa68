import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULT_NAMES, FAULTS } from './faults/index.ts';
import { BEHIND_NAT, isProvider } from './roster.ts';
import { planRound, roundsForAll } from './round-plan.ts';

const questions = { before: 3, during: 3, settled: 3, mending: 3 };
const SEEDS = Array.from({ length: 40 }, (_, index) => index * 7919);

test('a round follows from the seed and its number alone', () => {
  const plan = { seed: 7, kinds: FAULT_NAMES, faults_a_round: 4, questions };
  const text = (round: number) => {
    const { tags, policy, ...rest } = planRound(plan, round);
    return JSON.stringify({ ...rest, tags: [...tags], policy: policy(0) });
  };
  const alone = text(5);
  for (let round = 0; round < 5; round++) assert.notEqual(text(round), alone);
  assert.equal(text(5), alone);
  assert.notEqual(JSON.stringify(planRound({ ...plan, seed: 8 }, 5)), JSON.stringify(planRound(plan, 5)));
});

test('every kind of fault happens once before any happens again, whatever the seed', () => {
  for (const seed of SEEDS) {
    const plan = { seed, kinds: FAULT_NAMES, faults_a_round: 5, questions };
    const happen = Array.from({ length: roundsForAll(plan) }, (_, round) => planRound(plan, round).faults).flat();
    assert.deepEqual(happen.map(({ fault }) => fault).sort(), [...FAULT_NAMES].sort(), `seed ${seed}`);
  }
});

test('each fault of a round has nodes of its own that it can happen to', () => {
  for (const seed of SEEDS) {
    const { faults } = planRound({ seed, kinds: FAULT_NAMES, faults_a_round: 5, questions }, 0);
    const nodes = faults.flatMap(({ node, other }) => (node === '' ? [] : [...new Set([node, other])]));
    assert.equal(new Set(nodes).size, nodes.length, `seed ${seed}`);
    for (const { fault, node, other } of faults) {
      const { on } = FAULTS[fault];
      if (on === 'provider') assert.ok(isProvider(node));
      if (on === 'nat') assert.equal(node, BEHIND_NAT);
      if (on === 'pair') assert.notEqual(node, other);
    }
  }
});
