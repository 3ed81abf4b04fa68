import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeldView } from '@meshwork/agent';
import { APPLIED_SECTIONS } from '@meshwork/contract';
import { FaultyDataPlane } from './faulty-data-plane.ts';

function setUp() {
  const view = new HeldView();
  view.take({ revision: 1, next_s: 0, peers: { full: [] }, acl: { full: [] }, firewall: [], relay: null, ingress: [] });
  return { view, plane: new FaultyDataPlane({ node: 'node_a', now: () => 0 }) };
}

for (const section of APPLIED_SECTIONS) {
  test(`${section} can be broken, and is in effect again when the node behaves`, async () => {
    const { view, plane } = setUp();
    plane.setFault('never_applies');
    await assert.rejects(plane.apply(section, view), /^Error: simulated/);
    plane.setFault('wrong_digests');
    const { digest, revision } = await plane.apply(section, view);
    assert.equal(revision, view.revisionOf(section));
    assert.notEqual(digest, view.digestOf(section));
    plane.setFault(undefined);
    assert.equal((await plane.apply(section, view)).digest, view.digestOf(section));
  });
}

test('what is in effect is looked at anew in every section when a node begins to misbehave', () => {
  const { plane } = setUp();
  let drifted: readonly string[] = [];
  plane.onChange((sections) => {
    drifted = sections;
  });
  plane.setFault('wrong_digests');
  assert.deepEqual(drifted, APPLIED_SECTIONS);
});

test('commands can be broken, and are done again when the node behaves', async () => {
  const { plane } = setUp();
  plane.setFault('fails_commands');
  await assert.rejects(plane.rekey('operation_1'), /^Error: simulated/);
  await assert.rejects(plane.diagnose(), /^Error: simulated/);
  plane.setFault(undefined);
  assert.match(await plane.rekey('operation_1'), /=$/);
  assert.equal(JSON.parse(await plane.diagnose()).dry_run, true);
});

test('it observes what it is made to, at once and as a whole, and goes on with what changes', async () => {
  const { view, plane } = setUp();
  await plane.apply('relay', view);
  plane.observe('everything');
  let news = 0;
  plane.onChange(() => {
    news += 1;
  });
  plane.setObserved((observed) => ({ ...observed, relay: 'fra-1' }));
  assert.equal(news, 1);
  const { telemetry, relay } = plane.observe('changes');
  assert.ok(telemetry !== undefined, 'all of it is reported once more');
  assert.equal(relay, 'fra-1');
  assert.deepEqual(plane.observe('changes'), { relay: 'fra-1' });
});
