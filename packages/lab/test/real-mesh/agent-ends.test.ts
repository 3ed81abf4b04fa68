/** When an agent cannot do its part, it says why: it ends with a code for scripts, or goes on and tells in its health. */
import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { TestCoordinator } from '@meshwork/coordinator/testing';
import { Lab, ProgramFailed } from '../../src/namespaces/index.ts';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { agentEnvironment } from '../../src/namespaces/node/agent-process.ts';
import { newLabName } from '../lab-names.ts';
import { Prober } from '../lab-prober.ts';
import { MESH_PROGRAM } from '../lab-scene.ts';
import { newFolder } from '../new-folder.ts';
import { bundledProgram } from '../unit-program.ts';
import { reboot } from './host-faults.ts';
import { checkOf, untilCoordinator, untilReady } from './standing.ts';

const HOUR_S = 3600;

describe('an agent that cannot do its part', () => {
  let coordinator: TestCoordinator;
  let lab: Lab;
  const node = () => lab.node('a');

  before(async () => {
    coordinator = await TestCoordinator.start();
    const { url, owner: token } = coordinator;
    await coordinator.ask('PATCH', '/v1/settings', { body: { nodes: { heartbeat_interval_s: 2 } } });
    const spec = { name: newLabName(), nodes: [{ name: 'a' }], program: await bundledProgram() };
    lab = await Lab.up({ ...spec, coordinator: url, token });
    await untilCoordinator(node(), 'there');
  });
  after(async () => {
    await lab?.down();
    await coordinator?.close();
  });

  /** As its service unit would, until it ends: with what it says then. */
  async function run(inside: readonly string[] = [], path?: string): Promise<ProgramFailed> {
    const environment = { ...agentEnvironment(nodeFolder(lab.plan.name, 'a')), ...(path && { PATH: path }) };
    const set = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const program = ['-i', ...set, ...inside, ...MESH_PROGRAM, 'agent', 'run'];
    const ended = await node()
      .exec('env', program, { timeout_ms: 120_000 })
      .catch((error: unknown) => error);
    assert.ok(ended instanceof ProgramFailed, 'it ends, and not with 0');
    return ended;
  }

  test('it is refused for the clock: it goes on trying, says so, and comes back when the clock is right', async () => {
    coordinator.clock.advance(HOUR_S);
    await node().agent.stop();
    await node().agent.start();
    const standing = await untilCoordinator(node(), 'away');
    assert.match(checkOf(standing, 'coordinator')?.detail ?? '', /\(clock_skewed: .*clock/);
    await untilReady(node()); // what it carries does not depend on the clock
    assert.equal(await node().agent.isRunning(), true);
    coordinator.clock.advance(-HOUR_S);
    await untilCoordinator(node(), 'there');
  });

  test('the machine lacks what it needs: it ends with 12, and names everything at once', async (context) => {
    await reboot(node());
    const folder = await newFolder(context);
    for (const program of ['ip', 'wg', 'wireguard-go', 'flock']) {
      const found = (await node().exec('sh', ['-c', 'command -v "$1"', 'sh', program])).trim();
      await symlink(found, join(folder, program));
    }
    await using others = new Prober(node());
    await others.listen(51820, 'udp');
    await others.listen(8080);
    const withoutTun = ['/bin/sh', '-c', '/bin/mount -t tmpfs none /dev/net && exec "$@"', 'sh'];
    const { exit, stderr } = await run(withoutTun, folder);
    assert.equal(exit, 12);
    for (const part of [
      /^mesh: this machine lacks what an agent needs:\n/,
      /nft.* is not installed.*→ apt-get install nftables/,
      /\/dev\/net\/tun cannot be opened \(ENOENT\).*→ modprobe tun/,
      /UDP port 51820, for WireGuard, cannot be had \(EADDRINUSE\).*→ .*MESH_WIREGUARD_PORT/,
      /127\.0\.0\.1:8080, for health and metrics, cannot be had \(EADDRINUSE\).*→ .*MESH_HEALTH_LISTEN/,
    ]) {
      assert.match(stderr, part);
    }
    assert.doesNotMatch(await node().exec('ip', ['-br', 'link']), /mesh0/, 'nothing is begun on such a machine');
  });

  test('its node is removed while it runs: it ends with 13, and says what to do', async () => {
    const ended = run();
    const early = ended.then(({ stderr }) => assert.fail(`it ended before its node was removed: ${stderr}`));
    await Promise.race([untilCoordinator(node(), 'there'), early]);
    early.catch(() => undefined); // from now on it should end
    const id = (await node().id()) ?? '';
    assert.equal((await coordinator.ask('DELETE', `/v1/nodes/${id}`)).status, 202);
    const { exit, stderr } = await ended;
    assert.equal(exit, 13);
    assert.match(stderr, /the coordinator does not know this node any more/);
    assert.match(stderr, /try: to enrol this machine again: mesh agent reset --forget/);
  });
});
