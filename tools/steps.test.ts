import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runSteps, type Step } from './steps.ts';

const script = (name: string, code: string): Step => ({ name, command: process.execPath, args: ['-e', code] });

async function outcome(steps: readonly Step[], width = 1) {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const failed = await runSteps(steps, { cwd: tmpdir(), env: process.env, write }, width);
  return { failed, lines: written.replaceAll(/\(\d+\.\d s\)/g, '(time)').split('\n') };
}

test('a failed step shows what it printed, and the steps after it still run', async () => {
  const { failed, lines } = await outcome([
    script('types', 'console.log("out"); console.error("err"); process.exit(2)'),
    script('lint', 'console.log("hidden output")'),
    script('sizes', 'process.exit(1)'),
  ]);
  assert.deepEqual(failed, ['types', 'sizes']);
  assert.deepEqual(lines.slice(0, 1), ['FAIL types (time)']);
  assert.deepEqual(lines.slice(1, 3).sort(), ['     err', '     out']);
  assert.deepEqual(lines.slice(3), ['ok   lint (time)', 'FAIL sizes (time)', '', '']);
});

test('a step that cannot be started, or that is killed, has failed', async () => {
  const { failed, lines } = await outcome([
    { name: 'absent', command: '/nowhere/tsc', args: [] },
    script('killed', 'process.kill(process.pid, "SIGKILL")'),
  ]);
  assert.deepEqual(failed, ['absent', 'killed']);
  assert.match(lines.join('\n'), /ENOENT[\s\S]*npm ci[\s\S]*ended by SIGKILL/);
});

test('steps run side by side, as many as there is room for, and are reported in their order', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-steps-'));
  const waits = (name: string, other: string) =>
    script(
      name,
      `const { existsSync, writeFileSync } = require('node:fs');
      writeFileSync(${JSON.stringify(join(folder.path, name))}, '');
      const look = setInterval(() => { if (existsSync(${JSON.stringify(join(folder.path, other))})) clearInterval(look); }, 5);`,
    );
  const failing = script('third', 'process.exit(1)');
  const { failed, lines } = await outcome([waits('first', 'second'), waits('second', 'first'), failing], 2);
  assert.deepEqual(failed, ['third']);
  assert.deepEqual(lines.slice(0, 3), ['ok   first (time)', 'ok   second (time)', 'FAIL third (time)']);
});
