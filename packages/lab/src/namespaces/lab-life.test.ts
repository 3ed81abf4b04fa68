import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newLabName } from '../../test/lab-names.ts';
import { tracesOf, untilNoTrace } from '../../test/lab-traces.ts';
import { until } from '../../test/until.ts';
import { Lab, type LabOptions } from './lab.ts';
import { LabError } from './lab-error.ts';
import { withMachineLock } from './life/machine-lock.ts';

const part = (name: string) => fileURLToPath(new URL(`../../test/${name}`, import.meta.url));

function small(name: string): LabOptions {
  const nodes = [{ name: 'a' }, { name: 'b', nat: true }];
  return { name, nodes, coordinator: 'http://127.0.0.1:9', program: [] };
}

/** In a process of its own. Whatever becomes of it, the machine is clean after the test. */
function ownerOf(context: TestContext, options: LabOptions & { readonly leaves?: boolean }): ChildProcess {
  const owner = spawn(process.execPath, [part('lab-owner-process.ts'), JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  context.after(async () => {
    owner.kill('SIGKILL');
    await Lab.down(options.name);
  });
  return owner;
}

describe('the life of a lab', () => {
  test('it ends with the process that it belongs to, however that ends', async (context) => {
    const name = newLabName();
    const sites = [{ name: 'carrier' }, { name: 'home', behind: 'carrier' }];
    const nodes = [...small(name).nodes, { name: 'c', site: 'home' }];
    const owner = ownerOf(context, { ...small(name), nodes, sites });
    await once(owner, 'message');
    const traces = tracesOf(name).join('\n');
    for (const trace of [
      /namespace .*-nat-b/,
      /namespace .*-nat-home/,
      /namespace .*-nat-carrier/,
      /folder \/run/,
      /folder \/etc/,
      /keeper-process/,
      /sleep 1000/,
    ]) {
      assert.match(traces, trace);
    }
    owner.kill('SIGKILL');
    await untilNoTrace(name);
  });

  test('it ends also when its owner is killed halfway', async (context) => {
    const name = newLabName();
    const nodes = Array.from({ length: 30 }, (_, index) => ({ name: `n${index}` }));
    const owner = ownerOf(context, { ...small(name), nodes });
    await until(
      () => tracesOf(name).some((trace) => trace.startsWith('namespace')),
      () => 'the first namespace is there',
    );
    owner.kill('SIGKILL');
    await untilNoTrace(name);
  });

  test('one that is to stay outlives its parent process, until it is ended', async (context) => {
    const name = newLabName();
    const owner = ownerOf(context, { ...small(name), stays: true, leaves: true });
    await once(owner, 'exit');
    const lab = await Lab.open(name, []);
    assert.match(await lab.node('b').exec('ping', ['-c', '1', '-W', '5', lab.node('a').address]), / 0% packet loss/);
    assert.equal(await Lab.down(name), true);
    assert.deepEqual(tracesOf(name), []);
  });

  test('what a keeper that was killed has left is swept by the next lab', async (context) => {
    const dead = newLabName();
    const owner = ownerOf(context, { ...small(dead), stays: true, leaves: true });
    await once(owner, 'exit');
    // Labs of other tests sweep too, whenever they begin or end: while we hold the lock, none can.
    await withMachineLock(async () => {
      process.kill((await Lab.open(dead, [])).record.keeper.pid, 'SIGKILL');
      await until(
        async () => !(await Lab.names()).includes(dead),
        () => 'it is known to be dead',
      );
      assert.notEqual(tracesOf(dead).length, 0);
      await assert.rejects(Lab.open(dead, []), /there is no lab/);
    });

    await using _next = await Lab.up(small(newLabName()));
    assert.deepEqual(tracesOf(dead), []);
  });

  test('a second one of the same name is refused, and the first goes on', async () => {
    const name = newLabName();
    await using lab = await Lab.up(small(name));
    await assert.rejects(
      Lab.up(small(name)),
      (error) =>
        error instanceof LabError && error.fault === 'conflict' && error.message.startsWith(`there is a lab "${name}"`),
    );
    assert.match(await lab.node('b').exec('ping', ['-c', '1', '-W', '5', lab.node('a').address]), / 0% packet loss/);
    const keepers = tracesOf(name).filter((trace) => trace.includes('keeper-process'));
    assert.equal(keepers.length, 1, 'the keeper of the second has ended');
  });

  test('two stand side by side, and do not see each other', async () => {
    const [one, other] = [newLabName(), newLabName()];
    await using first = await Lab.up(small(one));
    await using second = await Lab.up({ ...small(other), nodes: [{ name: 'a' }] });
    const address = first.node('b').address;
    assert.equal(first.node('a').address, second.node('a').address);
    await assert.rejects(second.node('a').exec('ping', ['-c', '1', '-W', '1', address]), /100% packet loss/);
    await second.down();
    assert.deepEqual(tracesOf(other), []);
    assert.match(await first.node('b').exec('ping', ['-c', '1', '-W', '5', '10.213.0.10']), / 0% packet loss/);
  });

  test('one that cannot be brought up leaves nothing behind', async () => {
    const name = newLabName();
    const broken = { ...small(name), token: 'a token', program: ['false'] };
    await assert.rejects(Lab.up(broken), (error) => error instanceof LabError && error.fault === 'failed');
    assert.deepEqual(tracesOf(name), []);
  });

  test('ending it while it comes up ends it', async (context) => {
    const name = newLabName();
    const nodes = Array.from({ length: 30 }, (_, index) => ({ name: `n${index}` }));
    // However late we are, it is not up: its nodes do not come to the end of enrolling.
    const program = ['sh', '-c', 'sleep 1000; true'];
    const owner = ownerOf(context, { ...small(name), nodes, program, token: 'a token' });
    const ended = once(owner, 'exit');
    await until(
      () => tracesOf(name).some((trace) => trace.startsWith('namespace')),
      () => 'the first namespace is there',
    );
    await Lab.down(name);
    const [code] = await ended;
    assert.notEqual(code, 0, 'the process that brought it up fails');
    await untilNoTrace(name);
  });

  test('it needs root, and says so', async () => {
    const child = spawn(process.execPath, [part('unprivileged-lab-process.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert.match(await text(child.stdout), /^LabError: a lab makes network namespaces, which only root may do/);
  });

  test('a coordinator that nodes could not trust by its address is refused', async () => {
    await assert.rejects(Lab.up({ ...small(newLabName()), coordinator: 'https://mesh.example' }), /by http:\/\//);
  });
});
