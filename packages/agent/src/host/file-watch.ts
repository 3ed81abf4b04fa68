import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isCode } from './atomic-file.ts';

interface FileWatch {
  readonly path: string;
  readonly changed: () => void;
  /** From here on, nothing is said of some changes. */
  readonly failed: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/**
 * Calls back when another program, or this one, has written, replaced or removed a file. The folder says that it was replaced, the
 * file that it was written in place; a file that is a mount of its own is not announced by its folder.
 */
export function watchFile({ path, changed, failed, signal }: FileWatch): void {
  const name = basename(path);
  let file: FSWatcher | undefined;
  const follow = () => {
    file?.close();
    file = open(path, () => changed(), { failed, signal });
  };
  open(
    dirname(path),
    (event, which) => {
      if (which !== name) return;
      if (event === 'rename') follow(); // it is another file now
      changed();
    },
    { failed, signal },
  );
  follow();
}

/** Undefined: there is no such file, or it cannot be watched. */
function open(
  path: string,
  happened: (event: string, name: string | null) => void,
  { failed, signal }: Pick<FileWatch, 'failed' | 'signal'>,
): FSWatcher | undefined {
  try {
    const watcher = watch(path, { signal }, happened);
    watcher.on('error', failed);
    return watcher;
  } catch (error) {
    if (!isCode(error, 'ENOENT')) failed(error);
    return undefined;
  }
}
