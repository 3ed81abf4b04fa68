import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Run } from './run-mesh.ts';

const SERVICE = fileURLToPath(new URL('./slow-service.ts', import.meta.url));
const start = (slow: string) => new Run([slow], { program: [process.execPath, SERVICE] });

describe('a service that a signal ends', { concurrency: 2 }, () => {
  it('closes, however long that takes, and ends with 0', async () => {
    await using run = start('close');
    await run.said('stdout', /started/);
    run.child.kill('SIGINT');
    const { code, stdout } = await run.ended;
    assert.deepEqual([code, stdout], [0, 'starting\nstarted\nclosing\nclosed\n']);
  });

  it('closes after a signal during its start, and never says that it is up', async () => {
    await using run = start('start');
    await run.said('stdout', /starting/);
    run.child.kill('SIGTERM');
    const { code, stdout } = await run.ended;
    assert.deepEqual([code, stdout], [0, 'starting\nclosing\nclosed\n']);
  });

  it('ends at once after a second signal', async () => {
    await using run = start('for ever');
    await run.said('stdout', /started/);
    run.child.kill('SIGTERM');
    await run.said('stdout', /closing/);
    // As often as it takes: the first ones may still count as echoes of the one before.
    const ended = run.ended.then(() => true);
    while (!(await Promise.race([ended, setTimeout(50, false)]))) run.child.kill('SIGTERM');
    assert.equal((await run.ended).code, 143);
  });

  it('ends at once after another signal', async () => {
    await using run = start('for ever');
    await run.said('stdout', /started/);
    run.child.kill('SIGTERM');
    await run.said('stdout', /closing/);
    run.child.kill('SIGINT');
    assert.equal((await run.ended).code, 130);
  });
});

test('a service that fails at what it does closes, and ends with that', async () => {
  await using run = start('to fail');
  const { code, stdout, stderr } = await run.ended;
  assert.deepEqual([code, stdout], [1, 'starting\nstarted\nclosing\nclosed\n']);
  assert.match(stderr, /what it does went wrong/);
});

test('a service that breaks down closes, and ends the process with the reason', async () => {
  await using run = start('to break down');
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 1);
  assert.match(stdout, /closing\nclosed\n$/);
  assert.match(stderr, /failed and has to be restarted: the index is lost/);
});
