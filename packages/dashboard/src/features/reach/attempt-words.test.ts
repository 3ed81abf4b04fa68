import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleProbeReport, type ProbeReport } from '@meshwork/contract';
import { arrivalText, attemptText, comparison } from './attempt-words.ts';

const { attempt, arrival, explanation } = exampleProbeReport;
assert.ok(attempt !== null && arrival !== null);

describe('an attempt', () => {
  const compared = (given: Partial<ProbeReport>, verdict = explanation.verdict) =>
    comparison({ ...exampleProbeReport, explanation: { ...explanation, verdict }, ...given });

  it('agrees with the explanation, or contradicts it', () => {
    assert.equal(compared({ agrees: true }).tone, 'agrees');
    const { tone, text } = compared({ agrees: false }, 'allowed');
    assert.equal(tone, 'disagrees');
    assert.equal(
      text,
      'Explained as allowed, but the attempt was blocked. This is a bug in Meshwork: please report it.',
    );
  });

  it('says why it cannot be compared', () => {
    assert.match(compared({ agrees: null, reality: 'unknown' }).text, /no outcome to compare/);
    assert.match(
      compared({ agrees: null, reality: 'passed' }, 'unknown').text,
      /could not tell\. The attempt passed\./,
    );
    assert.match(compared({ agrees: null }, 'allowed').text, /up to a rate/);
  });

  it('has words for what either end saw', () => {
    assert.equal(attemptText({ ...attempt, outcome: 'connected', took_ms: 3 }), 'Connected after 3 ms');
    assert.equal(attemptText({ ...attempt, detail: 'ENETDOWN' }), 'No answer within 400 ms (ENETDOWN)');
    assert.equal(arrivalText(arrival), '1 packet arrived at git-1 on mesh0; none passed its packet filters');
    assert.equal(
      arrivalText({ ...arrival, arrived: 3, passed: 2, interface: null }),
      '3 packets arrived at git-1; 2 passed its packet filters',
    );
    assert.equal(arrivalText({ ...arrival, arrived: 0 }), 'Nothing arrived at git-1');
  });
});
