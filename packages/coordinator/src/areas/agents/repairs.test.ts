/** What agents put back is reported once, in at most one event a minute. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventRecord, Posture, Repair } from '@meshwork/contract';
import { EventReader } from '../../../test/event-reader.ts';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

describe('repairs that a node reports', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  const settled = async () => {
    const node = await TestNode.enroll(mesh);
    await node.settle();
    return node;
  };
  const repair = (second: number, section: Repair['section'] = 'firewall'): Repair => ({
    section,
    at: `2026-11-15T09:30:${String(second).padStart(2, '0')}.250Z`,
    found: `found ${second}`,
  });
  const says = (node: TestNode, ...repairs: Repair[]) => node.beat({ observed: { repairs } });
  const repaired = async ({ id }: TestNode) =>
    (await mesh.ask<Posture>('GET', `/v1/nodes/${id}/posture`)).body.repaired;
  /** Data of the events about repairs of the node until now. */
  const events = async ({ id }: TestNode) => {
    const last = await TestNode.enroll(mesh);
    using reader = await EventReader.open(mesh.url, { token: mesh.owner, last_event_id: '0', query: '?type=node.*' });
    const data: unknown[] = [];
    for (;;) {
      const [frame] = await reader.events(1);
      const event = JSON.parse(frame?.data ?? '') as EventRecord;
      if (event.subject.id === last.id) return data;
      if (event.type === 'node.drift_repaired' && event.subject.id === id) data.push(event.data);
    }
  };
  const counts = async (node: TestNode) => (await events(node)).map((data) => (data as { count: number }).count);

  it('are in an event with what was found, and in the posture', async () => {
    const node = await settled();
    assert.equal(await repaired(node), null);
    await says(node, repair(1), repair(2, 'acl'), repair(3));
    const { name } = node.enrolled;
    const reason = 'firewall: found 3; acl: found 2';
    const sections = ['firewall', 'acl'];
    assert.deepEqual(await events(node), [{ name, sections, reason, count: 3 }]);
    assert.deepEqual(await repaired(node), { at: '2026-11-15T09:30:03Z', sections, found: 'found 3' });
  });

  it('are in one event, though an agent without an answer reports them again', async () => {
    const node = await settled();
    await says(node, repair(1), repair(2));
    mesh.clock.advance(61);
    await node.prove();
    await says(node, repair(1), repair(2), repair(3));
    mesh.clock.advance(61);
    await node.prove();
    await says(node, repair(3));
    assert.deepEqual(await counts(node), [2, 1]);
  });

  it('are not reported again by a heartbeat that is replayed', async () => {
    const node = await settled();
    const body = { observed: { repairs: [repair(1)] }, seq: node.seq + 1 };
    assert.equal((await node.beat(body)).status, 200);
    assert.equal((await node.beat(body)).body.code, 'heartbeat_replayed');
    assert.deepEqual(await counts(node), [1]);
  });

  it('are written with the next heartbeat when the first one could not be written', async () => {
    const [node, other] = [await settled(), await settled()];
    const { wireguard_key } = other.keys;
    const refused = await node.beat({ observed: { repairs: [repair(1)] }, report: { wireguard_key } });
    assert.equal(refused.body.code, 'already_exists');
    assert.deepEqual(await counts(node), []);
    await says(node, repair(1));
    assert.deepEqual(await counts(node), [1]);
  });

  it('are known to a coordinator that restarted, and not counted again when reported again', async () => {
    const node = await settled();
    await says(node, repair(1), repair(2));
    const before = await repaired(node);
    await mesh.down();
    await mesh.up();
    mesh.clock.advance(61);
    assert.deepEqual(await repaired(node), before);
    assert.equal((await node.beat()).body.report, 'everything');
    await node.beat({ complete: true, observed: { repairs: [repair(1), repair(2)] } });
    assert.deepEqual([await counts(node), await repaired(node)], [[2], before]);
  });

  it('fill no log where two programs fight over a host: one event a minute has them all', async () => {
    const node = await settled();
    for (let second = 1; second <= 50; second++) await says(node, repair(second));
    assert.deepEqual(await counts(node), [1]);
    assert.equal((await repaired(node))?.found, 'found 50', 'the posture has repairs that no event has reported yet');
    mesh.clock.advance(61);
    await node.beat(); // says nothing of it
    await node.beat();
    assert.deepEqual(await counts(node), [1, 49]);
  });

  it('are refused when they were at no moment that exists', async () => {
    const node = await settled();
    const got = await says(node, repair(1), { ...repair(2), at: '2026-11-15T23:59:60Z' });
    assert.equal(got.status, 422);
    assert.deepEqual(await counts(node), []);
  });
});
