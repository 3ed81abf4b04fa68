import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** The file is there whole or not at all, whenever others look, and readable by its owner alone. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.part`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
