import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Scene } from './lab-scene.ts';
import { until } from './until.ts';

const ALL = { groups: { all: ['*'] }, grants: [{ from: 'all', to: 'all', allow: ['*'] }] };

/** That the lab is a mesh at all: what the mesh promises is tested elsewhere. */
describe('a lab with its coordinator', () => {
  let scene: Scene;
  before(async () => {
    scene = await Scene.start({
      nodes: [{ name: 'a', tags: ['role:git'] }, { name: 'b' }, { name: 'home', nat: true }],
    });
    await scene.client.call('acls.replace', { body: JSON.stringify(ALL) });
    for (const node of ['a', 'b', 'home']) await scene.prober(node).listen(80);
  });
  after(() => scene?.[Symbol.asyncDispose]());

  const reaches = async (from: string, to: string) => {
    const address = await scene.addressOf(to);
    await until(
      async () => (await scene.prober(from).connect(address, 80, { timeout_ms: 3_000 })).outcome === 'connected',
      () => `${from} reaches ${to} through the mesh`,
    );
  };

  test('its nodes are nodes of the mesh', async () => {
    const { tags, state } = await scene.node('a');
    assert.deepEqual([tags, state], [['role:git'], 'active']);
  });

  test('they reach each other through it, also from behind NAT', async () => {
    await reaches('a', 'b');
    await reaches('home', 'a');
    await reaches('b', 'home');
  });

  test('a flow stands still while its link is cut', async () => {
    const flow = await scene.prober('a').flow(await scene.addressOf('b'), 80);
    await scene.lab.cut('a', 'b');
    await until(
      async () => (await flow.state()).quiet_ms > 1_000,
      () => 'nothing passes any more',
    );
    await scene.lab.mend('a', 'b');
    await until(
      async () => (await flow.state()).quiet_ms < 500,
      () => 'it passes again',
    );
    assert.equal((await flow.state()).ended, null);
    await flow.end();
  });

  test('an agent is killed and started again', async () => {
    const { agent } = scene.lab.node('a');
    assert.ok(await agent.isRunning());
    await agent.stop('SIGKILL');
    assert.ok(!(await agent.isRunning()));
    await agent.start();
    await reaches('a', 'b');
    await reaches('b', 'a');
    await agent.stop('SIGTERM');
    assert.ok(!(await agent.isRunning()));
  });
});
