import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** Called where a suite is described: gives its tests folders that go when the suite ends. */
export function temporaryFolders(): () => Promise<string> {
  const made: string[] = [];
  after(async () => {
    for (const folder of made) await rm(folder, { recursive: true });
  });
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'meshwork-store-'));
    made.push(folder);
    return folder;
  };
}
