/** A change that a node rolled back has one event, and is shown wherever operators look until it is in effect. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CompiledFirewall, EventRecord, Overview, Posture, RolledBack } from '@meshwork/contract';
import { EventReader } from '../../../test/event-reader.ts';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

const ROLLED_BACK: RolledBack = { revision: 448, after_s: 60, at: '2026-11-15T09:30:00Z' };
const ERROR = 'Rolled back: no heartbeat was answered within 60 s after revision 448 was applied.';

describe('a rule set that a node rolled back', () => {
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
  const refuses = (node: TestNode, rolled_back: RolledBack = ROLLED_BACK) =>
    node.beat({ applied: { firewall: { revision: 447, digest: '000000000000', error: ERROR, rolled_back } } });
  const sees = async (node: TestNode) => {
    const posture = (await mesh.ask<Posture>('GET', `/v1/nodes/${node.id}/posture`)).body.sections.firewall;
    const compiled = (await mesh.ask<CompiledFirewall>('GET', `/v1/firewall/nodes/${node.id}`)).body;
    const { attention } = (await mesh.ask<Overview>('GET', '/v1/overview')).body;
    return { posture, compiled, attention: attention.filter(({ subject }) => subject.id === node.id) };
  };
  /** Events about rollbacks of the node until now. */
  const events = async ({ id }: TestNode) => {
    const last = await TestNode.enroll(mesh);
    using reader = await EventReader.open(mesh.url, { token: mesh.owner, last_event_id: '0', query: '?type=node.*' });
    const found: [string, unknown][] = [];
    for (;;) {
      const [frame] = await reader.events(1);
      const { type, subject, data } = JSON.parse(frame?.data ?? '') as EventRecord;
      if (subject.id === last.id) return found;
      if (type.includes('roll') && subject.id === id) found.push([type, data]);
    }
  };

  it('is in the posture, with the compiled rules, among what needs attention, and in one event', async () => {
    const node = await settled();
    const { name } = node.enrolled;
    assert.equal((await sees(node)).compiled.rolled_back, null);
    assert.equal((await refuses(node)).status, 200);
    await refuses(node);
    const { posture, compiled, attention } = await sees(node);
    assert.deepEqual([posture.in_sync, posture.reason, posture.observed?.rolled_back], [false, ERROR, ROLLED_BACK]);
    assert.deepEqual(compiled.rolled_back, ROLLED_BACK);
    const reason = 'no heartbeat was answered within 60 s after rule set 448';
    assert.deepEqual(
      attention.map(({ kind, severity, title, detail, since }) => ({ kind, severity, title, detail, since })),
      [
        {
          kind: 'node_rolled_back',
          severity: 'warning',
          title: `Rolled back on ${name}`,
          detail: 'No heartbeat was answered within 60 s after rule set 448.',
          since: ROLLED_BACK.at,
        },
      ],
    );
    assert.deepEqual(await events(node), [['node.rolled_back', { name, sections: ['firewall'], reason }]]);
  });

  it('has a new event for another rollback, and none when the agent restarts', async () => {
    const node = await settled();
    await refuses(node);
    node.boot_id = crypto.randomUUID();
    node.seq = 0;
    await node.beat({ complete: true });
    assert.deepEqual((await sees(node)).compiled.rolled_back, ROLLED_BACK, 'it has not reported its rules yet');
    await refuses(node);
    assert.equal((await events(node)).length, 1);
    await refuses(node, { ...ROLLED_BACK, revision: 450 });
    assert.equal((await events(node)).length, 2);
  });

  it('is forgotten when the node is in sync again', async () => {
    const node = await settled();
    await refuses(node);
    await node.settle();
    const { posture, compiled, attention } = await sees(node);
    assert.deepEqual([posture.in_sync, compiled.rolled_back, attention], [true, null, []]);
    const { name } = node.enrolled;
    assert.deepEqual((await events(node)).at(-1), ['node.rollback_cleared', { name, sections: ['firewall'] }]);
  });
});
