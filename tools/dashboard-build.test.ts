import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildDashboard, isFresh } from './dashboard-build.ts';

describe('the build of the dashboard', () => {
  let root: string;
  const dashboard = (name: string) => join(root, 'packages/dashboard', name);
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'meshwork-build-'));
    await mkdir(dashboard('src'), { recursive: true });
    await symlink(resolve(import.meta.dirname, '../node_modules'), join(root, 'node_modules'));
    await writeFile(join(root, 'package-lock.json'), '{}');
    await writeFile(dashboard('package.json'), '{ "type": "module" }');
    await writeFile(dashboard('index.html'), '<!doctype html><script type="module" src="/src/main.js"></script>');
    await writeFile(dashboard('src/main.js'), `document.title = ${JSON.stringify('mesh '.repeat(1000))};`);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('is fresh until a source changes', async () => {
    assert.equal(await isFresh(root), false);
    await buildDashboard(root);
    assert.equal(await isFresh(root), true);
    await writeFile(dashboard('src/other.js'), '');
    assert.equal(await isFresh(root), false);
    await rm(dashboard('src/other.js'));
    assert.equal(await isFresh(root), true);
    await writeFile(join(root, 'package-lock.json'), '{"changed": true}');
    assert.equal(await isFresh(root), false);
  });

  it('has each file that is worth it compressed beside it', async () => {
    await buildDashboard(root);
    const assets = dashboard('dist/assets');
    const [script = ''] = (await readdir(assets)).filter((name) => name.endsWith('.js'));
    const plain = await readFile(join(assets, script));
    assert.deepEqual(brotliDecompressSync(await readFile(join(assets, `${script}.br`))), plain);
    assert.deepEqual(gunzipSync(await readFile(join(assets, `${script}.gz`))), plain);
    assert.deepEqual((await readdir(dashboard('dist'))).sort(), ['.fingerprint', 'assets', 'index.html']);
  });

  it('that fails leaves the last one as it was, and nothing behind', async () => {
    await buildDashboard(root);
    await writeFile(dashboard('src/main.js'), 'import "./missing.js";');
    await assert.rejects(buildDashboard(root), /vite build failed.*missing\.js/s);
    assert.deepEqual((await readdir(dashboard('.'))).sort(), ['dist', 'index.html', 'package.json', 'src']);
    assert.equal((await readdir(dashboard('dist/assets'))).length, 3);
    assert.equal(await isFresh(root), false);
  });
});
