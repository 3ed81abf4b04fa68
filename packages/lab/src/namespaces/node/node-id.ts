import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Which node of the mesh a node of the lab has become. Kept with what the lab keeps of it. */
const FILE = 'node.json';

export async function saveNodeId(folder: string, answer: string): Promise<string> {
  const { node } = JSON.parse(answer) as { readonly node: string };
  await writeFile(join(folder, FILE), JSON.stringify({ node }), { mode: 0o600 });
  return node;
}

/** Undefined: it is not enrolled. */
export async function loadNodeId(folder: string): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(join(folder, FILE), 'utf8')) as { readonly node: string }).node;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
