import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONE_NODE_REPLY } from '../../test/scripted-coordinator.ts';
import { agentWith } from '../../test/test-agent.ts';
import { DryRunDataPlane } from '../data-plane/dry-run-data-plane.ts';
import { PROBATION_PAUSE_MS } from './probation.ts';

/** Waits for its proof from the start, until an answer brings its ticket back. */
function trial(tickets: number[]) {
  let pending = true;
  return {
    get pending() {
      return pending;
    },
    get urgent() {
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
    script: { heartbeat: (_, n) => (n === 1 ? { ...LONE_NODE_REPLY, next_s: 3600 } : 'hold') },
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

test('reports a rollback in words to a coordinator that is older than rollbacks', async () => {
  const rolled_back = { revision: 448, after_s: 60, at: '2026-11-15T09:30:00Z' };
  const unknown = '/applied/firewall/rolled_back';
  const refused = { revision: 447, digest: '000000000000', error: 'Rolled back.', rolled_back };
  const data_plane = new DryRunDataPlane({ node: 'node_x', now: () => 0 });
  data_plane.apply = async (section, view) =>
    section === 'firewall' ? refused : { revision: view.revisionOf(section), digest: view.digestOf(section) };
  await using it = await agentWith({
    data_plane,
    script: {
      heartbeat: ({ body }, n) =>
        n === 1 ? LONE_NODE_REPLY : body.applied?.firewall?.rolled_back === undefined ? 'hold' : { unknown },
    },
  });
  await it.coordinator.until(() => it.coordinator.isHeld(it.node));
  const { rolled_back: _, ...words } = refused;
  assert.deepEqual(it.coordinator.beats.at(-1)?.body.applied?.firewall, words);
});
