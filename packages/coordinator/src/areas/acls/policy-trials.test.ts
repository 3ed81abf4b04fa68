import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MeshError } from '@meshwork/contract';
import { Model } from '../../mesh/model.ts';
import { RoutesOf } from '../../views/routes-of.ts';
import { PolicyTrials } from './policy-trials.ts';

/** So much to work out that no machine is done at once. */
const HARD = JSON.stringify({
  groups: Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`g${index}`, ['*']])),
  grants: Array.from({ length: 8000 }, (_, index) => ({
    from: `g${index % 1500}`,
    to: `g${(index * 7) % 1500}`,
    allow: [`tcp:${index + 1}`],
  })),
});
function trialsOfEmptyMesh(options?: ConstructorParameters<typeof PolicyTrials>[2]): PolicyTrials {
  const model = new Model();
  return new PolicyTrials({ model }, new RoutesOf(model), options);
}
const codeOf = (error: unknown) => (error as MeshError).code;

describe('trying a policy out', () => {
  it('says what is wrong with it, what fails and what would change', async () => {
    await using trials = disposable(trialsOfEmptyMesh());
    const broken = await trials.run('{', 0);
    assert.equal(broken.ok, false);
    const failing = await trials.run('{"tests":[{"from":"a","allow":["b:icmp"]}]}', 0);
    assert.equal(failing.ok && failing.failed_tests.length, 1);
    const compared = await trials.run('{}', 0, 'compared');
    assert.deepEqual(compared.ok && compared.difference?.closes, [
      { from: 'everyone', to: 'everyone', allow: 'icmp', pairs: 0 },
    ]);
  });

  it('is given up when it takes too long, and the next one is none the worse for it', async (t) => {
    const thread = new URL('../../../test/hanging-trial-thread.ts', import.meta.url);
    const options = { limit_ms: 2000, thread };
    // By a clock that only we move: a thread may take any time to start, and the second has as long as the first.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await using trials = disposable(trialsOfEmptyMesh(options));
    const hanging = new BroadcastChannel('hanging-trial-thread');
    t.after(() => hanging.close());
    const hangs = new Promise((resolve) => {
      hanging.onmessage = resolve;
    });
    const both = Promise.allSettled([trials.run('hang', 0), trials.run('{}', 0)]);
    await hangs;
    t.mock.timers.tick(2000);
    const [hung, next] = await both;
    assert.equal(hung.status === 'rejected' && codeOf(hung.reason), 'policy_invalid');
    assert.equal(next.status, 'fulfilled');
  });

  it('of too many at once is refused, and the rest are answered in turn', async () => {
    await using trials = disposable(trialsOfEmptyMesh());
    const asked = await Promise.allSettled(Array.from({ length: 30 }, () => trials.run('{}', 0)));
    const refused = asked.filter(({ status }) => status === 'rejected');
    assert.ok(refused.length > 0 && refused.length < 30, `${refused.length} refused`);
    for (const one of refused) assert.equal(codeOf((one as PromiseRejectedResult).reason), 'busy');
  });

  it('that is under way when the coordinator closes is refused, not left waiting', async () => {
    const trials = trialsOfEmptyMesh();
    const waiting = Promise.allSettled([trials.run(HARD, 0), trials.run('{}', 0)]);
    await trials.close();
    for (const one of await waiting) {
      assert.equal(one.status === 'rejected' && codeOf(one.reason), 'shutting_down');
    }
    await assert.rejects(trials.run('{}', 0), (error) => codeOf(error) === 'shutting_down');
  });
});

function disposable(trials: PolicyTrials): PolicyTrials & AsyncDisposable {
  return Object.assign(trials, { [Symbol.asyncDispose]: () => trials.close() });
}
