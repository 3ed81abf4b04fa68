/** A node behind a router that lets nothing in asks it for a port, and is found at it. The router is Debian's miniupnpd. */
import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { WIREGUARD_PORT } from '@meshwork/contract';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { agentEnvironment } from '../../src/namespaces/node/agent-process.ts';
import { Scene } from '../lab-scene.ts';
import { bundledProgram } from '../unit-program.ts';
import { until } from '../until.ts';
import { BareSockets } from './bare-sockets.ts';
import { MappingRouter, OUTSIDE } from './mapping-router.ts';

/** In the log of an agent. */
const MADE = 'maps a port to WireGuard';
const MAPPED = `${OUTSIDE}:${WIREGUARD_PORT}`;
/** Counts what arrives for WireGuard, by the port that it was sent from. */
const ARRIVALS = `table inet arrivals {
  set seen { type inet_service; flags dynamic; }
  chain in { type filter hook input priority -300; udp dport ${WIREGUARD_PORT} add @seen { udp sport }; }
}`;

describe('a node behind a router that maps ports', () => {
  const stack = new AsyncDisposableStack();
  let scene: Scene;
  let router: MappingRouter;
  let outside: BareSockets;
  let sent_from = 30_000;

  before(async () => {
    const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'meshwork-router-')));
    scene = stack.use(
      await Scene.start({
        nodes: [{ name: 'pub' }, { name: 'home', site: 'site' }],
        sites: [{ name: 'site', nat: 'masquerade' }],
        settings: { nodes: { heartbeat_interval_s: 2 } },
      }),
    );
    router = stack.use(await MappingRouter.prepare(scene.lab, 'site', folder.path, ['pub']));
    outside = stack.use(new BareSockets(scene.lab.place('pub')));
    await scene.lab.node('home').exec('nft', ['-f', '-'], { input: ARRIVALS });
  });
  after(() => stack.disposeAsync());

  async function allow(port_mapping: boolean): Promise<void> {
    await scene.client.call('settings.update', { body: { nodes: { port_mapping } } });
  }

  async function untilReported(isReported: boolean): Promise<void> {
    let endpoints: readonly string[] = [];
    await until(
      async () => {
        endpoints = (await scene.node('home')).endpoints;
        return endpoints.includes(MAPPED) === isReported;
      },
      () => `${MAPPED} is ${isReported ? '' : 'not '}reported: ${endpoints}`,
    );
  }

  /** Sends a datagram to the mapped port, from a port that the router has never seen. */
  async function knock(): Promise<number> {
    sent_from += 1;
    const socket = await outside.bind(sent_from);
    await socket.send({ host: OUTSIDE, port: WIREGUARD_PORT }, 'knock');
    return sent_from;
  }

  async function arrived(port: number): Promise<boolean> {
    const seen = await scene.lab.node('home').exec('nft', ['list', 'set', 'inet', 'arrivals', 'seen']);
    return new RegExp(`\\b${port}\\b`).test(seen);
  }

  async function untilLetIn(): Promise<void> {
    const from = await knock();
    await until(
      () => arrived(from),
      () => 'a datagram to the mapped port arrives',
    );
  }

  /** What the node says of it when it is asked. */
  async function diagnosed(): Promise<unknown> {
    const id = (await scene.lab.node('home').id()) ?? '';
    const { body: asked } = await scene.client.call('nodes.diagnose', { params: { id }, body: {} });
    const { body } = await scene.client.call('operations.show', { params: { id: asked.id }, query: { wait: 60 } });
    return JSON.parse(body.result ?? '{}').port_mapping;
  }

  for (const method of ['NAT-PMP', 'UPnP', 'PCP'] as const) {
    test(`by ${method} it gets a port at which it is found, and gives it back when that is not allowed any more`, async () => {
      await router.start(method);
      await allow(true);
      await untilReported(true);
      assert.deepEqual(await router.ports(), [WIREGUARD_PORT]);
      await untilLetIn();
      const found = await diagnosed();
      const gateway = scene.lab.plan.sites[0]?.four?.lan.replace('.0/24', '.1');
      assert.deepEqual(found, { allowed: true, gateway, method, endpoint: MAPPED, problem: null, reported: true });

      await allow(false);
      await router.untilPorts([]);
      await untilReported(false);
    });
  }

  test('a mapping outlives the agent, which takes it up again; and what the router has lost is made again', async () => {
    await allow(true);
    await router.untilPorts([WIREGUARD_PORT]);
    const { agent } = scene.lab.node('home');
    await agent.stop('SIGKILL');
    await untilLetIn();
    const times = (await agent.logs()).split(MADE).length;
    await agent.start();
    await until(
      async () => (await agent.logs()).split(MADE).length > times,
      () => 'the agent has renewed its mapping',
    );
    assert.deepEqual(await router.ports(), [WIREGUARD_PORT]);

    await router.start('PCP');
    await router.untilPorts([WIREGUARD_PORT]);
    await untilReported(true);
    await untilLetIn();
  });

  test('an agent that is removed from its machine gives the port back', async () => {
    const { lab } = scene;
    const home = lab.node('home');
    await home.agent.stop();
    assert.deepEqual(await router.ports(), [WIREGUARD_PORT]);
    const set = Object.entries(agentEnvironment(nodeFolder(lab.plan.name, 'home'))).map((entry) => entry.join('='));
    const program = [...(await bundledProgram()), 'agent', 'reset', '--yes'];
    await home.exec('env', ['-i', ...set, ...program], { timeout_ms: 120_000 });
    assert.deepEqual(await router.ports(), []);
    const from = await knock();
    await router.untilKnocked(from);
    assert.equal(await arrived(from), false);
  });

  test('a node that is removed from the mesh gives its port back', async () => {
    const home = scene.lab.node('home');
    await home.agent.start();
    await router.untilPorts([WIREGUARD_PORT]);
    await scene.client.call('nodes.remove', { params: { id: (await home.id()) ?? '' } });
    await router.untilPorts([]);
  });
});
