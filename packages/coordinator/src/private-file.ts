import { chmod, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The text of a file that only its owner may read; absent (undefined) when there is none. */
export async function readPrivateFile(file: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0) {
      throw new Error(`${file} can be read by others (mode ${(mode & 0o777).toString(8)}). Make it 600.`);
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Writes a file of mode 600 so that a reader, or a crash, finds either all of it or none. */
export async function writePrivateFile(file: string, text: string, options: { replace: boolean }): Promise<void> {
  await makePrivateFolder(dirname(file));
  const draft = `${file}.${process.pid}.new`;
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.chmod(0o600);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A link fails where a rename would overwrite: two first starts at once must not each believe in their own key.
    if (options.replace) await rename(draft, file);
    else await link(draft, file);
    await syncFolder(dirname(file));
  } finally {
    await rm(draft, { force: true });
  }
}

export async function makePrivateFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) await chmod(folder, 0o700); // whatever the umask said
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
