/** Builds the dashboard: with Vite, then once more compressed beside each file, as the panel serves it. */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const DASHBOARD = 'packages/dashboard';
const DIST = `${DASHBOARD}/dist`;
const FINGERPRINT = '.fingerprint';
/** Whatever a build depends on: the dashboard, the packages it is bundled with, what it is built by. */
const SOURCES = [
  `${DASHBOARD}/{index.html,package.json,tsconfig.json,vite.config.ts}`,
  `${DASHBOARD}/{src,public}/**`,
  'packages/{contract,client}/package.json',
  'packages/{contract,client}/src/**/*.ts',
  'package-lock.json',
  'tools/dashboard-build.ts',
];
const COMPRESSED = /\.(?:css|js|json|svg|txt|webmanifest)$/;
/** Smaller ones fit into a packet anyway. */
const WORTHWHILE_BYTES = 1024;

/** Whether what was built last was built from what is there now. */
export async function isFresh(root: string): Promise<boolean> {
  return (await textOr(join(root, DIST, FINGERPRINT), '')) === (await fingerprint(root));
}

/** Builds into another folder and then swaps it in, so that a panel that serves it meanwhile never sees half of it. */
export async function buildDashboard(root: string): Promise<void> {
  const folder = join(root, `${DIST}.${randomBytes(4).toString('hex')}`);
  try {
    const made_from = await fingerprint(root);
    await runVite(root, folder);
    await compressAll(folder);
    await writeFile(join(folder, FINGERPRINT), made_from);
    await replace(join(root, DIST), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fingerprint(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of globSync(SOURCES, { cwd: root }).sort()) {
    const file = join(root, path);
    if ((await stat(file)).isFile()) hash.update(`${path}\n`).update(await readFile(file));
  }
  return hash.digest('hex');
}

async function runVite(root: string, folder: string): Promise<void> {
  const home = join(root, DASHBOARD);
  const vite = join(dirname(createRequire(join(home, 'package.json')).resolve('vite/package.json')), 'bin/vite.js');
  const args = [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'];
  try {
    await promisify(execFile)(process.execPath, args, {
      cwd: home,
      env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`vite build failed:\n${stdout}${stderr}`, { cause: error });
  }
}

async function compressAll(folder: string): Promise<void> {
  const files = globSync('**', { cwd: folder }).filter((path) => COMPRESSED.test(path));
  await Promise.all(files.map((path) => compress(join(folder, path))));
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length < WORTHWHILE_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  // What compression makes no smaller, such as a tiny picture, is sent as it is.
  if (br.length < bytes.length) await writeFile(`${file}.br`, br);
  if (gz.length < bytes.length) await writeFile(`${file}.gz`, gz);
}

async function replace(dist: string, folder: string): Promise<void> {
  const old = `${folder}.old`;
  try {
    await rename(dist, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await rename(folder, dist);
  await rm(old, { recursive: true, force: true });
}

async function textOr(file: string, otherwise: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
}
