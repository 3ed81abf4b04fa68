/** Probes that an engine answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Probe, ProbeResult } from '@meshwork/contract';
import type { ProbeKind } from '@meshwork/contract/vocabulary';
import { policyOf } from '../../test/waf-section.ts';
import { Prober } from './prober.ts';

const REQUEST = { method: 'GET', host: 'a.example', uri: '/', headers: [], body: null, address: '192.0.2.1' };
const PROBE: Probe = { id: 'probe-123', waf: { policy: policyOf(1), request: REQUEST, within_ms: 1000 } };
const PASSED = {
  verdict: 'passed',
  status: 200,
  score_in: 0,
  matches: [],
  matches_left_out: 0,
  rule_set: '4',
} as const;
const SILENT = { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined };

function proberWith(kinds: readonly ProbeKind[], answer: () => Promise<Omit<ProbeResult, 'id'>>) {
  return new Prober({
    plane: { hear: () => Promise.resolve([]), links: [] } as never,
    settled: () => ({}),
    addresses: () => [],
    flows: false,
    engines: [{ kinds, answer }],
    log: SILENT,
  });
}

async function answered(prober: Prober): Promise<ProbeResult> {
  const { promise, resolve } = Promise.withResolvers<ProbeResult>();
  prober.take([PROBE], resolve);
  const result = await promise;
  await prober.stop();
  return result;
}

test('a kind of an engine is named and answered while the engine can do it', async () => {
  const able = proberWith(['waf'], async () => ({ waf: { ...PASSED, matches: [] } }));
  assert.deepEqual(able.kinds, ['look', 'challenge', 'waf']);
  assert.deepEqual(await answered(able), { id: PROBE.id, waf: PASSED });

  const unable = proberWith([], () => assert.fail());
  assert.deepEqual(unable.kinds, ['look', 'challenge']);
  assert.match((await answered(unable)).error ?? '', /does not answer this kind of probe/);
});

test('what an engine cannot try is said in its words', async () => {
  const failing = proberWith(['waf'], () => Promise.reject(new Error('the policy inspects nothing')));
  assert.deepEqual(await answered(failing), { id: PROBE.id, error: 'the policy inspects nothing' });
});
