import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isCode } from '../../host/atomic-file.ts';

/** A file may be a mount of its own, as in containers, or its folder may not be writable: then it cannot be replaced. */
const NOT_REPLACEABLE = ['EBUSY', 'EXDEV', 'EROFS', 'EACCES', 'EPERM'];
const NEW_FILE_MODE = 0o644;
const DRAFT = /^\.hosts-[0-9a-f]{16}\.tmp$/;
/** Ours: a draft is there for milliseconds. Agents of other networks may share the folder, and have one right now. */
const LEFT_AFTER_MS = 60_000;

/** Byte for byte: also what is no UTF-8 survives. Empty: there is none yet. */
export async function readBytes(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return '';
    throw error;
  }
}

/**
 * Replaces a file that other programs read: they find the old text or the new one. Where that is not
 * possible it is written in place. It keeps its mode and owner, and a link goes on leading to it.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await whereItIs(path);
  try {
    await replaceAtOnce(file, text);
  } catch (error) {
    if (!NOT_REPLACEABLE.some((code) => isCode(error, code))) throw error;
    await writeInPlace(file, text);
  }
}

/** Drafts of this file that were left by a write that was cut short. Where nothing can be taken away, none was ever written. */
export async function sweepDrafts(path: string): Promise<void> {
  const folder = dirname(await whereItIs(path));
  for (const name of (await readdir(folder)).filter((each) => DRAFT.test(each))) {
    const draft = join(folder, name);
    try {
      const { mtimeMs } = await lstat(draft);
      if (Math.abs(Date.now() - mtimeMs) >= LEFT_AFTER_MS) await rm(draft);
    } catch (error) {
      if (!['ENOENT', ...NOT_REPLACEABLE].some((code) => isCode(error, code))) throw error;
    }
  }
}

async function whereItIs(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    if (isLink) throw new Error(`${path} is a link to a file that is not there.`, { cause: error });
    return path;
  }
}

async function replaceAtOnce(file: string, text: string): Promise<void> {
  const draft = join(dirname(file), `.hosts-${randomBytes(8).toString('hex')}.tmp`);
  try {
    await writeAndSync(draft, 'wx', text);
    await keepOwner(file, draft);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function keepOwner(file: string, draft: string): Promise<void> {
  try {
    const { mode, uid, gid } = await stat(file);
    await chown(draft, uid, gid);
    await chmod(draft, mode & 0o7777);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
    await chmod(draft, NEW_FILE_MODE);
  }
}

/** When it cannot be written, as on a full disk, what was there is written back: it has room for that. */
async function writeInPlace(file: string, text: string): Promise<void> {
  const before = await readBytes(file);
  try {
    await writeAndSync(file, 'r+', text);
  } catch (error) {
    await writeAndSync(file, 'r+', before);
    throw error;
  }
}

async function writeAndSync(file: string, flags: 'wx' | 'r+', text: string): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    const bytes = Buffer.from(text, 'latin1');
    let at = 0;
    while (at < bytes.length) at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
    await handle.truncate(bytes.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
