import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Node, NodeId } from '@meshwork/contract';
import { PolicyReach } from '../src/views/policy-reach.ts';
import { TestCoordinator } from './harness.ts';
import { TestNode } from './test-node.ts';

const TAGS = ['team:a', 'surface:git', 'env:test'];

class BrokenReach extends PolicyReach {
  broken = false;

  override update(id: NodeId) {
    if (this.broken) throw new Error('the index is lost');
    return super.update(id);
  }
}

it('a coordinator whose derived state is lost answers the change, refuses every request after it, and says that it must end', async () => {
  const test = await TestCoordinator.start();
  try {
    await test.down();
    const reach = new BrokenReach();
    const running = await test.up({ reach });
    await test.allowEverything();
    const node = await TestNode.enroll(test, { name: 'git-1', tags: TAGS });
    await node.settle();
    const waiting = node.beat({ wait: 15 });
    const isWaiting = /^mesh_coordinator_waiting_heartbeats 1$/m;
    await test.until(async () => isWaiting.test((await test.ask('GET', '/metrics')).text));
    reach.broken = true;
    const tags = [...TAGS, 'role:git'];
    const retagged = await test.ask('PUT', `/v1/nodes/${node.id}/tags`, { body: { tags } });
    assert.equal(retagged.status, 202, retagged.text);
    assert.match(String(await running.failure), /the index is lost/);
    assert.equal((await test.ask('GET', '/v1/nodes')).status, 503);
    assert.equal((await test.ask('GET', '/readyz', { token: null })).status, 503);
    const closing = running.close();
    assert.equal((await waiting).status, 503, 'what a node would be sent may be wrong');
    await closing;
    await test.up();
    const { body } = await test.ask<Node>('GET', `/v1/nodes/${node.id}`);
    assert.deepEqual(body.tags.toSorted(), tags.toSorted(), 'the change was durable');
  } finally {
    await test.close();
  }
});
