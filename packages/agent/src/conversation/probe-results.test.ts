import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeartbeatReply, Probe, ProbeResult } from '@meshwork/contract';
import { MAX_PROBES } from '@meshwork/contract/vocabulary';
import { agentWith } from '../../test/test-agent.ts';
import { ProbeResults } from './probe-results.ts';

const PROBE: Probe = { id: 'probe-0001', look: { peers: [], rules: [], within_ms: 100 } };
const RESULT: ProbeResult = { id: 'probe-0001', look: { links: [], rules: [] } };
const ASKING: HeartbeatReply = { revision: 0, next_s: 0, probes: [PROBE] };

/** Keeps what it was given, for the test to answer. */
function recordedProber() {
  const taken: { readonly probe: Probe; readonly answer: (result: ProbeResult) => void }[] = [];
  const came = Promise.withResolvers<void>();
  return {
    taken,
    came: came.promise,
    take(probes: readonly Probe[], answer: (result: ProbeResult) => void): void {
      taken.push(...probes.map((probe) => ({ probe, answer })));
      if (taken.length > 0) came.resolve();
    },
  };
}

test('a probe is done beside the heartbeats, and each of its results goes out once', async () => {
  const prober = recordedProber();
  await using it = await agentWith({ prober, script: { heartbeat: (_, n) => (n === 2 ? ASKING : 'hold') } });
  const { beats } = it.coordinator;
  await it.coordinator.until(() => it.coordinator.isHeld(it.node));
  it.agent.report({ endpoints: [] }); // the second one, which brings the probe
  await prober.came;
  assert.deepEqual(
    prober.taken.map(({ probe }) => probe),
    [PROBE],
  );
  const before = beats.length;
  prober.taken[0]?.answer(RESULT);
  await it.coordinator.until(() => beats.some(({ body }) => body.probe_results !== undefined));
  it.agent.report({ endpoints: ['192.0.2.9:51820'] });
  await it.coordinator.until(() => beats.some(({ body }) => body.report?.endpoints?.length === 1));
  const results = beats.flatMap(({ body }) => body.probe_results ?? []);
  assert.deepEqual(results, [RESULT]);
  assert.ok(beats.length > before);
});

test('a result that was lost on the way is not sent again: it was about a moment that is over', async () => {
  const prober = recordedProber();
  let broken = 0;
  await using it = await agentWith({
    prober,
    script: {
      heartbeat: ({ body }, n) => {
        if (n === 1) return ASKING;
        if (body.probe_results === undefined) return 'hold';
        broken += 1;
        return 'break';
      },
    },
  });
  await prober.came;
  prober.taken[0]?.answer(RESULT);
  await it.coordinator.until(() => broken > 0 && it.coordinator.isHeld(it.node));
  it.agent.report({ endpoints: [] });
  await it.coordinator.until(() => it.coordinator.beats.at(-1)?.body.report !== undefined);
  assert.equal(broken, 1);
});

test('probes in the answer to an overtaken heartbeat are done, too: they are sent once', async () => {
  const prober = recordedProber();
  await using it = await agentWith({ prober, script: { overtaken: ASKING } });
  await it.coordinator.until(() => it.coordinator.isHeld(it.node));
  it.agent.report({ endpoints: [] });
  await prober.came;
  assert.equal(prober.taken[0]?.probe.id, PROBE.id);
});

test('results wait for ten seconds at most, and only as many go out together as a heartbeat takes', () => {
  const results = new ProbeResults();
  const numbered = Array.from({ length: MAX_PROBES + 2 }, (_, index) => ({ id: `probe-${index}` }));
  results.add({ id: 'probe-old' }, 0);
  for (const result of numbered) results.add(result, 5_000);
  assert.deepEqual(results.take(10_000), numbered.slice(0, MAX_PROBES));
  assert.equal(results.pending, true);
  assert.deepEqual(results.take(10_000), numbered.slice(MAX_PROBES));
  assert.equal(results.pending, false);
  results.add({ id: 'probe-ahead' }, 100_000);
  assert.deepEqual(results.take(0), [], 'also when the clock was set back');
});
