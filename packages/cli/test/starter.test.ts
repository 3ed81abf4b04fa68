import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, it } from 'node:test';
import { mesh, Run, STARTER, tempFolder } from './run-mesh.ts';

/** Makes any Node believe that it is old. */
const OLD = [
  '--import',
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})',
];

/** The machine's own Node, not the one that npm puts first on the path of its scripts. */
function systemNode(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return folders.map((folder) => join(folder, 'node')).find(existsSync) ?? process.execPath;
}

describe('bin/mesh.js', { concurrency: 2 }, () => {
  it('starts mesh under whatever Node the machine has, and ends as it ends', async () => {
    const { code, stdout, stderr } = await mesh(['token', 'show', 'x'], { program: [systemNode(), STARTER] });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^mesh: .*An id looks like token_/);
  });

  it('hands over from an old Node, and passes signals on', async () => {
    await using folder = await tempFolder();
    const args = ['coordinator', '--data-dir', folder.path, '--listen', '127.0.0.1:0'];
    await using run = new Run(args, { program: [process.execPath, ...OLD, STARTER], group: true });
    await run.said('stdout', /"msg":"serving"/);
    run.child.kill('SIGTERM');
    const { code, signal, stderr } = await run.ended;
    assert.deepEqual([code, signal, stderr], [0, null, '']);
  });

  it('says what is missing when there is no newer Node to hand over to', async () => {
    await using folder = await tempFolder();
    const lonely = join(folder.path, 'mesh.js');
    await copyFile(STARTER, lonely);
    await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
    const { code, stderr } = await mesh(['up'], { program: [process.execPath, ...OLD, lonely] });
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^mesh: Node 24\.16 or newer is needed, and this is Node 20\.0\.0\. Run "npm ci" .*node-linux-/,
    );
  });
});
