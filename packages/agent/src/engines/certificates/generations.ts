/** Generations of the `tls/` folder (`tls-folder.ts`): written aside, brought into use by one rename, and dropped later. */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DRAFT_SUFFIX, syncFolder } from '../../host/atomic-file.ts';

const GENERATION = /^g-(\d+)$/;
const DRAFT = /^\.current-[0-9a-f]{16}\.tmp$/;
/**
 * Ours: how many are kept besides the one in use, for programs that have just read the link. Two, because one answer of the
 * coordinator can bring new roots and a new certificate, which are two generations within milliseconds.
 */
const KEPT = 2;

/** Their numbers, of the ones in use and all others. */
export async function generationsIn(folder: string): Promise<readonly number[]> {
  const numbers = (await readdir(folder)).map((name) => GENERATION.exec(name)?.[1]);
  return numbers.filter((number) => number !== undefined).map(Number);
}

interface Writing {
  /** Lets those read who may. Without a file: the folder itself. */
  readonly finish: (path: string, file?: string) => Promise<unknown>;
}

/** On disk when it returns. What was begun is taken away when it fails; when the agent is killed, by `dropGenerations`. */
export async function writeGeneration(
  folder: string,
  files: Readonly<Record<string, string>>,
  { finish }: Writing,
): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
    for (const [file, text] of Object.entries(files)) {
      const path = join(folder, file);
      const handle = await open(path, 'wx', 0o600);
      try {
        await handle.writeFile(text);
        await finish(path, file);
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
    await finish(folder);
    await syncFolder(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Undefined: there is no generation to use any more. */
export async function switchLink(link: string, generation: string | undefined): Promise<void> {
  const folder = dirname(link);
  const isLink = await lstat(link).then(
    (found) => found.isSymbolicLink(),
    () => true,
  );
  // A folder in its place cannot be replaced by a rename, and whatever made it there, this place is the agent's.
  if (!isLink || generation === undefined) await rm(link, { recursive: true, force: true });
  if (generation !== undefined) {
    const draft = join(folder, `.current-${randomBytes(8).toString('hex')}${DRAFT_SUFFIX}`);
    try {
      await symlink(generation, draft);
      await rename(draft, link);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
  await syncFolder(folder);
}

interface Kept {
  readonly inUse: string | undefined;
  /** False: the node has no certificate any more, and no private key of it stays behind. */
  readonly keys: boolean;
}

/** Drops what was never brought into use, since that is newer than what is, and all but the last of what was in use before. */
export async function dropGenerations(folder: string, { inUse, keys }: Kept): Promise<void> {
  const used = Number(GENERATION.exec(inUse ?? '')?.[1] ?? -1);
  const before = (await generationsIn(folder)).filter((number) => number < used).toSorted((a, b) => b - a);
  const kept = new Set([used, ...before.slice(0, KEPT)].map((number) => `g-${number}`));
  for (const name of await readdir(folder)) {
    const isOurs = GENERATION.test(name) || DRAFT.test(name);
    const path = join(folder, name);
    if (isOurs && (!kept.has(name) || (!keys && (await hasKey(path)))))
      await rm(path, { recursive: true, force: true });
  }
}

async function hasKey(folder: string): Promise<boolean> {
  return (await readdir(folder)).includes('key.pem');
}
