/** A secret from a file that only its owner may read. It is never an argument, which others can list. */
import { readFile, stat } from 'node:fs/promises';
import { Failure, reasonOf } from './failure.ts';

/** Without the end of its line. */
export async function readSecretFile(file: string): Promise<string> {
  const failed = (reason: string, cause?: unknown) =>
    new Failure(`cannot read ${file}: ${reason}`, { exit: 'usage', code: 'file_failed', cause });
  const { mode } = await stat(file).catch((error: unknown) => {
    throw failed(reasonOf(error), error);
  });
  if ((mode & 0o077) !== 0) throw failed(`others can read it; chmod 600 ${file}`);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw failed(reasonOf(error), error);
  });
  return text.replace(/\r?\n$/, '');
}
