import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { until } from '../../test/namespaces.ts';
import { allProcesses, childrenOf, endProcesses, listedProcess, signalProcess } from './processes.ts';

describe('processes of the host', { timeout: 60_000 }, () => {
  it('are listed by what started them, as long as they run', async (t) => {
    const sleeper = 'sleep 3600 & echo $!; read line; kill $!; wait; echo ended; read line';
    const shell = spawn('sh', ['-c', sleeper], { stdio: ['pipe', 'pipe', 'ignore'] });
    t.after(() => shell.kill('SIGKILL'));
    const { pid = assert.fail() } = shell;
    const said = createInterface(shell.stdout)[Symbol.asyncIterator]();
    const sleeping = Number((await said.next()).value);
    const titles = async () => (await childrenOf(pid)).map((one) => [one.pid, one.title, one.parent]);
    await until('it sleeps', async () => (await titles()).some(([, title]) => title === 'sleep 3600')); // before, it is called like the shell
    assert.deepEqual(await titles(), [[sleeping, 'sleep 3600', pid]]);
    shell.stdin.write('\n');
    assert.equal((await said.next()).value, 'ended');
    assert.deepEqual(await titles(), []);
    shell.stdin.write('\n');
    await once(shell, 'exit');
    assert.deepEqual(await childrenOf(pid), []);
  });

  it('are listed with their arguments, their parent and their session', async (t) => {
    const child = spawn('sleep', ['3600', '0'], { detached: true, stdio: 'ignore' });
    t.after(() => child.kill('SIGKILL'));
    await once(child, 'spawn');
    const { pid = assert.fail() } = child;
    const found = (await allProcesses()).find((one) => one.pid === pid) ?? assert.fail();
    assert.deepEqual(
      { ...found, started: undefined },
      {
        pid,
        argv: ['sleep', '3600', '0'],
        title: 'sleep 3600 0',
        parent: process.pid,
        session: pid,
        started: undefined,
      },
    );
    const own = (await listedProcess(process.pid)) ?? assert.fail();
    assert.ok(own.started <= found.started);
    await endProcesses({
      program: 'sleep',
      left: async () => ((await listedProcess(pid)) === undefined ? [] : [pid]),
      signals: ['SIGTERM'],
    });
    signalProcess(pid, 'SIGTERM', 'sleep'); // it has ended, which is no error
  });
});
