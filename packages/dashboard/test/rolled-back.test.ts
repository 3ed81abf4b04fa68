/** A rule that may cut nodes off has a warning, and a rollback is shown on the overview and on the pages of the node. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestNode } from '@meshwork/panel/testing';
import { Scene } from './scene.ts';

describe('a rule that cuts a node off', () => {
  let scene: Scene;
  let node: TestNode;
  before(async () => {
    scene = await Scene.open({ mesh: false });
    node = await TestNode.enroll(scene.panel.coordinator, { name: 'fra-2' });
    await node.settle();
  });
  after(() => scene?.[Symbol.asyncDispose]());

  test('has a warning when it is enabled', async () => {
    const rule = { nodes: ['*'], direction: 'out', interface: 'eth0', protocol: 'tcp', action: 'drop' } as const;
    const body = { ...rule, nodes: [...rule.nodes], enabled: false };
    await scene.client.call('firewall.create', { body });
    await using person = await scene.person('operator');
    await person.opens('/firewall');
    await person.page.getByRole('switch', { name: 'Rule 1 is disabled' }).click();
    await person.reads('May cut off one node');
    await person.reads('Rule 1 is enabled');
    assert.deepEqual(person.faults, []);
  });

  test('is shown as rolled back on the overview and on both pages of the node', async () => {
    const rolled_back = { revision: 448, after_s: 60, at: '2026-11-15T09:30:00Z' };
    const error = 'Rolled back: no heartbeat was answered within 60 s after revision 448 was applied.';
    const firewall = { revision: 447, digest: '000000000000', error, rolled_back };
    assert.equal((await node.beat({ applied: { firewall } })).status, 200);
    await using person = await scene.person('operator');
    await person.opens('/');
    await person.reads('Rolled back on fra-2');
    await person.reads('No heartbeat was answered within 60 s after rule set 448.');
    await person.opens(`/nodes/${node.id}`);
    await person.reads('Rolled back');
    await person.reads(error);
    await person.opens(`/firewall/nodes/${node.id}`);
    await person.reads(/No heartbeat was answered within 60 s after rule set 448, so fra-2 restored the previous one/);
    assert.deepEqual(person.faults, []);
  });
});
