import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { until } from '../../test/namespaces.ts';
import { allProcesses, childProcesses, endProcesses, listedProcess, signalProcess } from './processes.ts';

describe('processes of the host', { timeout: 60_000 }, () => {
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

  it('of one process: those that it started itself, and that have not ended', async (t) => {
    const script = 'sleep 3600 & sh -c "sleep 3601 & wait" & echo ready; wait';
    const shell = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    const { pid = assert.fail() } = shell;
    t.after(() => process.kill(-pid, 'SIGKILL'));
    await once(shell.stdout, 'data');
    const titles = async () => (await childProcesses(pid)).map(({ title }) => title).sort();
    assert.deepEqual(await titles(), ['sh -c sleep 3601 & wait', 'sleep 3600']);
    const [sleep] = (await childProcesses(pid)).filter(({ title }) => title === 'sleep 3600');
    signalProcess(sleep?.pid ?? assert.fail(), 'SIGKILL', 'sleep');
    await until('it has ended', async () => (await titles()).length === 1);
    assert.deepEqual(await titles(), ['sh -c sleep 3601 & wait']);
    const ended = spawn('true', { stdio: 'ignore' });
    await once(ended, 'exit');
    assert.deepEqual(await childProcesses(ended.pid ?? assert.fail()), []);
  });
});
