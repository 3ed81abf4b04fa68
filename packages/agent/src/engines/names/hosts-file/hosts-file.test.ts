import assert from 'node:assert/strict';
import { chmod, chown, lstat, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { newFolder } from '../../../../test/new-folder.ts';
import { runCommand } from '../../../host/run-command.ts';
import { HostsFile } from './hosts-file.ts';

const BEGIN = '# BEGIN mesh: written by the mesh agent, changes here are lost';
const END = '# END mesh';
const GIT = { name: 'git-1', addresses: ['100.64.0.2', 'fd64::2'] };
const GIT_LINES = '100.64.0.2 git-1.mesh git-1\nfd64::2 git-1.mesh git-1\n';
const GIT_BLOCK = `${BEGIN}\n${GIT_LINES}${END}\n`;
const DB = { name: 'db-1', addresses: ['100.64.0.3'] };

describe('the names of the mesh', () => {
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let path: string;
  let names: HostsFile;
  const read = () => readFile(path, 'latin1');
  const given = (text: string) => writeFile(path, text, 'latin1');
  beforeEach(async () => {
    folder = await newFolder();
    path = join(folder.path, 'hosts');
    names = new HostsFile({ path, host: 'this-host.example.org' });
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  it('stand in a block at the end, which is kept where it is', async () => {
    await given('127.0.0.1 localhost\n');
    await names.apply([GIT]);
    assert.equal(await read(), `127.0.0.1 localhost\n${GIT_BLOCK}`);

    await given(`127.0.0.1 localhost\n${GIT_BLOCK}10.0.0.9 printer\n`);
    await names.apply([GIT, DB]);
    const block = `${BEGIN}\n100.64.0.3 db-1.mesh db-1\n${GIT_LINES}${END}\n`;
    assert.equal(await read(), `127.0.0.1 localhost\n${block}10.0.0.9 printer\n`);
    assert.equal(await names.drift(), null);
  });

  for (const [what, text] of [
    ['line ends of Windows', '127.0.0.1 localhost\r\n# caf\xe9\r\n\r\n10.0.0.9 printer\r\n'],
    ['no line end at the end', '127.0.0.1 localhost\n10.0.0.9 printer'],
    ['neither', '127.0.0.1 localhost\r\n10.0.0.9 printer'],
    ['nothing in it', ''],
    ['tabs, spaces and no UTF-8', '\t127.0.0.1\tlocalhost  \n  # \xff\xfe\x00\n\n\n'],
    ['an end without a beginning', `127.0.0.1 localhost\n${END}\n10.0.0.9 printer\n`],
  ] as const) {
    it(`leave the rest of a file as it was, byte for byte: ${what}`, async () => {
      await given(text);
      await names.apply([GIT]);
      await names.apply([GIT, DB]);
      const changed = await read();
      assert.ok(changed.startsWith(text) && changed.includes('db-1.mesh'));
      assert.equal(/\r\n/.test(text), /git-1\r\n/.test(changed), 'lines end as the others do');
      await names.remove();
      assert.equal(await read(), text);
    });
  }

  it('are written without what a killed agent left beside the file, and with what is none of theirs', async () => {
    await given('127.0.0.1 localhost\n');
    const [left, recent, other] = ['.hosts-0123456789abcdef.tmp', '.hosts-fedcba9876543210.tmp', '.hosts-backup.tmp'];
    for (const name of [left, recent, other]) await writeFile(join(folder.path, name), 'half');
    const hour_ago = Date.now() / 1000 - 3600;
    for (const name of [left, other]) await utimes(join(folder.path, name), hour_ago, hour_ago);
    await names.apply([GIT]);
    assert.deepEqual(
      (await readdir(folder.path)).sort(),
      [other, recent, 'hosts'],
      'another agent may be writing right now',
    );
  });

  it('do not join the lines that a person wrote below them when they are removed', async () => {
    await given('127.0.0.1 localhost');
    await names.apply([GIT]);
    await given(`${await read()}10.0.0.9 printer\n`);
    await names.remove();
    assert.equal(await read(), '127.0.0.1 localhost\n10.0.0.9 printer\n');
  });

  it('never take what stands below a block that has no end', async () => {
    const below = '10.0.0.9 printer\n100.64.9.9 other.mesh other\n# END of the list\n';
    await given(`127.0.0.1 localhost\n${BEGIN}\n100.64.0.9 old.mesh old\n${below}`);
    await names.apply([GIT]);
    assert.equal(await read(), `127.0.0.1 localhost\n${GIT_BLOCK}${below}`);

    await given(`${BEGIN}\n10.0.0.9 printer\n${GIT_BLOCK}10.0.0.8 scanner\n`);
    await names.apply([DB]);
    assert.equal(await read(), `${BEGIN}\n100.64.0.3 db-1.mesh db-1\n${END}\n10.0.0.9 printer\n10.0.0.8 scanner\n`);
  });

  it('are known as ours where another program wrote over the beginning of their block', async () => {
    await given(`127.0.0.1 localhost\n::1 localhost\nare lost\n${GIT_LINES}${END}\n10.0.0.9 printer\n${GIT_BLOCK}`);
    await names.apply([DB]);
    assert.match(
      await read(),
      /^127\.0\.0\.1 localhost\n::1 localhost\n# BEGIN mesh.*\n100\.64\.0\.3 db-1\.mesh db-1\n# END mesh\n10\.0\.0\.9 printer\n$/,
    );
    await given((await read()).replace(/# BEGIN.*/, 'there'));
    assert.match((await names.drift()) ?? '', /has other names of the mesh/);
    await names.apply([DB]);
    assert.match(
      await read(),
      /^127\.0\.0\.1 localhost\n::1 localhost\nthere\n# BEGIN mesh.*\n100\.64\.0\.3 db-1\.mesh db-1\n# END/,
    );
  });

  it('do not take over a name that means something here', async () => {
    await given('127.0.0.1 loopback\n10.0.0.9 Printer printer.example.org # git-1\n');
    const all = ['localhost', 'printer', 'this-host', 'loopback', 'git-1'];
    await names.apply(all.map((name, index) => ({ name, addresses: [`100.64.0.${index}`] })));
    const lines = (await read()).split('\n').filter((line) => line.startsWith('100.64'));
    assert.deepEqual(lines, [
      '100.64.0.4 git-1.mesh git-1',
      '100.64.0.0 localhost.mesh',
      '100.64.0.3 loopback.mesh',
      '100.64.0.1 printer.mesh',
      '100.64.0.2 this-host.mesh',
    ]);
    await given(`${await read()}10.0.0.7 git-1\n`);
    assert.match((await names.drift()) ?? '', /has other names of the mesh/);
  });

  it('are refused when they would write more than a name', async () => {
    await given('127.0.0.1 localhost\n');
    for (const [name, address] of [
      ['a\n127.0.0.1 bank', '100.64.0.2'],
      ['a b', '100.64.0.2'],
      ['a.b', '100.64.0.2'],
      ['', '100.64.0.2'],
      ['a', '100.64.0.2 bank'],
      ['a', 'fe80::1%eth0'],
    ] as const) {
      await assert.rejects(names.apply([GIT, { name, addresses: [address] }]), /is no (name|address)/);
    }
    assert.equal(await read(), '127.0.0.1 localhost\n');
  });

  it('are not written again when nothing changes', async () => {
    await given('127.0.0.1 localhost\n');
    await names.apply([GIT]);
    await utimes(path, 1, 1);
    const before = await stat(path);
    await names.apply([GIT]);
    const after = await stat(path);
    assert.deepEqual([after.ino, after.mtimeMs], [before.ino, before.mtimeMs]);
  });

  it('report drift when another program has changed them', async () => {
    assert.equal(await names.drift(), null);
    await given('127.0.0.1 localhost\n');
    await names.apply([GIT]);
    await given((await read()).replace('100.64.0.2', '192.0.2.1'));
    assert.match((await names.drift()) ?? '', /has other names of the mesh/);
    await given('127.0.0.1 localhost\n');
    assert.match((await names.drift()) ?? '', /are not in/);
  });

  it('replace the file at once, with its mode and owner, and leave nothing beside it', async () => {
    await given('127.0.0.1 localhost\n');
    await chmod(path, 0o640);
    await chown(path, 12, 34);
    const before = await stat(path);
    await names.apply([GIT]);
    const { ino, mode, uid, gid } = await stat(path);
    assert.deepEqual({ mode: mode & 0o777, uid, gid }, { mode: 0o640, uid: 12, gid: 34 });
    assert.notEqual(ino, before.ino, 'it was replaced');
    assert.deepEqual(await readdir(folder.path), ['hosts']);
  });

  it('follow a link', async () => {
    const real = join(folder.path, 'real');
    await mkdir(real);
    await writeFile(join(real, 'hosts'), '127.0.0.1 localhost\n');
    await symlink('real/hosts', path);
    await names.apply([GIT]);
    assert.ok((await lstat(path)).isSymbolicLink());
    assert.match(await readFile(join(real, 'hosts'), 'utf8'), /git-1\.mesh/);

    const nowhere = join(folder.path, 'nowhere');
    await symlink('not-there', nowhere);
    await assert.rejects(new HostsFile({ path: nowhere }).apply([GIT]), /a link to a file that is not there/);
  });

  it('make a file where there is none', async () => {
    await names.apply([GIT]);
    assert.equal(await read(), GIT_BLOCK);
    assert.equal((await stat(path)).mode & 0o777, 0o644);
    await names.remove();
    assert.equal(await read(), '');
  });

  it('are written in place where the file is a mount of its own', async () => {
    const outside = join(folder.path, 'outside');
    await writeFile(outside, '127.0.0.1 localhost\n# a long line that is gone later on, when the block has gone\n');
    await given('');
    const script = `
      const { HostsFile } = await import(process.argv[1]);
      const names = new HostsFile({ path: process.argv[2] });
      await names.apply([{ name: 'git-1', addresses: ['100.64.0.2', 'fd64::2'] }]);
      console.log(await names.drift());`;
    const module = join(import.meta.dirname, 'hosts-file.ts');
    const inMount = 'mount --bind "$1" "$2" && exec "$3" --input-type=module -e "$4" "$5" "$2"';
    const args = ['--mount', 'sh', '-c', inMount, 'sh', outside, path, process.execPath, script, module];
    assert.equal(await runCommand('unshare', args), 'null\n');
    assert.match(await readFile(outside, 'utf8'), /# a long line.*\n# BEGIN mesh/);
    assert.equal(await read(), '', 'the file below the mount is another one');
    assert.deepEqual((await readdir(folder.path)).sort(), ['hosts', 'outside']);
  });

  it('leave a file that is a mount of its own as it was when the disk is full', async () => {
    const text = `127.0.0.1 localhost\n${GIT_BLOCK}10.0.0.9 printer\n`;
    const [disk, copy] = [join(folder.path, 'disk'), join(folder.path, 'copy')];
    await Promise.all([given(''), writeFile(copy, text), mkdir(disk)]);
    const script = `
      const { HostsFile } = await import(process.argv[1]);
      const names = new HostsFile({ path: process.argv[2] });
      const many = Array.from({ length: 200 }, (_, index) => ({ name: 'node-' + index, addresses: ['100.64.0.' + index] }));
      await names.apply(many).then(() => console.log('written'), (error) => console.log(error.code));`;
    const module = join(import.meta.dirname, 'hosts-file.ts');
    const onFullDisk = `mount -t tmpfs -o size=4k tmpfs "$1" && cp "$2" "$1/hosts" && mount --bind "$1/hosts" "$3" &&
      "$4" --input-type=module -e "$5" "$6" "$3" && cat "$3"`;
    const args = ['--mount', 'sh', '-c', onFullDisk, 'sh', disk, copy, path, process.execPath, script, module];
    assert.equal(await runCommand('unshare', args), `ENOSPC\n${text}`);
  });

  it('are never those of whom the node must find outside of the mesh', async () => {
    await given('127.0.0.1 localhost\n');
    const wary = new HostsFile({ path, host: 'this-host', outside: ['Hub', 'git-1.mesh', '192.0.2.1'] });
    await wary.apply([GIT, DB, { name: 'hub', addresses: ['100.64.0.9'] }]);
    const block = `${BEGIN}\n100.64.0.3 db-1.mesh db-1\n100.64.0.9 hub.mesh\n${END}\n`;
    assert.equal(await read(), `127.0.0.1 localhost\n${block}`);
    assert.equal(await wary.drift(), null);
  });

  it('may be ten thousand', async () => {
    await given('127.0.0.1 localhost\n');
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      name: `node-${index}`,
      addresses: [`100.64.${index >> 8}.${index & 255}`, `fd64::${index.toString(16)}`],
    }));
    await names.apply(many);
    assert.equal((await read()).split('\n').length, 20_004);
    assert.equal(await names.drift(), null);
  });
});
