import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Failure, reasonOf } from './failure.ts';
import type { Source } from './source-problems.ts';

export const SOURCE_HELP = 'file with it, or - for standard input';

/** The text of a file, as words for a parameter find it. */
export async function textOf(_: unknown, file: string): Promise<string> {
  return (await readSource(file)).text;
}

/** What a file or the standard input has, to the byte: what is not UTF-8 is refused rather than mended. */
export async function readSource(file: string): Promise<Source> {
  const name = file === '-' ? '<stdin>' : file;
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch((error: unknown) => {
    throw new Failure(`cannot read ${name}: ${reasonOf(error)}`, { exit: 'usage', code: 'file_failed', cause: error });
  });
  try {
    return { name, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    throw new Failure(`${name} is not UTF-8`, { exit: 'usage', code: 'file_failed', cause: error });
  }
}
