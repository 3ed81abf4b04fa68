import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What a file is called while it is being written. One that lies around is of a write that was cut short. */
export const DRAFT_SUFFIX = '.tmp';

/**
 * Writes a whole file that only its owner may read, or leaves what was there: a reader finds the old text or the new one,
 * also after the power failed. On disk before it returns.
 */
export async function writeAtomically(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(8).toString('hex')}${DRAFT_SUFFIX}`;
  try {
    const handle = await open(draft, 'wx', 0o600); // `wx`: never through a link that an attacker planted
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new Error(`${file} cannot be written: ${reasonOf(error)}. What was there is unchanged.`, { cause: error });
  }
  await syncFolder(dirname(file));
}

/** The text of a file that only its owner may read. Absent: there is none. */
export async function readPrivate(file: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0) throw new Error(`it is open to others (mode ${modeText(mode)}): chmod 600 ${file}`);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw new Error(`${file} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

/** Removes what writes of this file left that were cut short: it may have secrets in it. Not while one is under way. */
export async function sweepDrafts(file: string): Promise<void> {
  const [folder, name] = [dirname(file), basename(file)];
  const names = await readdir(folder);
  const drafts = names.filter((other) => other.startsWith(`${name}.`) && other.endsWith(DRAFT_SUFFIX));
  for (const draft of drafts) await rm(join(folder, draft), { force: true });
}

/** A rename is on disk only when its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function modeText(mode: number): string {
  return (mode & 0o777).toString(8);
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'that is not permitted',
  EPERM: 'that is not permitted',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
};

/** In words, where the system has only a code. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === undefined ? undefined : REASONS[code]) ?? message;
}
