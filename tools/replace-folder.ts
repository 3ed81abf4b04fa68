import { rename, rm } from 'node:fs/promises';

/** Puts a finished folder in place of another, so that a reader sees the old or the new one, never half of either. */
export async function replaceFolder(place: string, finished: string): Promise<void> {
  const old = `${finished}.old`;
  try {
    await rename(place, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await rename(finished, place);
  await rm(old, { recursive: true, force: true });
}
