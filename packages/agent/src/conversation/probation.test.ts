import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TOLD_ALONE } from '../../test/scripted-coordinator.ts';
import { agentWith } from '../../test/test-agent.ts';
import { PROBATION_PAUSE_MS } from './probation.ts';

/** Waits for its proof from the start, until an answer brings its ticket back. */
function trial(tickets: number[]) {
  let pending = true;
  return {
    get pending() {
      return pending;
    },
    ticket: () => 7,
    answered: (ticket: number) => {
      tickets.push(ticket);
      pending = false;
    },
  };
}

test('a change on trial is proven by a heartbeat that asks for an answer at once; the next one waits again', async () => {
  const tickets: number[] = [];
  await using it = await agentWith({
    probation: trial(tickets),
    script: { heartbeat: (_, n) => (n === 1 ? { ...TOLD_ALONE, next_s: 3600 } : 'hold') },
  });
  await it.coordinator.until(() => it.coordinator.isHeld(it.node));
  const [proof, next] = it.coordinator.beats;
  assert.deepEqual([proof?.wait_s, next?.wait_s], [0, 15]);
  assert.deepEqual(tickets, [7]);
  assert.ok(!it.clock.pauses.includes(3_600_000), 'an answer that did not wait says nothing about the next one');
});

test('while a change is on trial, a heartbeat that failed is soon repeated', async () => {
  const tickets: number[] = [];
  await using it = await agentWith({
    probation: trial(tickets),
    script: { heartbeat: (_, n) => (n < 12 ? 'break' : 'hold') },
  });
  await it.coordinator.until(() => it.coordinator.beats.length === 13);
  assert.deepEqual(tickets, [7]);
  assert.equal(Math.max(...it.clock.pauses), PROBATION_PAUSE_MS);
});
