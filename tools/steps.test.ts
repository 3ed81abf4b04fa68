import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { runSteps, type Step } from './steps.ts';

const script = (name: string, code: string): Step => ({ name, command: process.execPath, args: ['-e', code] });

async function outcome(steps: readonly Step[]) {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const failed = await runSteps(steps, { cwd: tmpdir(), env: process.env, write });
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
