import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Applied, AppliedSection } from '@meshwork/contract';
import { HeldView } from '../view/held-view.ts';
import { Reconciler } from './reconciler.ts';

function setUp(apply: (section: AppliedSection, revision: number) => Promise<Applied>) {
  const view = new HeldView();
  const reported: [AppliedSection, Applied][] = [];
  const plane = {
    apply: (section: AppliedSection) => apply(section, view.revisionOf(section)),
    observe: () => ({}),
    rekey: async () => '',
    diagnose: async () => '',
    onChange: () => undefined,
  };
  const reconciler = new Reconciler(plane, view, (...report) => void reported.push(report));
  const tell = (revision: number) => reconciler.reconcile(view.take({ revision, next_s: 0, relay: null }));
  return { reconciler, reported, tell };
}

test('what cannot be applied is reported with what is still in effect, and tried again', async () => {
  let broken = false;
  const { reconciler, reported, tell } = setUp(async (_, revision) => {
    if (broken) throw new Error('no such device');
    return { revision, digest: `d${revision}` };
  });
  await tell(1);
  broken = true;
  await tell(2);
  assert.deepEqual(reported.at(-1), ['relay', { revision: 1, digest: 'd1', error: 'no such device' }]);
  broken = false;
  await reconciler.reconcile([]);
  assert.deepEqual(reported.at(-1), ['relay', { revision: 2, digest: 'd2' }]);
  await reconciler.reconcile([]);
  assert.equal(reported.length, 3, 'what is in effect is left alone');
});

test('a newer view that comes while one is being applied is applied after it, never beside it', async () => {
  let running = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const { reported, tell } = setUp(async (_, revision) => {
    running += 1;
    most = Math.max(most, running);
    await gate.promise;
    running -= 1;
    return { revision, digest: 'd' };
  });
  const first = tell(1);
  const second = tell(2);
  gate.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(
    reported.map(([, { revision }]) => revision),
    [1, 2],
  );
  assert.equal(most, 1);
});

test('a section that is asked for anew while it is being applied is applied once more', async () => {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const { reconciler, reported, tell } = setUp(async (_, revision) => {
    begun.resolve();
    await gate.promise;
    return { revision, digest: 'd' };
  });
  const first = tell(1);
  await begun.promise;
  const again = reconciler.reconcile(['relay']);
  gate.resolve();
  await Promise.all([first, again]);
  assert.equal(reported.length, 2);
});
