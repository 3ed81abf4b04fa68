import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { RelayAccess } from '@meshwork/contract';
import { type ProvenRelay, RelayProblem, type RelayTrial } from './prove-relay.ts';
import { RelayProver } from './relay-prover.ts';

const access = (name: string, more: Partial<RelayAccess> = {}): RelayAccess => ({
  relay: { name, host: `${name}.example.net`, port: 3478 },
  username: '1:node_1',
  password: 'p',
  expires_at: '2026-11-15T09:30:00Z',
  ...more,
});
const PROVEN: ProvenRelay = { via: 'udp', rtt_ms: 12.34 };
const QUICK = { every_ms: 5, again_ms: [1] };
const NEVER_AGAIN = { every_ms: 3_600_000, again_ms: [] };

interface Script {
  prove: (trial: RelayTrial) => Promise<ProvenRelay>;
  pace?: typeof QUICK;
}

function proving({ prove, pace = NEVER_AGAIN }: Script) {
  const trials: RelayTrial[] = [];
  let changes = 0;
  const prover = new RelayProver({
    roots: () => ['a root'],
    changed: () => {
      changes += 1;
    },
    prove: (trial) => {
      trials.push(trial);
      return prove(trial);
    },
    pace,
  });
  return { prover, trials, changes: () => changes };
}

describe('the relays that a node may send through', () => {
  it('are tried at once, and reported with how they were reached', async (t: TestContext) => {
    const { prover, changes } = proving({
      prove: async ({ access: { relay } }) => {
        if (relay.name === 'fra-1') return PROVEN;
        throw new RelayProblem('it did not come back', 'tcp');
      },
    });
    prover.setAccess([access('fra-1'), access('ams-1')]);
    await t.waitFor(() => assert.equal(changes(), 2));
    assert.deepEqual(prover.proofs, [
      { name: 'fra-1', carries: true, via: 'udp' },
      { name: 'ams-1', carries: false, via: 'tcp', problem: 'it did not come back' },
    ]);
    assert.deepEqual(prover.round_trips, [{ name: 'fra-1', rtt_ms: 12.3 }]);
    prover.stop();
    assert.deepEqual(prover.proofs, []);
  });

  it('are tried again, and only what changes is news', async (t: TestContext) => {
    let works = true;
    const { prover, trials, changes } = proving({
      prove: async () => {
        if (works) return PROVEN;
        throw new Error('no answer');
      },
      pace: QUICK,
    });
    prover.setAccess([access('fra-1')]);
    await t.waitFor(() => assert.ok(trials.length > 3));
    assert.equal(changes(), 1);
    works = false;
    await t.waitFor(() => assert.equal(prover.proofs[0]?.carries, false));
    assert.equal(prover.proofs[0]?.problem, 'no answer');
    assert.equal(changes(), 2);
    works = true;
    await t.waitFor(() => assert.equal(prover.proofs[0]?.carries, true));
    prover.stop();
  });

  it('are tried with the newest credentials, which are no reason to try them at once', async (t: TestContext) => {
    const { prover, trials } = proving({ prove: async () => PROVEN });
    prover.setAccess([access('fra-1')]);
    await t.waitFor(() => assert.equal(prover.proofs.length, 1));
    prover.setAccess([access('fra-1', { username: '2:node_1' })]);
    assert.equal(trials.length, 1);
    const elsewhere = access('fra-1', {
      relay: { name: 'fra-1', host: '192.0.2.9', port: 3478 },
      username: '3:node_1',
    });
    prover.setAccess([elsewhere]);
    assert.equal(trials.at(-1)?.access.username, '3:node_1');
    assert.deepEqual(prover.proofs, [], 'what was found elsewhere says nothing of this place');
    await t.waitFor(() => assert.equal(prover.proofs.length, 1));
    prover.stop();
  });

  it('are stopped when they may not be used any more, and say nothing afterwards', async () => {
    const { promise, resolve } = Promise.withResolvers<ProvenRelay>();
    const { prover, trials, changes } = proving({ prove: () => promise });
    prover.setAccess([access('fra-1')]);
    prover.setAccess([]);
    assert.equal(trials[0]?.signal.aborted, true);
    resolve(PROVEN);
    await promise;
    await new Promise((done) => setImmediate(done));
    assert.deepEqual([prover.proofs, changes()], [[], 0]);
  });

  it('have problems of a bounded length', async (t: TestContext) => {
    const { prover } = proving({
      prove: async () => {
        throw new Error('x'.repeat(5000));
      },
    });
    prover.setAccess([access('fra-1')]);
    await t.waitFor(() => assert.equal(prover.proofs[0]?.problem?.length, 200));
    prover.stop();
  });
});
