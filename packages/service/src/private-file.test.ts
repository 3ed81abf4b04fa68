import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createPrivateFile, ensurePrivateFolder, readPrivateFile, writeNewPrivateFile } from './private-file.ts';

describe('a file that holds a secret', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mesh-private-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is created once by concurrent starts, which leave no drafts', async () => {
    const make = async (file: string, text: string) => {
      await createPrivateFile(file, text);
      return await readPrivateFile(file);
    };
    for (let round = 0; round < 20; round++) {
      const file = at(`key-${round}`);
      const read = await Promise.all(Array.from({ length: 8 }, (_, maker) => make(file, `of maker ${maker}`)));
      assert.equal(new Set(read).size, 1);
    }
    assert.equal((await readdir(folder)).length, 20);
  });

  it('is left alone where it is there already', async () => {
    await createPrivateFile(at('key'), 'first');
    await createPrivateFile(at('key'), 'second');
    assert.equal(await readPrivateFile(at('key')), 'first');
  });

  it('is never written through a link that was planted under its name', async () => {
    await symlink(at('elsewhere'), at('token'));
    await assert.rejects(writeNewPrivateFile(at('token'), 'secret'), { code: 'EEXIST' });
    await assert.rejects(stat(at('elsewhere')), { code: 'ENOENT' });
  });

  it('is mode 600 in folders of mode 700, whatever the umask', async (t) => {
    const before = process.umask(0);
    t.after(() => process.umask(before));
    await writeNewPrivateFile(at('new/deep/token'), 'secret');
    const modes = await Promise.all(
      ['new', 'new/deep', 'new/deep/token'].map(async (name) => (await stat(at(name))).mode),
    );
    assert.deepEqual(
      modes.map((mode) => (mode & 0o777).toString(8)),
      ['700', '700', '600'],
    );
    assert.equal(await readFile(at('new/deep/token'), 'utf8'), 'secret');
  });

  it('reports in one line why it cannot be read', async () => {
    assert.equal(await readPrivateFile(at('none')), undefined);
    await assert.rejects(readPrivateFile(folder), { message: `${folder} is not a file, and must be one.` });
    await symlink(at('none'), at('dangling'));
    await assert.rejects(readPrivateFile(at('dangling')), /dangling is a link to a file that is not there/);
    await writeFile(at('loose'), 'x', { mode: 0o640 });
    await assert.rejects(readPrivateFile(at('loose')), /loose can be read by others \(mode 640\).*chmod 600/);
  });
});

describe('a folder that holds secrets', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mesh-private-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is made by several starts at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => ensurePrivateFolder(at('a/b/c'))));
    assert.equal((await stat(at('a/b/c'))).mode & 0o777, 0o700);
  });

  it('is refused when others can look into it', async () => {
    await mkdir(at('loose'));
    for (const mode of [0o777, 0o750, 0o701]) {
      await chmod(at('loose'), mode);
      const said = new RegExp(`loose .*mode ${mode.toString(8)}\\).*chmod 700 ${at('loose')}$`);
      await assert.rejects(ensurePrivateFolder(at('loose')), said);
    }
  });

  it('reports in one line why it cannot be created', async () => {
    await writeFile(at('file'), '');
    const notFolder = { message: `${at('file')} is not a folder, and must be one.` };
    await assert.rejects(ensurePrivateFolder(at('file')), notFolder);
    await assert.rejects(ensurePrivateFolder(at('file/below/it')), notFolder);
    await symlink(at('none'), at('dangling'));
    await assert.rejects(ensurePrivateFolder(at('dangling')), /The folder .*dangling cannot be made: EEXIST/);
    await assert.rejects(ensurePrivateFolder('/proc/mesh'), /The folder \/proc\/mesh cannot be made: ENOENT/);
  });
});
