/**
 * The coordinator in a few files, for tests that start it as a process of its own, some of them thirty times: that takes less than
 * half the CPU time of some 1,900 modules. It is made of the sources as they are now, and has their content in its name: what Node
 * has compiled of it stays good as long as they do.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const ROOT = resolve(import.meta.dirname, '../../..');
const MAIN = join(import.meta.dirname, 'service-main.ts');
const BUNDLES = join(ROOT, 'node_modules/.cache/mesh-coordinator-bundles');
/** More than is needed, so that nothing is missing. */
const SOURCES = [
  'package-lock.json',
  'packages/*/package.json',
  'packages/*/src/**/*.ts',
  'packages/coordinator/test/*.ts',
];

let made: Promise<string> | undefined;

/** The file to run. */
export async function serviceProgram(): Promise<string> {
  made ??= findOrMake();
  return await made;
}

async function findOrMake(): Promise<string> {
  const folder = join(BUNDLES, await contentOfSources());
  const program = join(folder, 'service-main.js');
  if (existsSync(program)) return program;
  const aside = join(BUNDLES, `.${randomUUID()}`);
  await mkdir(aside, { recursive: true });
  await using bundle = await rolldown({ input: MAIN, platform: 'node', plugins: [threadsToo()] });
  await bundle.write({ dir: aside, format: 'esm', entryFileNames: '[name].js' });
  await rename(aside, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(aside, { recursive: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // another test was faster
  });
  return program;
}

async function contentOfSources(): Promise<string> {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules/**', 'packages/dashboard/**'] }).sort();
  for (const file of files) hash.update(file).update(await readFile(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

/** What the sources start as `new Worker(new URL('./a-thread.ts', import.meta.url))` becomes a file beside the program. */
function threadsToo(): Plugin {
  return {
    name: 'threads-too',
    transform(code, id) {
      return code.replaceAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, (_, name: string) => {
        this.emitFile({ type: 'chunk', id: join(dirname(id), `${name}.ts`), fileName: `${name}.js` });
        return `new URL('./${name}.js', import.meta.url)`;
      });
    },
  };
}
