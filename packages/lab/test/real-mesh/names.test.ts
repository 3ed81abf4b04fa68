/** Names by DNS of the agents, in a real mesh: what a node is sent is what its programs find, and peers find nothing there. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { agentEnvironment } from '../../src/namespaces/node/agent-process.ts';
import { MESH_PROGRAM, Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { setGrants } from './grants.ts';
import { untilInSync } from './standing.ts';

const NAMES = ['a', 'b', 'c'];
const RESOLV_CONF = 'options timeout:1 attempts:1\n';

describe('three nodes whose agents answer DNS', () => {
  let scene: Scene;
  before(async () => {
    scene = await Scene.start({ nodes: [{ name: 'a' }, { name: 'b', services: ['web:tcp:80'] }, { name: 'c' }] });
    await setGrants(scene, [{ from: 'b', to: 'a', allow: ['*'] }]);
    for (const name of NAMES) {
      await scene.lab.node(name).agent.stop();
      await scene.lab.node(name).agent.start({ MESH_NAMES: 'dns' });
    }
    await untilInSync(scene, NAMES);
  });
  after(() => scene?.[Symbol.asyncDispose]());

  /** As any program of a node looks a name up. */
  async function lookUp(node: string, name: string): Promise<readonly string[]> {
    const found = await scene.lab
      .node(node)
      .exec('getent', ['ahosts', name])
      .catch(() => '');
    return [...new Set(found.split('\n').map((line) => line.split(' ', 1)[0] ?? ''))].filter((one) => one !== '');
  }
  const untilFound = (node: string, name: string, address: string) =>
    until(
      async () => (await lookUp(node, name)).includes(address),
      () => `${node} finds ${name} at ${address}`,
    );
  /** Asks a server itself, past the resolver of the host. */
  const asked = (node: string, server: string, name: string) =>
    scene.lab.node(node).exec(process.execPath, [
      '-e',
      `const resolver = new (require('node:dns').promises.Resolver)({ timeout: 2000, tries: 1 });
      resolver.setServers([process.argv[1]]);
      resolver.resolve4(process.argv[2]).then(console.log, ({ code }) => console.log(code))`,
      server,
      name,
    ]);

  test('a node finds its peers, their services and itself, and no other node', async () => {
    const [a, b] = [await scene.addressOf('a'), await scene.addressOf('b')];
    await untilFound('a', 'b.mesh', b);
    await untilFound('b', 'a.mesh', a);
    assert.ok((await lookUp('a', 'b')).includes(b), 'by its name alone');
    await scene.prober('b').listen(80); // a service whose check fails has no name
    await untilFound('a', 'web.svc.mesh', b);
    assert.ok((await lookUp('a', 'a.mesh')).includes(a));
    assert.deepEqual(await lookUp('a', 'c.mesh'), []);
    assert.doesNotMatch(await scene.lab.node('a').exec('cat', ['/etc/hosts']), /mesh/);
  });

  test('a record is found once it is there, and not any more when it is deleted', async () => {
    const b = await scene.addressOf('b');
    await scene.client.call('dns.create', { body: { name: '*.apps', cname: 'b.mesh' } });
    await untilFound('a', 'shop.apps.mesh', b);
    await scene.client.call('dns.delete', { params: { id: '*.apps' } });
    await until(
      async () => (await lookUp('a', 'shop.apps.mesh')).length === 0,
      () => 'the record is gone',
    );
  });

  test('a peer that the policy allows everything is refused', async () => {
    const [a, b] = [await scene.addressOf('a'), await scene.addressOf('b')];
    assert.equal(await asked('b', a, 'b.mesh'), 'EREFUSED\n');
    assert.equal(await asked('b', b, 'a.mesh'), `[ '${a}' ]\n`, 'its own agent answers it');
  });

  test('an agent that was killed is asked again after its start, and nothing is left of it after a reset', async () => {
    const b = await scene.addressOf('b');
    const node = scene.lab.node('a');
    await node.agent.stop('SIGKILL');
    assert.match(await node.exec('cat', ['/etc/resolv.conf']), /^# BEGIN mesh/);
    await node.agent.start({ MESH_NAMES: 'dns' });
    await untilFound('a', 'b.mesh', b);
    await node.agent.stop();
    const set = Object.entries(agentEnvironment(nodeFolder(scene.lab.plan.name, 'a'))).map((entry) => entry.join('='));
    await node.exec('env', ['-i', ...set, ...MESH_PROGRAM, 'agent', 'reset', '--yes'], { timeout_ms: 120_000 });
    assert.equal(await node.exec('cat', ['/etc/resolv.conf']), RESOLV_CONF);
  });
});
