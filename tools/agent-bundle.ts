/** Makes the agent's bundle: plain JavaScript, with all that `mesh agent` needs and nothing else. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { ENTRY, hashOf, INPUTS } from '@meshwork/cli/agent-bundle';
import { rolldown } from 'rolldown';
import { replaceFolder } from './replace-folder.ts';

export async function bundleAgent(root: string, folder: string): Promise<void> {
  const aside = `${folder}.${randomBytes(4).toString('hex')}`;
  await mkdir(dirname(folder), { recursive: true });
  try {
    const inputs = await writeBundle(root, aside);
    const hashes = Object.fromEntries(inputs.map((file) => [file, hashOf(join(root, file))]));
    await writeFile(join(aside, INPUTS), JSON.stringify(hashes));
    await replaceFolder(folder, aside);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Answers with the files that it was made from. */
async function writeBundle(root: string, folder: string): Promise<readonly string[]> {
  await using bundle = await rolldown({
    input: { [ENTRY.replace(/\.js$/, '')]: join(root, 'packages/cli/src/agent-main.ts') },
    platform: 'node',
    // Names of functions stay, for stack traces. Comments and spaces go: the source of every function stays in memory.
  });
  const { output } = await bundle.write({ dir: folder, format: 'esm', minify: { mangle: false, compress: true } });
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const files = modules.filter((id) => existsSync(id)).map((id) => relative(root, id).split(sep).join('/'));
  return [...new Set([...files, ...files.flatMap((file) => manifestOf(file))])].sort();
}

/** What a package exports decides which file an import means. */
function manifestOf(file: string): readonly string[] {
  const [, home] = /^(packages\/[^/]+)\//.exec(file) ?? [];
  return home === undefined ? [] : [`${home}/package.json`];
}
