import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Node, Overview } from '@meshwork/contract';
import { EventReader, type Frame } from '../../../test/event-reader.ts';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

const isAbout = ([frame]: readonly Frame[], node: TestNode) => frame?.data?.includes(node.id) === true;

describe('a node that has never sent a heartbeat', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());
  const record = async ({ id }: TestNode) => (await mesh.ask<Node>('GET', `/v1/nodes/${id}`)).body;

  it('is joining until its first heartbeat, has no role, and is active with it, also after a restart', async () => {
    const routes = ['10.31.0.0/16'];
    const node = await TestNode.enroll(mesh, { routes });
    assert.equal(node.enrolled.state, 'joining');
    await mesh.ask('PUT', `/v1/nodes/${node.id}/routes`, { body: { approved: routes } });
    const reporting = await TestNode.enroll(mesh, { routes });
    await reporting.settle();
    await mesh.ask('PUT', `/v1/nodes/${reporting.id}/routes`, { body: { approved: routes } });
    // The older of the two, which would have been chosen.
    await mesh.until(async () => (await record(reporting)).routes_provided.length === 1);
    assert.deepEqual((await record(node)).routes_provided, []);
    const listed = await mesh.ask<{ items: Node[] }>('GET', '/v1/nodes?state=joining');
    assert.deepEqual(
      listed.body.items.map(({ id }) => id),
      [node.id],
    );
    const { nodes } = (await mesh.ask<Overview>('GET', '/v1/overview')).body;
    assert.deepEqual([nodes.by_state.joining, nodes.by_state.active], [1, 1]);
    assert.match((await mesh.ask('GET', '/metrics')).text, /mesh_coordinator_nodes\{state="joining"\} 1/);
    await mesh.down();
    await mesh.up();
    assert.deepEqual([(await record(node)).state, (await record(reporting)).state], ['joining', 'active']);
    const reply = await node.beat({ complete: true });
    assert.equal(reply.body.self?.state, 'active');
    assert.equal((await record(node)).state, 'active');
  });

  it('is stale, then unreachable, when that never comes', async () => {
    const node = await TestNode.enroll(mesh);
    for (const [seconds, state] of [
      [46, 'stale'],
      [255, 'unreachable'],
    ] as const) {
      mesh.clock.advance(seconds);
      await mesh.until(async () => (await record(node)).state === state);
    }
  });
});

describe('a node whose heartbeat is overdue', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  const state = async (node: TestNode) => (await mesh.ask<Node>('GET', `/v1/nodes/${node.id}`)).body.state;
  const becomes = (node: TestNode, wanted: Node['state']) => mesh.until(async () => (await state(node)) === wanted);
  /** Long enough for the coordinator to have looked, had it wanted to. */
  const aLook = () => new Promise((resolve) => setTimeout(resolve, 1300));

  it('is stale, then unreachable, and active again with its next one', async () => {
    const longer = await TestNode.enroll(mesh);
    await longer.settle();
    mesh.clock.advance(16);
    const node = await TestNode.enroll(mesh);
    await node.settle();
    mesh.clock.advance(30); // and the look takes its time too
    await becomes(longer, 'stale'); // so the coordinator has looked at both
    assert.equal(await state(node), 'active');
    mesh.clock.advance(16);
    await becomes(node, 'stale');
    mesh.clock.advance(255);
    await becomes(node, 'unreachable');
    await node.beat();
    assert.equal(await state(node), 'active');
  });

  it('is in an event, once each time', async () => {
    using events = await EventReader.open(mesh.url, { token: mesh.owner, query: '?type=node.*' });
    const node = await TestNode.enroll(mesh);
    await node.settle();
    mesh.clock.advance(46);
    await becomes(node, 'stale');
    await node.beat();
    const later = await TestNode.enroll(mesh);
    const types: (string | undefined)[] = [];
    // Up to an event about the later node: so there was no other event about the first one.
    for (let frame = await events.events(1); !isAbout(frame, later); frame = await events.events(1)) {
      if (isAbout(frame, node)) types.push(frame[0]?.event);
    }
    assert.deepEqual(types, ['node.joined', 'node.stale', 'node.recovered']);
  });

  it('loses its roles to one that is fresh, and does not take them back', async () => {
    const tags = ['team:roles'];
    const routes = ['10.30.0.0/16'];
    const [first, second] = [
      await TestNode.enroll(mesh, { tags, routes }),
      await TestNode.enroll(mesh, { tags, routes }),
    ];
    for (const node of [first, second]) {
      await node.settle();
      await mesh.ask('PUT', `/v1/nodes/${node.id}/routes`, { body: { approved: routes } });
    }
    const provider = async (node: TestNode) =>
      (await mesh.ask<Node>('GET', `/v1/nodes/${node.id}`)).body.routes_provided.length > 0;
    await mesh.until(() => provider(first));
    mesh.clock.advance(40);
    await second.beat();
    mesh.clock.advance(10);
    await becomes(first, 'stale');
    await mesh.until(() => provider(second));
    await first.beat();
    await aLook();
    assert.deepEqual([await provider(first), await provider(second)], [false, true]);
  });

  it('is not blamed for the time in which no coordinator listened', async () => {
    const node = await TestNode.enroll(mesh);
    await node.settle();
    mesh.clock.advance(30);
    await aLook(); // its last heartbeat and that we listen are on disk
    await mesh.down();
    mesh.clock.advance(3600);
    await mesh.up();
    await aLook();
    assert.equal(await state(node), 'active', 'it was silent for half a minute while we listened');
    mesh.clock.advance(17);
    await becomes(node, 'stale');
  });

  it('keeps its state, and the time of its last heartbeat, over a restart', async () => {
    const node = await TestNode.enroll(mesh);
    await node.settle();
    await aLook();
    const { heartbeat } = (await mesh.ask<Node>('GET', `/v1/nodes/${node.id}`)).body;
    mesh.clock.advance(301);
    await becomes(node, 'unreachable');
    await mesh.down();
    await mesh.up();
    const after = (await mesh.ask<Node>('GET', `/v1/nodes/${node.id}`)).body;
    assert.deepEqual([after.state, after.heartbeat], ['unreachable', heartbeat]);
  });

  it('is judged by settings that can be changed while the mesh runs', async () => {
    const node = await TestNode.enroll(mesh);
    await node.settle();
    const nodes = { heartbeat_interval_s: 1, stale_after_s: 10, unreachable_after_s: 20 };
    assert.equal((await mesh.ask('PATCH', '/v1/settings', { body: { nodes } })).status, 200);
    mesh.clock.advance(11);
    await becomes(node, 'stale');
    mesh.clock.advance(10);
    await becomes(node, 'unreachable');
  });
});
