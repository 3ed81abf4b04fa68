import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { TestRun } from './one-run.ts';

const IMPORTS = "import test from 'node:test';\nimport { spawn } from 'node:child_process';\n";
const PASSES = `${IMPORTS}test('passes', () => {});\n`;

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs these test files in a process of its own, as `npm test` does, within a folder that goes away with them. */
async function outcomeOf(
  tests: Readonly<Record<string, string>>,
  more: Partial<TestRun> = {},
  meanwhile?: (runner: ChildProcessByStdio<null, Readable, Readable>, folder: string) => Promise<void>,
): Promise<Outcome> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-run-'));
  for (const [path, text] of Object.entries(tests)) {
    mkdirSync(join(folder.path, dirname(path)), { recursive: true });
    writeFileSync(join(folder.path, path), text.replaceAll('HERE', folder.path));
  }
  const request: TestRun = {
    root: folder.path,
    files: Object.keys(tests),
    options: [],
    reporter: 'compact',
    testTimeoutMs: 60_000,
    processTimeoutMs: 60_000,
    settleMs: 1_000,
    ...more,
  };
  const module = pathToFileURL(join(import.meta.dirname, 'test-run.ts')).href;
  const code = `const { runTests } = await import('${module}'); process.exitCode = await runTests(${JSON.stringify(request)});`;
  const runner = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  runner.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  runner.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [[exit]] = await Promise.all([once(runner, 'close'), meanwhile?.(runner, folder.path)]);
  return { code: Number(exit), out, err };
}

function isAlive(pid: number): boolean {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat !== '' && !/\) [ZX] /.test(stat);
}

