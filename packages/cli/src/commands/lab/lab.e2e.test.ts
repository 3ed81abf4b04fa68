import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Node } from '@meshwork/contract';
import { type Ended, mesh, Run, SUITE_MS, tempFolder } from '../../../test/run-mesh.ts';

/** A real lab, driven by the program alone. The steps build on each other. */
describe('mesh lab', () => {
  const started = new AsyncDisposableStack();
  const lab = `c${process.pid.toString(36)}${randomBytes(3).toString('hex')}`;
  const [one, two, home] = [`${lab}-1`, `${lab}-2`, `${lab}-3`];
  let env: Record<string, string>;
  let cwd: string;

  /** With the name of the lab right after the verb: what follows a node in `exec` is not ours to read. */
  const run = (verb: string, ...args: string[]): Promise<Ended> =>
    mesh(['lab', verb, '--name', lab, ...args], { env, cwd, hangs_after_ms: SUITE_MS });
  const plain = (...args: string[]): Promise<Ended> => mesh(args, { env, cwd });

  before(async () => {
    const folder = started.use(await tempFolder());
    cwd = folder.path;
    const args = ['coordinator', '--listen', '127.0.0.1:0', '--data-dir', join(folder.path, 'data')];
    const coordinator = started.use(new Run(args, { cwd, hangs_after_ms: SUITE_MS }));
    const [, url = ''] = await coordinator.said('stdout', /"url":"([^"]+)".*"msg":"serving"/);
    env = { MESH_URL: url };
    started.defer(async () => {
      await run('down');
    });
  });
  after(() => started.disposeAsync());

  it('says that the coordinator is not there before it builds anything', async () => {
    const unreachable = { ...env, MESH_URL: 'http://127.0.0.1:9', MESH_TOKEN: 'mesh_x' };
    const { code, stderr } = await mesh(['lab', 'up', '--name', lab], {
      env: unreachable,
      cwd,
      hangs_after_ms: SUITE_MS,
    });
    assert.notEqual(code, 0);
    assert.match(stderr, /cannot reach http:\/\/127\.0\.0\.1:9/);
    const { stdout } = await plain('lab', 'list', '--json');
    assert.ok(!(JSON.parse(stdout) as { name: string }[]).some(({ name }) => name === lab));
  });

  it('comes up, with every node heard of', async () => {
    const flags = ['--nodes', '3', '--nat', home, '--tag', `${one}=role:git`, '--subnet', `10.50.0.0/24=${one},${two}`];
    flags.push('--site', 'office=symmetric,tcp-only');
    const { code, stdout, stderr } = await run('up', ...flags, '--json');
    assert.equal(code, 0, stderr);
    const nodes = JSON.parse(stdout) as Node[];
    assert.deepEqual(
      nodes.map(({ name, tags }) => [name, tags]),
      [
        [one, ['role:git']],
        [two, []],
        [home, []],
      ],
    );
    assert.ok(nodes.every(({ heartbeat }) => heartbeat !== null));
    assert.deepEqual((await show(one)).routes_approved, ['10.50.0.0/24']);
  });

  it('is listed and shown', async () => {
    const { stdout: list } = await plain('lab', 'list', '--json');
    assert.ok((JSON.parse(list) as { name: string }[]).some(({ name }) => name === lab));
    const { stdout } = await run('status');
    assert.match(stdout, new RegExp(`${one} +runs +203\\.0\\.113\\.10 +node_`));
    assert.match(stdout, new RegExp(`${home} +runs +203\\.0\\.113\\.12 \\(NAT\\)`));
    assert.match(stdout, new RegExp(`subnet 10\\.50\\.0\\.0/24: host-1 \\(10\\.50\\.0\\.10\\), behind ${one}, ${two}`));
  });

  it('runs commands in its places, with their flags, and ends as they end', async () => {
    const { code, stdout } = await run('exec', home, 'ping', '-c', '1', '-W', '60', '203.0.113.10');
    assert.deepEqual([code, / 0% packet loss/.test(stdout)], [0, true], stdout);
    assert.equal((await run('exec', one, 'sh', '-c', 'exit 42')).code, 42);
    assert.match((await run('exec', 'host-1', 'ip', '-4', '-o', 'addr', 'show', 'eth0')).stdout, /10\.50\.0\.10\/24/);
    assert.equal((await run('exec', 'nowhere', 'true')).code, 4);
  });

  it('cuts a link and mends it', async () => {
    const reach = (within_s: string) => run('exec', one, 'ping', '-c', '1', '-W', within_s, '203.0.113.11');
    assert.equal((await run('cut', one, two)).code, 0);
    assert.equal((await reach('1')).code, 1);
    assert.match((await run('status')).stdout, new RegExp(`cut: ${one} and ${two}`));
    assert.equal((await run('mend', one, two)).code, 0);
    assert.equal((await reach('60')).code, 0); // as soon as the answer is there
    assert.equal((await run('cut', one, 'coordinator')).code, 0);
    assert.equal((await run('mend', one, 'coordinator')).code, 0);
  });

  it('moves a node to a site and back', async () => {
    const { code, stdout } = await run('move', two, 'office');
    assert.deepEqual([code, stdout], [0, `${two} is at 198.51.100.10 (office)\n`]);
    const { stdout: status } = await run('status');
    assert.match(status, new RegExp(`${two} +runs +198\\.51\\.100\\.10 \\(office\\)`));
    assert.match(status, /site office: symmetric, tcp-only/);
    assert.equal((await run('exec', two, 'ping', '-c', '1', '-W', '1', '203.0.113.10')).code, 1);
    const { code: unknown, stderr } = await run('move', two, 'moon');
    assert.deepEqual([unknown, /no site "moon" .* there are office, internet/.test(stderr)], [4, true], stderr);
    assert.equal((await run('move', two, 'internet')).code, 0);
    assert.equal((await run('exec', two, 'ping', '-c', '1', '-W', '60', '203.0.113.10')).code, 0);
  });

  it('is there once', async () => {
    const { code, stderr } = await run('up', '--nodes', '1');
    assert.deepEqual([code, /there is a lab ".*" already/.test(stderr)], [5, true], stderr);
  });

  it('goes, and takes its nodes out of the mesh', async () => {
    const { code, stdout } = await run('down');
    assert.deepEqual([code, /is down; removed 3 of 3 nodes/.test(stdout)], [0, true], stdout);
    assert.equal((await plain('node', 'show', one)).code, 4);
    assert.equal((await run('down')).code, 4);
  });

  async function show(node: string): Promise<Node> {
    return JSON.parse((await plain('node', 'show', node, '--json')).stdout) as Node;
  }
});
