/** A relay of the mesh, from the command that makes it to the packets that other nodes send through it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Relay } from '@meshwork/contract';
import { Scene } from '../lab-scene.ts';
import { mayRunRelay } from '../relay-node.ts';
import { until } from '../until.ts';

describe('a relay', () => {
  let scene: Scene;
  let runner: Awaited<ReturnType<typeof mayRunRelay>> | undefined;
  before(async () => {
    scene = await Scene.start({ nodes: [{ name: 'relay-1' }, { name: 'git-1' }] });
  });
  after(async () => {
    await scene?.[Symbol.asyncDispose]();
    await runner?.[Symbol.asyncDispose]();
  });

  const relay = async (): Promise<Relay> =>
    (await scene.client.call('relays.show', { params: { name: 'fra-1' } })).body;
  const untilHealth = async (pattern: RegExp) => {
    let last: Relay | undefined;
    await until(
      async () => {
        last = await relay();
        return pattern.test(last.health);
      },
      () => `${pattern} in ${JSON.stringify(last)}`,
    );
    return last as Relay;
  };
  test('on a node whose agent may not run one says what it lacks', async () => {
    const { address } = scene.lab.node('relay-1');
    const body = { name: 'fra-1', node: 'relay-1', host: address };
    await scene.client.call('relays.create', { body });
    const { id } = await scene.node('relay-1');
    let error = '';
    await until(
      async () => {
        const { body: posture } = await scene.client.call('nodes.posture', { params: { id } });
        error = posture.sections.relay_server.observed?.error ?? '';
        return error !== '';
      },
      () => 'the section of the relay has an error',
    );
    assert.match(error, /relay.conf/);
    assert.equal((await relay()).healthy, false);
  });

  test('runs once its agent may, and is healthy when packets of another node came back through it', async () => {
    runner = await mayRunRelay(scene.lab.node('relay-1'));
    const { healthy, load } = await untilHealth(/^Proven by 1 node\.$/);
    assert.equal(healthy, true);
    await until(
      async () => ((await relay()).load?.sessions ?? 0) > 0,
      () => `what it carries is reported, after ${JSON.stringify(load)}`,
    );
  });

  test('that is killed comes back', async () => {
    const coturn = () => scene.lab.node('relay-1').exec('pgrep', ['-f', `turnserver -c ${runner?.folder}`]);
    const pid = Number(await coturn());
    process.kill(pid, 'SIGKILL');
    await until(
      async () => Number(await coturn().catch(() => pid)) !== pid,
      () => 'another process',
    );
  });

  test('leaves its node with it', async () => {
    await scene.client.call('relays.delete', { params: { name: 'fra-1' } });
    const node = scene.lab.node('relay-1');
    await until(
      async () => !(await node.exec('nft', ['list', 'tables'])).includes('mesh_relay'),
      () => 'nothing of it is left',
    );
    assert.doesNotMatch(await node.exec('ss', ['-Hltun']), /:3478/);
  });
});
