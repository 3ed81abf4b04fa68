import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type EventRecord,
  MAX_ANSWER_BYTES,
  type NodeOperation,
  type NodeOperationWithResult,
  type Problem,
} from '@meshwork/contract';
import { EventReader } from '../../../test/event-reader.ts';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

describe('asking a node how it stands', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  const settled = async (given: Readonly<Record<string, unknown>> = {}) => {
    const node = await TestNode.enroll(mesh, given);
    await node.settle();
    return node;
  };
  const ask = async ({ id }: TestNode) =>
    (await mesh.ask<NodeOperation & Problem>('POST', `/v1/nodes/${id}/diagnose`, { body: {} })).body;
  const shown = async ({ id }: NodeOperation) =>
    (await mesh.ask<NodeOperationWithResult>('GET', `/v1/operations/${id}`)).body;
  const answer = (node: TestNode, { id }: NodeOperation, data?: string) =>
    node.beat({ results: [{ id, outcome: 'done', ...(data === undefined ? {} : { data }) }] });

  /** The data of all events until the operation was verified. */
  const eventsUntilVerified = async ({ id }: NodeOperation) => {
    const query = '?type=operation.*';
    using reader = await EventReader.open(mesh.url, { token: mesh.owner, last_event_id: '0', query });
    for (let seen = ''; ; ) {
      const [frame] = await reader.events(1);
      seen += frame?.data;
      const { subject, data } = JSON.parse(frame?.data ?? '') as EventRecord;
      if (subject.id === id && data.state === 'verified') return seen;
    }
  };

  it('ends with its answer, which is shown with the operation and nowhere else', async () => {
    const node = await settled();
    const operation = await ask(node);
    assert.deepEqual([operation.kind, operation.state, operation.result_bytes], ['diagnose', 'requested', null]);
    await node.beat();
    assert.deepEqual(node.held.commands, [{ id: operation.id, kind: 'diagnose' }]);
    const data = JSON.stringify({ found: 'Würmer \u0000 \ud800' });
    assert.equal((await answer(node, operation, data)).status, 200);
    const now = await shown(operation);
    assert.deepEqual([now.state, now.result, now.result_bytes], ['verified', data, Buffer.byteLength(data)]);
    await node.beat();
    assert.deepEqual(node.held.commands, []);
    await mesh.down();
    await mesh.up();
    assert.deepEqual(await shown(operation), now);
    const { text: audit } = await mesh.ask('GET', `/v1/audit?target=${node.id}`);
    assert.ok(audit.includes(`"result_bytes":${now.result_bytes}`));
    const { text: list } = await mesh.ask('GET', '/v1/operations?kind=diagnose');
    for (const text of [audit, list, await eventsUntilVerified(operation)]) assert.ok(!text.includes('Würmer'), text);
  });

  it('is no success when the answer cannot be read, is too long, or does not come', async () => {
    const node = await settled();
    const long = `"${'ä'.repeat(MAX_ANSWER_BYTES / 2)}"`;
    for (const data of [undefined, '', '{"half":', long]) {
      const operation = await ask(node);
      await node.beat();
      assert.equal((await answer(node, operation, data)).status, 200, 'the rest of the heartbeat counts all the same');
      const { state, reason, result, result_bytes } = await shown(operation);
      assert.deepEqual([state, result, result_bytes], ['failed', null, null]);
      assert.equal(reason, 'the node says that it is done, but not that the node answers with what it found');
    }
    const operation = await ask(node);
    await node.beat({ results: [{ id: operation.id, outcome: 'failed', detail: 'no disk', data: '{}' }] });
    const { state, reason, result } = await shown(operation);
    assert.deepEqual([state, reason, result], ['failed', 'no disk', null]);
  });

  it('takes the longest answer there may be', async () => {
    const node = await settled();
    const operation = await ask(node);
    const data = `"${'x'.repeat(MAX_ANSWER_BYTES - 2)}"`;
    assert.equal((await answer(node, operation, data)).status, 200);
    assert.equal((await shown(operation)).result, data);
  });

  it('is possible while a node is cut off, and is not ended by that', async () => {
    const node = await settled();
    const before = await ask(node);
    await mesh.ask('POST', `/v1/nodes/${node.id}/quarantine`, { body: {} });
    assert.equal((await shown(before)).state, 'requested');
    await node.prove();
    await node.beat();
    await answer(node, before, '{"cut":"off"}');
    const after = await ask(node);
    await answer(node, after, '{"still":"here"}');
    assert.deepEqual(
      [(await shown(before)).result, (await shown(after)).result],
      ['{"cut":"off"}', '{"still":"here"}'],
    );
  });

  it('can be cancelled at any time, changes nothing of the node, and its late answer goes nowhere', async () => {
    const node = await settled();
    const etag = async () => (await mesh.ask('GET', `/v1/nodes/${node.id}`)).headers.get('etag');
    const before = await etag();
    const operation = await ask(node);
    await node.beat();
    await node.beat();
    assert.equal((await shown(operation)).state, 'delivered');
    assert.equal((await mesh.ask('DELETE', `/v1/operations/${operation.id}`)).status, 200);
    await node.beat();
    assert.deepEqual(node.held.commands, []);
    await answer(node, operation, '{}');
    const { state, result } = await shown(operation);
    assert.deepEqual([state, result, await etag()], ['cancelled', null, before]);
  });

  it('is the only thing that a node can have text kept for', async () => {
    const node = await settled();
    const { id } = (await mesh.ask<NodeOperation>('PUT', `/v1/nodes/${node.id}/tags`, { body: { tags: ['a:b'] } }))
      .body;
    await node.beat();
    await node.beat({ applied: node.applied(), results: [{ id, outcome: 'done', data: '{"kept":"?"}' }] });
    const { state, result, result_bytes } = (await mesh.ask<NodeOperationWithResult>('GET', `/v1/operations/${id}`))
      .body;
    assert.deepEqual([state, result, result_bytes], ['verified', null, null]);
  });

  it('needs a permission of its own, and the node to lie in the scope', async () => {
    const node = await settled({ tags: ['team:other'] });
    const operation = await ask(node);
    await answer(node, operation, '{}');
    const { secret: viewer } = await mesh.token({ role: 'viewer' });
    const { secret: narrow } = await mesh.token({ role: 'operator', scope: PLATFORM });
    const asked = (token: string) => mesh.ask('POST', `/v1/nodes/${node.id}/diagnose`, { token, body: {} });
    assert.deepEqual([(await asked(viewer)).status, (await asked(narrow)).status], [403, 404]);
    assert.equal((await mesh.ask('GET', `/v1/operations/${operation.id}`, { token: narrow })).status, 404);
  });
});
