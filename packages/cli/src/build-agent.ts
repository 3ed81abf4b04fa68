/**
 * Bundles the agent into the folder that is named, unless what is there was made from these very sources: plain JavaScript,
 * with all that `mesh agent` needs and nothing else. The service unit of the agent runs it before each start, so an upgrade
 * needs no step of its own.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ENTRY, freshBundle, hashOf, INPUTS } from '../bin/agent-bundle.js';

const ROOT = resolve(import.meta.dirname, '../../..');

const [, , folder] = process.argv;
if (folder === undefined || folder === '') {
  process.stderr.write('usage: build-agent.ts <folder for the bundle>\n');
  process.exitCode = 2;
} else if (freshBundle(folder, ROOT) === undefined) {
  await bundleAgent(resolve(folder));
  process.stderr.write(`bundled the agent into ${folder}\n`);
}

/** Aside, then in its place: an agent that starts meanwhile finds a whole bundle or none. */
async function bundleAgent(place: string): Promise<void> {
  const aside = `${place}.${randomBytes(4).toString('hex')}`;
  await mkdir(dirname(place), { recursive: true });
  try {
    const inputs = await writeBundle(aside);
    const hashes = Object.fromEntries(inputs.map((file) => [file, hashOf(join(ROOT, file))]));
    await writeFile(join(aside, INPUTS), JSON.stringify(hashes));
    await moveInto(place, aside);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Two builds at once: the second leaves the bundle of the first alone, which an agent may be loading. */
async function moveInto(place: string, aside: string): Promise<void> {
  if (await isMoved(aside, place)) return;
  if (freshBundle(place, ROOT) !== undefined) return;
  await rm(place, { recursive: true, force: true });
  if (await isMoved(aside, place)) return;
  if (freshBundle(place, ROOT) === undefined) throw new Error(`${place} is in use by something else`);
}

/** False: there is something already. */
async function isMoved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Answers with the files that it was made from. */
async function writeBundle(dir: string): Promise<readonly string[]> {
  const { rolldown } = await import('rolldown'); // nearly always the bundle is fresh, and it is not needed
  await using bundle = await rolldown({
    input: {
      [ENTRY.replace(/\.js$/, '')]: join(import.meta.dirname, 'agent-main.ts'),
      // A thread, which the agent starts by this name beside its own file.
      'request-thread': join(ROOT, 'packages/agent/src/certificate-requests/request-thread.ts'),
      // A process, which the agent starts in the same way.
      'carrier-process': join(ROOT, 'packages/agent/src/carrier/carrier-process.ts'),
    },
    platform: 'node',
  });
  // Names stay, for stack traces. Comments and spaces go: the source of every function stays in memory.
  const { output } = await bundle.write({ dir, format: 'esm', minify: { mangle: false, compress: true } });
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const files = modules.filter((id) => existsSync(id)).map((id) => relative(ROOT, id).split(sep).join('/'));
  return [...new Set([...files, ...files.flatMap((file) => manifestOf(file))])].sort();
}

/** What a package exports decides which file an import means. */
function manifestOf(file: string): readonly string[] {
  const [, home] = /^(packages\/[^/]+)\//.exec(file) ?? [];
  return home === undefined ? [] : [`${home}/package.json`];
}
