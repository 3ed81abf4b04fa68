import { randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Failure, reasonOf } from './failure.ts';

type Write = (content: string | Uint8Array) => Promise<void>;

/** Writes a file whole or not at all: a reader never finds half of it, whatever happens meanwhile. */
export async function writeWhole(
  file: string,
  how: { readonly mode: number; readonly replace: boolean },
  produce: (write: Write) => Promise<void>,
): Promise<void> {
  if (!how.replace) await refuseExisting(file);
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}.part`);
  const handle = await openNew(draft, how.mode, file);
  try {
    try {
      await produce((content) => handle.writeFile(content)); // from where the last one ended
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A link fails where a rename would overwrite what another program has put there meanwhile.
    await (how.replace ? rename(draft, file) : link(draft, file)).catch(cannotWrite(file));
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Takes a place for a secret before there is one, so that a secret which is shown only once always has somewhere to go.
 * If there is no secret in the end, the place is given back.
 */
export async function reserveSecretFile(
  file: string,
): Promise<{ keep(secret: string): Promise<void>; giveBack(): Promise<void> }> {
  const handle = await openNew(file, 0o600, file);
  return {
    async keep(secret) {
      await handle.write(`${secret}\n`);
      await handle.sync();
      await handle.close();
    },
    async giveBack() {
      await handle.close();
      await rm(file, { force: true });
    },
  };
}

function openNew(path: string, mode: number, file: string): Promise<FileHandle> {
  return open(path, 'wx', mode).catch(cannotWrite(file));
}

async function refuseExisting(file: string): Promise<void> {
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw cannotWriteFailure(file, error);
  });
  if (found !== undefined) throw cannotWriteFailure(file, Object.assign(new Error(), { code: 'EEXIST' }));
}

const cannotWrite = (file: string) => (error: unknown) => {
  throw cannotWriteFailure(file, error);
};

function cannotWriteFailure(file: string, error: unknown): Failure {
  return new Failure(`cannot write ${file}: ${reasonOf(error)}`, { exit: 'failed', code: 'file_failed', cause: error });
}
