/** An edit of the policy reaches the nodes it concerns, and wakes no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@meshwork/client';
import { TestCoordinator } from '@meshwork/coordinator/testing';
import { Fleet } from '../src/index.ts';
import { until } from './until.ts';

const NODES = 1000;
const CONCERNED = 20;
/** A heartbeat waits for news for so long, the most that it can. Then it is answered without any. */
const INTERVAL_S = 60;
/** A node that was answered sooner after its last answer was woken. Clocks are read in whole milliseconds, and more than one. */
const LAPSE_MS = INTERVAL_S * 1000 - 100;

const policyOf = (...allow: string[]) =>
  JSON.stringify({
    groups: { everyone: ['*'], few: ['tag:role:few'] },
    grants: [
      { from: 'everyone', to: 'everyone', allow: ['icmp'], within: 'boundary' },
      { from: 'few', to: 'few', allow },
    ],
  });

test(`an edit that concerns ${CONCERNED} of ${NODES} nodes is sent to those ${CONCERNED} and to no other`, async () => {
  const mesh = await TestCoordinator.start();
  await using _ = { [Symbol.asyncDispose]: () => mesh.close() };
  const client = createClient({ url: mesh.url, token: mesh.owner });
  await client.call('settings.update', {
    body: { nodes: { heartbeat_interval_s: INTERVAL_S, stale_after_s: 300, unreachable_after_s: 900 } },
  });
  await client.call('acls.replace', { body: policyOf('tcp:22') });
  const isFew = (index: number) => index % (NODES / CONCERNED) === 0;
  await using fleet = new Fleet({
    urls: [mesh.url],
    token: mesh.owner,
    tags: (index) => [`team:t${index % 40}`, ...(isFew(index) ? ['role:few'] : [])],
  });
  await fleet.join(NODES);
  await quiet(fleet);

  const before = { answers: fleet.stats().answers, acl: aclRevisions(fleet), at: answeredAt(fleet) };
  const { body } = await client.call('acls.replace', { body: policyOf('tcp:22', 'tcp:443') });
  await until(
    () => notified(fleet, before.acl).length >= CONCERNED,
    () => `${notified(fleet, before.acl).length} were notified`,
  );
  await quiet(fleet);
  const names = notified(fleet, before.acl);
  assert.equal(names.length, CONCERNED);
  const few = fleet.nodes.filter(({ self }) => self?.tags.includes('role:few')).map(({ name }) => name);
  assert.deepEqual(names.sort(), few.sort());
  const others = fleet.nodes.filter(({ name }) => !few.includes(name));
  const waited = others.map(({ id, name, answered_at_ms }) => ({
    name,
    ms: answered_at_ms - (before.at.get(id) ?? 0),
  }));
  const lapsed = waited.filter(({ ms }) => ms >= LAPSE_MS);
  assert.deepEqual(
    waited.filter(({ ms }) => ms > 0 && ms < LAPSE_MS),
    [],
    'others were woken',
  );
  // Each of the few was answered once with the news; whatever else it says afterwards is what it has put into effect.
  const answered = fleet.stats().answers - before.answers - lapsed.length;
  assert.ok(answered >= CONCERNED && answered <= 4 * CONCERNED, `${answered} answers`);
  for (const node of fleet.nodes.filter(({ name }) => few.includes(name))) {
    assert.equal(node.view?.revisionOf('acl'), body.revision);
  }
});

const aclRevisions = (fleet: Fleet) => new Map(fleet.nodes.map(({ id, view }) => [id, view?.revisionOf('acl')]));

const answeredAt = (fleet: Fleet) => new Map(fleet.nodes.map(({ id, answered_at_ms }) => [id, answered_at_ms]));

const notified = (fleet: Fleet, before: ReadonlyMap<string, number | undefined>): string[] =>
  fleet.nodes.filter(({ id, view }) => view?.revisionOf('acl') !== before.get(id)).map(({ name }) => name);

/** All are connected, no news is sent any more, and no node has anything to report. */
async function quiet(fleet: Fleet): Promise<void> {
  let last = -1;
  let since = 0;
  await until(
    () => {
      const { deliveries, superseded, connected } = fleet.stats();
      since = deliveries + superseded === last && connected === NODES ? since + 1 : 0;
      last = deliveries + superseded;
      return since >= 20; // looks, a second in all
    },
    () => `still ${JSON.stringify(fleet.stats())}`,
    120_000,
  );
}
