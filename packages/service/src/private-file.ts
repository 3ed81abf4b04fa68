/** Files and folders that hold secrets: readable by their owner alone, and refused when other accounts can read them. */
import { randomBytes } from 'node:crypto';
import { link, lstat, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The text of a file that only its owner may read; absent (undefined) when there is none. */
export async function readPrivateFile(file: string): Promise<string | undefined> {
  const found = await unlessMissing(stat(file));
  if (found === undefined) {
    if ((await unlessMissing(lstat(file))) === undefined) return undefined;
    throw new Error(`${file} is a link to a file that is not there. Mend the link or remove it.`);
  }
  if (!found.isFile()) throw new Error(`${file} is not a file, and must be one.`);
  if (isOpenToOthers(found.mode)) {
    throw new Error(`${file} can be read by others (mode ${modeText(found.mode)}). Make it 600: chmod 600 ${file}`);
  }
  return await readFile(file, 'utf8');
}

/**
 * Writes a new file, and returns once it is on disk. `wx` fails when the name exists, also as a link that an attacker planted to
 * have the secret written elsewhere.
 */
export async function writeNewPrivateFile(file: string, text: string): Promise<void> {
  await makeFolder(dirname(file));
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(file));
}

/** Makes a file unless there is one. Of several that try at once one succeeds, and no reader finds half of it. */
export async function createPrivateFile(file: string, text: string): Promise<void> {
  // Random, because process ids repeat: two containers on one volume are both process 1.
  const draft = `${file}.${randomBytes(8).toString('hex')}.new`;
  await writeNewPrivateFile(draft, text);
  try {
    await link(draft, file); // fails where a rename would overwrite
    await syncFolder(dirname(file));
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Gives a file its final name, over whatever file or link has it. */
export async function moveIntoPlace(draft: string, file: string): Promise<void> {
  await rename(draft, file);
  await syncFolder(dirname(file));
}

/** Makes a folder that only its owner can read, or refuses one that other accounts can. */
export async function ensurePrivateFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  const { mode } = await stat(folder);
  if (!isOpenToOthers(mode)) return;
  throw new Error(
    `${folder} holds secrets and is open to others (mode ${modeText(mode)}). Make it 700: chmod 700 ${folder}`,
  );
}

/** Level by level: Node's own `recursive` never returns where the system refuses to make a folder, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    const found = await unlessMissing(stat(folder));
    if (found?.isDirectory()) return;
    if (found !== undefined) throw new Error(`${folder} is not a folder, and must be one.`);
  } catch (error) {
    if (!isCode(error, 'ENOTDIR')) throw error; // above it is a file: the parent's turn will say which
  }
  const parent = dirname(folder);
  await makeFolder(parent);
  try {
    await mkdir(folder, { mode: 0o700 });
    await syncFolder(parent);
  } catch (error) {
    // Another start may have been first.
    if (isCode(error, 'EEXIST') && (await unlessMissing(stat(folder)))?.isDirectory()) return;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The folder ${folder} cannot be made: ${reason}`, { cause: error });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function unlessMissing<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isOpenToOthers(mode: number): boolean {
  return (mode & 0o077) !== 0;
}

function modeText(mode: number): string {
  return (mode & 0o777).toString(8);
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
