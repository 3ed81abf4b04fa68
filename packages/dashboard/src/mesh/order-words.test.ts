import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepWords } from './order-words.ts';

test('an order says which step is made or failed, and whether it counts yet', () => {
  const failing = { state: 'failing', step: 'challenge', staging: true } as const;
  assert.match(stepWords(failing) ?? '', /^Failed at: gateways show .*, at the staging directory$/);
  assert.equal(
    stepWords({ ...failing, state: 'under_way', step: 'finalize', staging: false }),
    'Now: the authority signs',
  );
  assert.equal(stepWords({ ...failing, state: 'waiting', step: null }), null);
  assert.equal(stepWords({ ...failing, state: 'issued' }), null);
});
