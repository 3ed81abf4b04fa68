import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startBusyLoop } from './busy-loop.ts';

const STEADY = pathToFileURL(join(import.meta.dirname, 'steady-run.ts')).href;

/** Runs one test file so many times in a process of its own, as `npm run test:steady` does. */
async function steadily(
  body: string,
  times: number,
): Promise<{ code: number; out: string; err: string; runs: number }> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-steady-'));
  const counter = join(folder.path, 'runs');
  writeFileSync(
    join(folder.path, 'a.test.ts'),
    `import test from 'node:test';
    import { appendFileSync, readFileSync } from 'node:fs';
    test('counts', () => { appendFileSync(${JSON.stringify(counter)}, '.'); ${body} });
    const runs = () => readFileSync(${JSON.stringify(counter)}, 'utf8').length;`,
  );
  const request = {
    root: folder.path,
    files: ['a.test.ts'],
    options: [],
    reporter: 'compact',
    testTimeoutMs: 60_000,
    processTimeoutMs: 60_000,
    settleMs: 1_000,
  };
  const code = `const { runSteadily } = await import('${STEADY}'); process.exitCode = await runSteadily(${JSON.stringify(request)}, ${times});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: Number(exit), out, err, runs: readFileSync(counter, 'utf8').length };
}

describe('tests that have to be steady', () => {
  test('run as often as asked for', async () => {
    const { code, out, err, runs } = await steadily('', 3);
    assert.deepEqual([code, err, runs], [0, '', 3], out);
    assert.match(out, /^1 file green 3 times beside a busy loop$/m);
  });

  test('end with the first failure', async () => {
    const { code, out, err, runs } = await steadily("if (runs() === 2) throw new Error('bad luck');", 5);
    assert.deepEqual([code, runs], [1, 2], out);
    assert.match(out, /Error: bad luck/);
    assert.equal(err, '✖ not always green: round 2 of 5 failed\n');
  });
});

describe('the busy loop', () => {
  test('takes a core until it is let go of', async () => {
    let pid: number;
    {
      await using busy = await startBusyLoop();
      pid = busy.pid;
      while (ticksOf(pid) < 5) await pause(20);
    }
    assert.equal(existsSync(`/proc/${pid}`), false);
  });

  test('ends with the process that started it, also when that is killed', async () => {
    const module = pathToFileURL(join(import.meta.dirname, 'busy-loop.ts')).href;
    const code = `const { startBusyLoop } = await import('${module}'); console.log((await startBusyLoop()).pid); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    assert.ok(pid > 0);
    parent.kill('SIGKILL');
    while (existsSync(`/proc/${pid}`)) await pause(20);
  });
});

/** Processor time that it has used, in ticks of a hundredth of a second. */
function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
