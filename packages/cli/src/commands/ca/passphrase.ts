/** The passphrase of an exported key: from a file, or typed without being shown. It is never an argument, which others can list. */
import { MIN_PASSPHRASE } from '@meshwork/contract';
import { Option } from 'commander';
import { askSecret, needsTerminal } from '../../ask.ts';
import { Failure } from '../../failure.ts';
import { readSecretFile } from '../../secret-file.ts';

export function passphraseOption(): Option {
  return new Option('--passphrase-file <file>', 'file with the passphrase (default: ask for it)');
}

/** `twice`: it is a new one, and a slip would make the key useless. */
export async function readPassphrase(file: string | undefined, { twice = false } = {}): Promise<string> {
  const passphrase = file === undefined ? await typed(twice) : await readSecretFile(file);
  if ([...passphrase].length >= MIN_PASSPHRASE) return passphrase;
  throw new Failure(`the passphrase must have at least ${MIN_PASSPHRASE} characters`, { exit: 'usage', code: 'usage' });
}

async function typed(twice: boolean): Promise<string> {
  needsTerminal('give the passphrase with --passphrase-file');
  const passphrase = await askSecret('Passphrase of the exported key: ');
  if (!twice || (await askSecret('The same again: ')) === passphrase) return passphrase;
  throw new Failure('the two passphrases differ; nothing was changed', { exit: 'usage', code: 'usage' });
}
