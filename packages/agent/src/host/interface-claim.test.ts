import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Namespace, namespace } from '../../test/namespaces.ts';
import { newFolder } from '../../test/new-folder.ts';

const TAKEN = 'another agent drives mesh0 on this machine, with another state folder: only one can';

function child(place: Namespace, file: string, ...args: readonly string[]): ChildProcess {
  return place.spawn(process.execPath, [join(import.meta.dirname, '../../test', file), ...args]);
}

/** The first that it says. Empty: it has ended without a word. */
async function said({ stdout }: ChildProcess): Promise<string> {
  const output = stdout ?? assert.fail();
  const [text = ''] = await Promise.race([once(output, 'data'), once(output, 'end')]);
  return String(text).trimEnd();
}

test('one agent has an interface; on another host another one has its own, and a killed one is no obstacle', async () => {
  await using here = await namespace();
  await using elsewhere = await namespace();
  const first = child(here, 'claiming-child.ts', 'mesh0');
  assert.equal(await said(first), 'claimed');
  assert.equal(await said(child(here, 'claiming-child.ts', 'mesh0')), TAKEN);
  assert.equal(await said(child(here, 'claiming-child.ts', 'mesh1')), 'claimed');
  assert.equal(await said(child(elsewhere, 'claiming-child.ts', 'mesh0')), 'claimed');
  const ended = once(first, 'exit');
  first.kill('SIGKILL');
  await ended;
  assert.equal(await said(child(here, 'claiming-child.ts', 'mesh0')), 'claimed');
});

for (const what of ['run', 'reset']) {
  test(`an agent with a folder of its own does not ${what} what another one drives`, async () => {
    await using here = await namespace();
    await using folder = await newFolder();
    assert.equal(await said(child(here, 'claiming-child.ts', 'mesh0')), 'claimed');
    assert.equal(await said(child(here, 'running-child.ts', folder.path, what)), `${what}: StateError: ${TAKEN}`);
    await assert.rejects(here.run('ip', ['link', 'show', 'dev', 'mesh0']), /does not exist/);
  });
}
