import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPLIED_SECTIONS, type HeartbeatReply, newId } from '@meshwork/contract';
import { agentWith } from '../../test/test-agent.ts';
import { DryRunDataPlane } from '../data-plane/dry-run-data-plane.ts';
import { HeldView } from './held-view.ts';
import { snapshotOf } from './snapshot.ts';

const SELF = {
  name: 'git-1',
  address: '100.64.0.7/32',
  address6: 'fd::7/128',
  networks: ['100.64.0.0/10'],
  tags: [],
  state: 'active' as const,
  routes: [],
};

function reply(): HeartbeatReply {
  return {
    revision: 7,
    next_s: 0,
    self: SELF,
    peers: { full: [] },
    acl: { full: [{ peer: newId('node', 1), allow: ['tcp:22'], forward: [], routes: [] }] },
    firewall: [],
    relay: null,
    ingress: [],
    commands: [{ id: newId('operation', 1), kind: 'rekey' }],
  };
}

test('what is held can be saved, and gives the same view again, with the commands that were not done yet', () => {
  const view = new HeldView();
  assert.equal(snapshotOf(view), undefined, 'before anything was received there is nothing to save');
  view.take(reply());
  view.take({ revision: 9, next_s: 0, relay: { name: 'fra-1', host: 'fra-1.example.net', port: 3478 } });
  const again = new HeldView();
  again.take(JSON.parse(JSON.stringify(snapshotOf(view))) as HeartbeatReply);
  assert.deepEqual(snapshotOf(again), snapshotOf(view));
  for (const section of APPLIED_SECTIONS) {
    assert.equal(again.digestOf(section), view.digestOf(section), section);
  }
  assert.equal(again.revision, 9);
});

test('an agent that starts with what the one before it held applies that, asks for no more than has changed, and does what was left to do', async () => {
  const restored = reply();
  await using it = await agentWith({ restored });
  await it.coordinator.until(() => it.coordinator.beats.length >= 1);
  const [first] = it.coordinator.beats;
  assert.equal(first?.body.revision, 7);
  assert.equal(first?.wait_s, 2, 'so that it soon knows whether it is back');
  assert.deepEqual(first?.body.applied?.self, { revision: 7, digest: it.agent.view.digestOf('self') });
  await it.coordinator.until(() => it.coordinator.beats.some(({ body }) => (body.results ?? []).length > 0));
});

test('an agent keeps what it held when no coordinator can be reached', async () => {
  await using it = await agentWith({ restored: reply(), urls: ['http://127.0.0.1:9'] });
  await it.coordinator.until(() => it.coordinator.beats.length >= 1);
  assert.equal(it.agent.view.sections.self?.name, 'git-1');
});

test('an agent that could not apply what it held tries again, also while no coordinator can be reached', async () => {
  const tried = Promise.withResolvers<void>();
  const plane = new DryRunDataPlane({ node: 'node', now: Date.now });
  let failures = 0;
  const apply = plane.apply.bind(plane);
  plane.apply = async (section, view) => {
    if (section !== 'self') return apply(section, view);
    failures += 1;
    if (failures === 1) throw new Error('UDP port 51820 is taken');
    tried.resolve();
    return apply(section, view);
  };
  const script = { heartbeat: () => 'break' as const };
  await using it = await agentWith({ restored: reply(), data_plane: plane, script });
  await tried.promise;
  assert.equal(it.agent.status.state, 'retrying');
});
