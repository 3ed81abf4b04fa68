import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { EventRecord, Node, NodeOperation, Posture } from '@meshwork/contract';
import { type Ended, mesh, Run, SUITE_MS, type TempFolder, tempFolder } from './run-mesh.ts';

/** Real agents against a real coordinator, driven by the program alone. The steps build on each other. */
describe('mesh with a fleet', () => {
  let folder: TempFolder;
  let coordinator: Run;
  let fleet: Run;
  let env: Record<string, string>;

  before(async () => {
    folder = await tempFolder();
    const args = ['coordinator', '--listen', '127.0.0.1:0', '--data-dir', join(folder.path, 'data')];
    coordinator = new Run(args, { cwd: folder.path, hangs_after_ms: SUITE_MS });
    const [, url = ''] = await coordinator.said('stdout', /"url":"([^"]+)".*"msg":"serving"/);
    env = { MESH_URL: url };
    fleet = new Run(['fleet', '--nodes', '3', '--prefix', 'sim', '--tag', 'role:sim'], {
      env,
      cwd: folder.path,
      hangs_after_ms: SUITE_MS,
    });
    await fleet.said('stderr', /3 nodes {2}3 active/);
  });
  after(async () => {
    await fleet?.[Symbol.asyncDispose]();
    await coordinator?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const run = (...args: string[]): Promise<Ended> => mesh(args, { env, cwd: folder.path });
  const answer = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await run(...args, '--json');
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    return JSON.parse(stdout) as T;
  };

  it('sees its nodes, by name and by tag', async () => {
    const { items } = await answer<{ items: Node[] }>('node', 'list', '--tag', 'role:sim', '--state', 'active');
    assert.deepEqual(items.map(({ name }) => name).sort(), ['sim-1', 'sim-2', 'sim-3']);
    assert.equal((await answer<Posture>('node', 'posture', 'sim-1')).drift_since, null);
    assert.equal((await run('node', 'show', 'sim-4')).code, 4);
  });

  it('has a node make a new key, and waits until its heartbeat proves it', async () => {
    const old = await answer<Node>('node', 'show', 'sim-1');
    const { state } = await answer<NodeOperation>('node', 'rekey', 'sim-1', '--wait');
    const now = await answer<Node>('node', 'show', 'sim-1');
    assert.equal(state, 'verified');
    assert.notEqual(now.wireguard_key, old.wireguard_key);
  });

  it('asks a node how it stands, and has its answer', async () => {
    const { code, stdout } = await run('node', 'diagnose', 'sim-1');
    assert.equal(code, 0);
    const { dry_run, self } = JSON.parse(stdout) as { dry_run: boolean; self: { name: string } };
    assert.deepEqual([dry_run, self.name], [true, 'sim-1']);
  });

  it('makes a relay of one and moves another to it', async () => {
    assert.equal((await run('relay', 'create', 'fra-1', '--node', 'sim-2', '--host', 'fra.example.net')).code, 0);
    const { state } = await answer<NodeOperation>('node', 'relay', 'sim-1', 'fra-1', '--wait');
    assert.deepEqual([state, (await answer<Node>('node', 'show', 'sim-1')).relay], ['verified', 'fra-1']);
  });

  it('removes a node, and everybody else lets go of it', async () => {
    assert.equal((await answer<NodeOperation>('node', 'remove', 'sim-3', '--yes', '--wait')).state, 'verified');
    assert.equal((await answer<{ items: Node[] }>('node', 'list')).items.length, 2);
  });

  it('has heard of all of it', async () => {
    await using events = new Run(['events', '--after', '0', '--type', 'node.*', '--json'], { env, cwd: folder.path });
    await events.said('stdout', /"node\.removed".*\n/);
    const heard = events.stdout.trimEnd().split('\n');
    const types = heard.map((line) => (JSON.parse(line) as EventRecord).type);
    assert.deepEqual(types.slice(0, 3), ['node.joined', 'node.joined', 'node.joined']);
    assert.ok(types.includes('node.rekeyed'));
    assert.ok(types.every((type) => type.startsWith('node.')));
  });

  it('ends the fleet in good order', async () => {
    fleet.child.kill('SIGINT');
    const { code, stdout } = await fleet.ended;
    assert.equal(code, 0);
    assert.match(stdout, /^nodes +\d\n/);
  });

  it('needs a token to enrol a fleet', async () => {
    const { code, stderr } = await mesh(['fleet', '--url', 'http://192.0.2.1:7400']);
    assert.equal(code, 3);
    assert.match(stderr, /^mesh: a token that may enrol nodes is needed\ntry: set MESH_TOKEN/);
  });
});
