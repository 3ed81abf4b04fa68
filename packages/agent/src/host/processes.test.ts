import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { allProcesses, endProcesses, listedProcess, signalProcess } from './processes.ts';

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
});
