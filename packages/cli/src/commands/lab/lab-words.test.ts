import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { program } from '../../program.ts';
import { commandOf } from './exec.ts';
import { noLabHint } from './in-lab.ts';
import { lab } from './lab.ts';

/** What `mesh lab exec` would run, and where. */
async function meant(...words: string[]): Promise<unknown> {
  const labs = lab();
  let found: unknown;
  labs.commands
    .find((command) => command.name() === 'exec')
    ?.action((node: string, given: string[], { name }: { name?: string }) => {
      found = [name ?? null, node, ...commandOf(given)];
    });
  await program([labs]).parseAsync(['lab', 'exec', ...words], { from: 'user' });
  return found;
}

describe('mesh lab exec', () => {
  it('runs what stands behind --, whatever stands before it', async () => {
    const ran = ['lab-1', 'mesh', 'agent', 'status', '--json'];
    assert.deepEqual(await meant('lab-1', '--', 'mesh', 'agent', 'status', '--json'), [null, ...ran]);
    assert.deepEqual(await meant('--name', 'git', 'lab-1', '--', 'mesh', 'agent', 'status', '--json'), ['git', ...ran]);
    assert.deepEqual(await meant('lab-1', 'ping', '-c', '1', 'lab-2'), [null, 'lab-1', 'ping', '-c', '1', 'lab-2']);
    assert.deepEqual(await meant('lab-1', '--', 'grep', '--', '-x'), [null, 'lab-1', 'grep', '--', '-x']);
  });
});

describe('a lab that is not there', () => {
  it('is answered with those that are, and with the flag to choose one', () => {
    assert.equal(noLabHint(['demo', 'git']), 'choose one with --name: --name demo, --name git');
    assert.equal(noLabHint([]), 'mesh lab up makes one');
  });

  it('is not looked for behind the verb, but --name is named', async () => {
    for (const verb of ['down', 'status', 'up']) {
      const asked = program([lab()]).parseAsync(['lab', verb, 'git'], { from: 'user' });
      await assert.rejects(asked, { message: '"git" is not taken here', hint: 'name the lab with --name git' }, verb);
    }
  });
});