/** Empty when it is not there, or not any more. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code))) return '';
    throw error;
  }
}

describe('a run', () => {
  test('that passes says so and ends with node’s counts', async () => {
    const { code, out, err } = await outcomeOf({ 'a.test.ts': PASSES, 'b.test.ts': PASSES });
    assert.equal(code, 0, err);
    assert.equal(err, '');
    assert.match(out, /^✔ a\.test\.ts \(1 test, \d+\.\d s\)$/m);
    assert.match(out, /^ℹ tests 2$[\s\S]*^ℹ pass 2$[\s\S]*^ℹ fail 0$/m);
  });

  test('that fails shows the failure, the place and what the file printed', async () => {
    const { code, out } = await outcomeOf({
      'a.test.ts': `${IMPORTS}test.suite('tokens', () => {
        test('are counted', () => { console.log('a word before'); throw new Error('three, not two'); });
      });`,
      'b.test.ts': `${PASSES}console.log('not shown');`,
    });
    assert.equal(code, 1);
    assert.match(out, /^✖ a\.test\.ts \(1 test, /m);
    assert.match(out, /^ {2}✖ are counted \(a\.test\.ts:4\)\n {4}Error: three, not two$/m);
    assert.match(out, /it printed:\n {4}a word before/);
    assert.match(out, /^failed:\n {2}a\.test\.ts\n\nℹ tests 2$/m);
    assert.doesNotMatch(out, /not shown|1 subtest failed/);
  });

  test('shows why a file could not even start', async () => {
    const { code, out } = await outcomeOf({ 'a.test.ts': "import './gone.ts';" });
    assert.equal(code, 1);
    assert.match(out, /^✖ a\.test\.ts[\s\S]*Cannot find module .*gone\.ts/m);
  });

  test('names the files that took the most CPU time, with what they started, when it is asked to', async () => {
    const spins = 'for (const until = Date.now() + 700; Date.now() < until; );';
    const tests = {
      'small.test.ts': PASSES,
      'mean.test.ts': `${IMPORTS}import { execFileSync } from 'node:child_process';
        test('starts what spins', () => void execFileSync(process.execPath, ['-e', '${spins}']));`,
    };
    const { code, out, err } = await outcomeOf(tests, { options: ['--costliest=1'] });
    assert.equal(code, 0, err);
    const [, all, most] = /^CPU time, (\S+) s in all:\n +(\S+) s {2}mean\.test\.ts\n/m.exec(out) ?? [];
    assert.ok(Number(most) > 0.3 && Number(most) < Number(all), out);
    assert.doesNotMatch(out.slice(out.indexOf('CPU time')), /small/);
  });

  test('passes options on to node, and another reporter takes the place of ours', async () => {
    const tests = `${IMPORTS}test('one', () => {});\ntest('two', () => {});\n`;
    const named = await outcomeOf({ 'a.test.ts': tests }, { options: ['--test-name-pattern=one'] });
    assert.match(named.out, /^ℹ tests 1$/m);
    const tap = await outcomeOf({ 'a.test.ts': tests }, { options: ['--test-reporter=tap'] });
    assert.equal(tap.code, 0, tap.err);
    assert.match(tap.out, /^TAP version 13$[\s\S]*^# tests 2$/m);
  });
});

describe('a file that fails is run once more by itself', { concurrency: true }, () => {
  /** Fails in the first of its runs. */
  const unsteady = (name: string) => `${IMPORTS}import { existsSync, writeFileSync } from 'node:fs';
    test('needs luck', () => {
      if (existsSync('HERE/${name}')) return;
      writeFileSync('HERE/${name}', '');
      throw new Error('no luck for ${name}');
    });`;

  test('and named as unsteady, with its first failure, when it passes then', async () => {
    const tests = { 'a.test.ts': unsteady('a'), 'b.test.ts': PASSES, 'c.test.ts': unsteady('c') };
    const { code, out, err } = await outcomeOf(tests);
    assert.equal(code, 0, out + err);
    const [before, closing = ''] = out.split('\nunsteady:\n');
    assert.match(before ?? '', /^once more, each by itself:\n✔ a\.test\.ts[\s\S]*\n✔ c\.test\.ts/m);
    assert.match(closing, /^ {2}a\.test\.ts\n {4}✖ needs luck \(a\.test\.ts:4\)\n {6}Error: no luck for a$/m);
    assert.match(closing, /^ {2}c\.test\.ts\n[\s\S]*Error: no luck for c$/m);
    assert.doesNotMatch(closing, /b\.test\.ts|failed/);
  });

  test('but a run with more than two unsteady files fails', async () => {
    const tests = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.test.ts`, unsteady(name)]));
    const { code, err } = await outcomeOf(tests);
    assert.deepEqual([code, err], [1, '✖ 3 files were unsteady, and at most 2 may be\n']);
  });

  test('and a run with one that fails both times fails', async () => {
    const fails = `${IMPORTS}test('fails', () => { throw new Error('always'); });`;
    const { code, out } = await outcomeOf({ 'a.test.ts': unsteady('a'), 'b.test.ts': fails });
    assert.equal(code, 1);
    assert.match(out, /^unsteady:\n {2}a\.test\.ts$/m);
    assert.match(out, /^failed twice:\n {2}b\.test\.ts\n$/m);
  });

  test('and what it leaves behind still fails the run', async () => {
    const leaves = unsteady('a').replace('throw', "spawn('sleep', ['62'], { stdio: 'ignore' }).unref(); throw");
    const { code, out, err } = await outcomeOf({ 'a.test.ts': leaves });
    assert.equal(code, 1, out);
    assert.match(err, /^✖ left running by a test, now ended: sleep 62/m);
  });
});

describe('a run that tested nothing has failed', () => {
  test('when no name fits', async () => {
    const { code, err } = await outcomeOf({ 'a.test.ts': PASSES }, { options: ['--test-name-pattern=nothing'] });
    assert.deepEqual([code, err], [1, '✖ no test was run\n']);
  });

  test('when a file has no tests', async () => {
    const { code, err } = await outcomeOf({ 'a.test.ts': PASSES, 'empty.test.ts': 'export {};\n' });
    assert.deepEqual([code, err], [1, '✖ empty.test.ts has no tests, or left before they had ended\n']);
  });

  test('when a file leaves in the middle', async () => {
    const { code, err } = await outcomeOf({ 'a.test.ts': `${PASSES}test('leaves', () => process.exit(0));\n` });
    assert.deepEqual([code, err], [1, '✖ a.test.ts has no tests, or left before they had ended\n']);
  });
});

describe('what a test leaves behind is named and ended, and the run fails:', { concurrency: true }, () => {
  /** Writes the pid down, so that we can see for ourselves that it is gone. */
  const leaving = (start: string) => `${IMPORTS}import { writeFileSync } from 'node:fs';
    test('leaves something', () => {
      const child = ${start};
      child.unref();
      writeFileSync('HERE/pid', String(child.pid));
    });`;

  const cases: Readonly<Record<string, string>> = {
    'a plain child': "spawn('sleep', ['61'], { stdio: 'ignore' })",
    'a daemon with a sid of its own': "spawn('sleep', ['61'], { stdio: 'ignore', detached: true })",
    'a child without the environment of the run': "spawn('sleep', ['61'], { stdio: 'ignore', env: {} })",
    'one that does not listen to SIGTERM': `spawn(process.execPath, ['-e',
      'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000) // 61'], { stdio: 'ignore' })`,
  };
  for (const [name, start] of Object.entries(cases)) {
    test(name, async () => {
      let pid = 0;
      const { code, err, out } = await outcomeOf({ 'a.test.ts': leaving(start) }, {}, async (runner, folder) => {
        await once(runner, 'exit');
        pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
      });
      assert.equal(code, 1, out);
      assert.match(err, new RegExp(`^✖ left running by a test, now ended: .*61.* \\(pid ${pid}\\)\n$`));
      assert.equal(isAlive(pid), false);
    });
  }
});

describe('a run cannot hang:', { concurrency: true }, () => {
  // One file after the other: the limit is for the second one too, and on a busy machine both at once might meet it.
  const limits = { testTimeoutMs: 500, processTimeoutMs: 5_000, options: ['--test-concurrency=1'] };
  const cases: Readonly<Record<string, string>> = {
    'a test that never ends': "test('hangs', () => new Promise(() => { setInterval(() => {}, 1000); }));",
    'a test that never yields': "test('spins', () => { for (;;); });",
    'a file that never ends': "test('passes', () => {}); setInterval(() => {}, 1000);",
    'a child that holds the output of its file': `test('passes', () => {
      spawn('sleep', ['600'], { stdio: 'inherit' }).unref();
    });`,
  };
  for (const [name, body] of Object.entries(cases)) {
    test(name, { timeout: 60_000 }, async () => {
      const { code, err, out } = await outcomeOf({ 'a.test.ts': IMPORTS + body, 'b.test.ts': PASSES }, limits);
      assert.equal(code, 1);
      assert.match(err, /^✖ ended after 5 s: .*(a\.test\.ts|sleep 600)/m);
      assert.match(out, /^✔ b\.test\.ts/m, 'the files after it still run');
    });
  }

  test('an interrupted run ends its tests and says how it ended', async () => {
    const body =
      "test('waits', () => new Promise(() => { setInterval(() => {}, 1000); writeFileSync('HERE/pid', String(process.pid)); }));";
    let pid = 0;
    const waits = `${IMPORTS}import { writeFileSync } from 'node:fs';\n${body}`;
    const { code } = await outcomeOf({ 'a.test.ts': waits }, {}, async (runner, folder) => {
      while (textOf(join(folder, 'pid')) === '' && runner.exitCode === null) await pause(20);
      pid = Number(textOf(join(folder, 'pid')));
      assert.ok(pid > 0, 'the test has begun');
      runner.kill('SIGTERM');
    });
    assert.equal(code, 128 + 15);
    assert.equal(isAlive(pid), false);
  });
});
