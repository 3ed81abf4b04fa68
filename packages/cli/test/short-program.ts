/**
 * `mesh` in one file, for commands that ask and end: Node takes half as long to load that as some 320 modules, and the tests run
 * `mesh` a thousand times. It is made of the sources as they are now, once for each test file, and has their content in its
 * name: what Node has compiled of it stays good as long as they do.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const ROOT = resolve(import.meta.dirname, '../../..');
const MAIN = join(ROOT, 'packages/cli/src/main.ts');
/** Beneath `node_modules`, where the packages that are left out are found. */
const BUNDLES = join(ROOT, 'node_modules/.cache/mesh-cli-bundles');
/** Programs of their own, which commands that serve load. Those are run from their sources. */
const LEFT_OUT = /^@meshwork\/(?:agent|coordinator|lab|panel|pki|policy|service|store)(?:\/|$)/;
const SERVING = ['up', 'coordinator', 'panel', 'agent', 'demo', 'lab', 'fleet'];

let made: Promise<string> | undefined;

/** The file to run for this command line. */
export async function programFor(words: readonly string[]): Promise<string> {
  if (words.some((word) => SERVING.includes(word))) return MAIN;
  made ??= makeBundle();
  return await made;
}

async function makeBundle(): Promise<string> {
  await using bundle = await rolldown({ input: { main: MAIN }, platform: 'node', external: [LEFT_OUT] });
  const { output } = await bundle.generate({ format: 'esm' });
  const chunks = output.filter((file) => file.type === 'chunk');
  const hash = createHash('sha256').update(JSON.stringify(chunks.map(({ fileName, code }) => [fileName, code])));
  const folder = join(BUNDLES, hash.digest('hex').slice(0, 16));
  const aside = join(BUNDLES, `.${randomUUID()}`);
  await mkdir(aside, { recursive: true });
  for (const { fileName, code } of chunks) await writeFile(join(aside, fileName), code);
  await rename(aside, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(aside, { recursive: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // the same is there already
  });
  return join(folder, 'main.js');
}
