/** The passphrase of an exported key: from a file, or typed without being shown. It is never an argument, which others can list. */
import { readFile, stat } from 'node:fs/promises';
import { MIN_PASSPHRASE } from '@meshwork/contract';
import { Option } from 'commander';
import { askSecret, needsTerminal } from '../../ask.ts';
import { Failure, reasonOf } from '../../failure.ts';

export function passphraseOption(): Option {
  return new Option('--passphrase-file <file>', 'file with the passphrase (default: ask for it)');
}

/** `twice`: it is a new one, and a slip would make the key useless. */
export async function readPassphrase(file: string | undefined, { twice = false } = {}): Promise<string> {
  const passphrase = file === undefined ? await typed(twice) : await inFile(file);
  if ([...passphrase].length >= MIN_PASSPHRASE) return passphrase;
  throw new Failure(`the passphrase must have at least ${MIN_PASSPHRASE} characters`, { exit: 'usage', code: 'usage' });
}

async function typed(twice: boolean): Promise<string> {
  needsTerminal('give the passphrase with --passphrase-file');
  const passphrase = await askSecret('Passphrase of the exported key: ');
  if (!twice || (await askSecret('The same again: ')) === passphrase) return passphrase;
  throw new Failure('the two passphrases differ; nothing was changed', { exit: 'usage', code: 'usage' });
}

async function inFile(file: string): Promise<string> {
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
