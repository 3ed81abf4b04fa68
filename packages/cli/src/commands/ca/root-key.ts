/** The key of the root outside: exported to a file, dropped from the installation, and used where there is no coordinator. */
import { createPrivateKey, sign } from 'node:crypto';
import {
  type AnswerOf,
  type Authority,
  dropProofText,
  MIN_INTERMEDIATE_DAYS,
  type Operations,
} from '@meshwork/contract';
import { Argument, Command, Option } from 'commander';
import { Failure } from '../../failure.ts';
import { reserveSecretFile, writeWhole } from '../../new-file.ts';
import { readSource, SOURCE_HELP, textOf } from '../../read-source.ts';
import { outputOf } from '../../session.ts';
import { when } from '../../when.ts';
import type { CommandWords } from '../../words/command-words.ts';
import { passphraseOption, readPassphrase } from './passphrase.ts';
import { rotationText } from './rotation-text.ts';

type Answer<Id extends keyof Operations> = AnswerOf<Operations[Id]>;
type Words<Id extends keyof Operations> = CommandWords<Answer<Id>>;

const KEY_FILE = 'the file that export-root wrote';
const DAYS = 90;

export const exportRoot: Words<'ca.export_root'> = {
  without: ['passphrase'],
  options: () => [
    passphraseOption(),
    new Option('--key-file <file>', 'write it to this new file (mode 600) instead of standard output'),
  ],
  help: 'The encrypted key and the certificate of the root go to one file. Keep it where neither the store nor its backups are.',
  run: async ({ request, options, send, out }) => {
    const passphrase = await readPassphrase(options.passphraseFile as string | undefined, { twice: true });
    request.body = { passphrase };
    const file = options.keyFile as string | undefined;
    const place = file === undefined ? undefined : await reserveSecretFile(file);
    const exported = await send().catch(async (error: unknown) => {
      await place?.giveBack();
      throw error;
    });
    const text = `${exported.key}${exported.certificate}`;
    if (place === undefined && out.json) return out.result(exported, () => '');
    if (place === undefined) await out.verbatim(text);
    else await place.keep(text.trimEnd());
    out.notice(
      `exported the key of ${exported.name}, which stays in the installation too. When the file is safe: mesh ca drop-root-key ${file ?? 'FILE'}`,
    );
  },
};

export const dropRootKey: Words<'ca.drop_root_key'> = {
  without: ['proof'],
  own_arguments: () => [new Argument('<file>', KEY_FILE)],
  options: () => [passphraseOption()],
  confirm: {
    ask: () => ({
      what: 'dropping the key of the root',
      describe: () =>
        'The key of the root leaves the installation. From then on every new intermediate has to be signed with the file, about every two months.',
    }),
  },
  run: async ({ client, request, words: [file], options, send, out }) => {
    const key = await openKey(String(file), options.passphraseFile as string | undefined);
    const { body } = await client.call('ca.show');
    const root = (body as Answer<'ca.show'>).authorities.find(isActiveRoot);
    const { id = '', key_exported_at = null } = root ?? {};
    const text = dropProofText({ id, key_exported_at: key_exported_at ?? '' });
    const private_key = createPrivateKey({ key: key.private_key, format: 'der', type: 'pkcs8' });
    request.body = { proof: sign('sha256', Buffer.from(text), private_key).toString('base64') };
    const dropped = await send();
    const until = dropped.revocation_list?.next_at ?? dropped.not_after;
    await out.result(
      dropped,
      () => `dropped the key of ${dropped.name}; its revocation list is good until ${when(until)}`,
    );
  },
};

function isActiveRoot({ role, state }: Authority): boolean {
  return role === 'root' && state === 'active';
}

export const requestIntermediate: Words<'ca.request_intermediate'> = {
  run: async ({ send, out }) => {
    const requested = await send();
    if (out.json) return out.result(requested, () => '');
    out.notice(`requested ${requested.name}. Sign it where the key of the root is: mesh ca sign-intermediate`);
    await out.verbatim(requested.request);
  },
};

export const takeIntermediate: Words<'ca.take_intermediate'> = {
  arguments: ['certificate'],
  parameters: {
    certificate: { find: textOf, value: 'file', help: SOURCE_HELP },
    revocation_list: {
      flag: 'crl',
      find: textOf,
      value: 'file',
      help: 'file with a new revocation list of the root (default: the one there is)',
    },
    deadline_s: { help: 'use it after this time in any case (default: wait for every node)' },
  },
  confirm: {
    ask: () => ({
      what: 'taking in an intermediate',
      describe: () => 'It is published to every node, and used when each fresh one has proven that it trusts it.',
    }),
  },
  print: rotationText,
};

/** Asks no coordinator: it runs on the machine that has the key of the root. */
export function signIntermediate(): Command {
  const command = new Command('sign-intermediate')
    .summary('Sign an intermediate with the exported key of the root')
    .description(
      'Sign an intermediate with the exported key of the root, and make a revocation list of the root that is good for longer. No coordinator is asked.',
    )
    .argument('<request>', 'the request of request-intermediate, or - for standard input')
    .requiredOption('--key-file <file>', KEY_FILE)
    .addOption(passphraseOption())
    .option('--days <number>', 'how long it is good for', String(DAYS))
    .option('--out <file>', 'where the certificate is written', 'intermediate.pem')
    .option('--crl <file>', 'where the revocation list of the root is written', 'root.crl');
  return command.action(async (request: string, options: SignOptions) => {
    const days = Number(options.days);
    if (!Number.isInteger(days) || days < MIN_INTERMEDIATE_DAYS || days > 3650) {
      throw new Failure(`--days must be a number from ${MIN_INTERMEDIATE_DAYS} to 3650`, {
        exit: 'usage',
        code: 'usage',
      });
    }
    const { text } = await readSource(request);
    const root = await openKey(options.keyFile, options.passphraseFile);
    const pki = await import('@meshwork/pki/offline');
    const signed = await pki.signIntermediate(root, { request: text, days, now_ms: Date.now() }).catch(inWords(pki));
    const how = { mode: 0o644, replace: false };
    await writeWhole(options.out, how, (write) => write(signed.certificate));
    await writeWhole(options.crl, how, (write) => write(signed.revocation_list));
    const made = { certificate: options.out, revocation_list: options.crl, not_after: signed.not_after.toISOString() };
    await outputOf(command).result(
      made,
      () => `wrote ${made.certificate}, good until ${when(made.not_after)}, and ${made.revocation_list}`,
    );
  });
}

interface SignOptions {
  readonly keyFile: string;
  readonly passphraseFile?: string;
  readonly days: string;
  readonly out: string;
  readonly crl: string;
}

/** Loaded when it is needed: no other command has to do with X.509. */
async function openKey(file: string, passphrase_file: string | undefined) {
  const { text } = await readSource(file);
  const passphrase = await readPassphrase(passphrase_file);
  const pki = await import('@meshwork/pki/offline');
  try {
    return pki.openRootFile(text, passphrase);
  } catch (error) {
    return inWords(pki, `cannot open ${file}: `)(error);
  }
}

const inWords =
  ({ SigningFault }: typeof import('@meshwork/pki/offline'), before = 'cannot sign it: ') =>
  (error: unknown): never => {
    if (!(error instanceof SigningFault)) throw error;
    throw new Failure(before + error.message, { exit: 'failed', code: 'key_failed', cause: error });
  };
