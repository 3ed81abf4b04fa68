import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { type Namespace, namespace } from '../../test/namespaces.ts';
import { newFolder } from '../../test/new-folder.ts';
import { userspaceDriver } from '../../test/wireguard-places.ts';
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
  await mkdir(join(folder.path, 'run'));
  await writeFile(join(folder.path, 'run', 'mesh0-5f0c1d2e.conf'), 'a secret');
  const script = 'const { removeDataPlane } = await import(process.argv[1]); await removeDataPlane(process.argv[2]);';
  const module = join(import.meta.dirname, 'open-engines.ts');
  const args = ['--net', '--mount', 'sh', '-c', APART, 'sh', folder.path, process.execPath, script, module];
  assert.equal(await runCommand('unshare', args), '127.0.0.1 localhost\n');
  assert.deepEqual(await readdir(join(folder.path, 'run')), [], 'nor is there what a killed agent left');
});

/** Resets a host whose interface `mesh0` is made by `make`, and says what that says and whether the interface is there. */
async function reset(make: (place: Namespace) => Promise<void>) {
  await using place = await namespace();
  await using folder = await newFolder();
  const hosts = join(folder.path, 'hosts');
  await writeFile(hosts, '127.0.0.1 localhost\n');
  await place.run('mount', ['--bind', hosts, '/etc/hosts']);
  await make(place);
  const program = join(import.meta.dirname, '../../test/running-child.ts');
  const said = await place.run(process.execPath, [program, join(folder.path, 'state'), 'reset']);
  return { said, left: await place.run('ip', ['-oneline', 'address', 'show', 'up']) };
}

it('refuses an interface of another program, whatever its name, and leaves it as it is', async () => {
  const { said, left } = await reset(({ ip }) =>
    ip('tuntap add mesh0 mode tun', 'address add 10.9.0.1/24 dev mesh0', 'link set mesh0 up'),
  );
  assert.match(said, /StateError: there is an interface mesh0 that no agent made \(tun\), and nothing was touched/);
  assert.match(left, / mesh0 +inet 10\.9\.0\.1\/24 /);
});

it('an interface of ours is taken away, also when its agent is gone', async () => {
  const { said, left } = await reset(async (place) => {
    await (await userspaceDriver(place)).ensure();
    await place.ip('address add 100.64.0.1/32 dev mesh0', 'link set mesh0 up');
  });
  assert.equal(said, '');
  assert.doesNotMatch(left, /mesh0/);
});
