import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { newFolder } from '../../test/new-folder.ts';
import { runCommand } from '../host/run-command.ts';

/** With a network and a hosts file of its own, and none of the programs but those that are named. */
const APART = `mount --bind "$1/hosts" /etc/hosts && nft add table inet mesh &&
  PATH="$1/programs" "$2" --input-type=module -e "$3" "$4" "$1" && cat /etc/hosts && nft list tables`;

it('what an agent made can be taken away after WireGuard was', async () => {
  await using folder = await newFolder();
  const programs = join(folder.path, 'programs');
  await mkdir(programs);
  for (const program of ['ip', 'nft']) {
    const found = await runCommand('sh', ['-c', `command -v ${program}`]);
    await symlink(found.trim(), join(programs, program));
  }
  const block =
    '# BEGIN mesh: written by the mesh agent, changes here are lost\n100.64.0.2 git-1.mesh git-1\n# END mesh\n';
  await writeFile(join(folder.path, 'hosts'), `127.0.0.1 localhost\n${block}`);
  const script = 'const { removeDataPlane } = await import(process.argv[1]); await removeDataPlane(process.argv[2]);';
  const module = join(import.meta.dirname, 'open-engines.ts');
  const args = ['--net', '--mount', 'sh', '-c', APART, 'sh', folder.path, process.execPath, script, module];
  assert.equal(await runCommand('unshare', args), '127.0.0.1 localhost\n');
});
