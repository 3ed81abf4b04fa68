import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Compared, type FaultTimes, judge, realityOf } from './judge.ts';

const passes = (address = '100.64.0.2') => ({ address, passed: true, outcome: 'connected' });
const fails = (address = '100.64.0.2') => ({ address, passed: false, outcome: 'timed out' });
const quiet: Omit<Compared, 'verdicts' | 'attempts'> = {
  claims: [],
  started_ms: 10_000,
  ended_ms: 10_100,
  faults: [],
  disturbed: false,
};
const fault: FaultTimes = { hidden: false, opens: false, began_ms: 9000, begun_ms: 9010, put_back_ms: null };

const allowedButFails = (rest: Partial<Compared> = {}) =>
  judge({ ...quiet, verdicts: ['allowed', 'allowed'], attempts: [fails()], ...rest });
const deniedButPasses = (rest: Partial<Compared> = {}) =>
  judge({ ...quiet, verdicts: ['denied', 'denied'], attempts: [passes()], ...rest });

describe('an answer and an attempt', () => {
  test('agree when what is allowed passes and what is denied does not', () => {
    assert.equal(judge({ ...quiet, verdicts: ['allowed', 'allowed'], attempts: [passes()] }), 'agrees');
    assert.equal(judge({ ...quiet, verdicts: ['denied', 'denied'], attempts: [fails()] }), 'agrees');
  });

  test('are a lie when they differ and nothing came between', () => {
    assert.equal(allowedButFails(), 'lie');
    assert.equal(deniedButPasses(), 'lie');
  });

  test('show nothing when the answer changed meanwhile, or the harness changed something', () => {
    assert.equal(judge({ ...quiet, verdicts: ['allowed', 'denied'], attempts: [fails()] }), 'again');
    assert.equal(allowedButFails({ disturbed: true }), 'again');
    assert.equal(deniedButPasses({ disturbed: true }), 'again');
  });

  test('are no lie when the answer is unknown', () => {
    assert.equal(judge({ ...quiet, verdicts: ['unknown', 'unknown'], attempts: [passes()] }), 'unknown');
  });
});

describe('what is allowed and fails', () => {
  test('is late within five seconds after a hidden fault', () => {
    assert.equal(allowedButFails({ faults: [{ ...fault, hidden: true }] }), 'late');
    assert.equal(allowedButFails({ faults: [{ ...fault, hidden: true, began_ms: 4000, begun_ms: 5000 }] }), 'late');
  });
  test('is a lie later, and after a fault that the coordinator knows of', () => {
    assert.equal(allowedButFails({ faults: [{ ...fault, hidden: true, began_ms: 4000, begun_ms: 4990 }] }), 'lie');
    assert.equal(allowedButFails({ faults: [fault] }), 'lie');
  });
});

describe('what is denied and passes', () => {
  test('was being put back when the node reports that within two seconds', () => {
    assert.equal(deniedButPasses({ faults: [{ ...fault, opens: true, put_back_ms: 12_000 }] }), 'put back');
  });
  test('is a lie when the report comes later, never, or came before the attempt', () => {
    for (const put_back_ms of [12_101, null, 9999]) {
      assert.equal(deniedButPasses({ faults: [{ ...fault, opens: true, put_back_ms }] }), 'lie', `${put_back_ms}`);
    }
  });
  test('is a lie after any other fault, however hidden', () => {
    assert.equal(deniedButPasses({ faults: [{ ...fault, hidden: true, put_back_ms: 12_000 }] }), 'lie');
  });
});

describe('a name with two addresses', () => {
  const [four, six] = ['100.64.0.2', 'fd00::2'];
  test('is judged at each of them', () => {
    const attempts = [passes(four), fails(six)];
    assert.equal(judge({ ...quiet, verdicts: ['allowed', 'allowed'], attempts }), 'lie');
    assert.equal(judge({ ...quiet, verdicts: ['denied', 'denied'], attempts }), 'lie');
    assert.equal(realityOf(attempts), 'both');
  });
  test('is held to what the answer says of each family, also when it is unknown as a whole', () => {
    const claims = [
      { address: four, verdict: 'allowed' },
      { address: six, verdict: 'denied' },
    ] as const;
    const verdicts = ['unknown', 'unknown'] as const;
    assert.equal(judge({ ...quiet, claims, verdicts, attempts: [passes(four), fails(six)] }), 'unknown');
    assert.equal(judge({ ...quiet, claims, verdicts, attempts: [passes(four), passes(six)] }), 'lie');
  });
});
