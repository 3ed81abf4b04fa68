import { Argument, Option } from 'commander';
import { Failure } from '../../failure.ts';
import { writeWhole } from '../../new-file.ts';
import type { CommandWords, Running } from '../../words/command-words.ts';

/** Revocation lists as a file: all of them in PEM, or one, which can be DER. */
export const downloadLists: CommandWords<string> = {
  summary: 'Download the revocation lists',
  description:
    'Download the newest revocation list of every authority in PEM, as OpenSSL and nginx take them, or that of one authority.',
  own_arguments: () => [new Argument('[authority]', 'only the list of this authority, by id or serial number')],
  options: () => [
    new Option('--format <format>', 'pem: as text; der: one list, as programs fetch it')
      .choices(['pem', 'der'])
      .default('pem'),
    new Option('--output <file>', 'write it to this file (default: standard output)'),
  ],
  run: download,
};

async function download({ client, send, out, words: [authority], options }: Running<string>): Promise<void> {
  const isDer = options.format === 'der';
  const file = options.output as string | undefined;
  if (isDer && authority === undefined) {
    throw refused('DER holds one list: name the authority. `mesh ca show` lists them.');
  }
  if (isDer && file === undefined && process.stdout.isTTY) {
    throw refused('DER is binary: write it to a file with --output, or send it to another program.');
  }
  const text = authority === undefined ? await send() : await listOf(client, String(authority));
  const content = isDer ? derOf(text) : text;
  if (file !== undefined) await writeWhole(file, { mode: 0o644, replace: true }, (write) => write(content));
  else if (typeof content === 'string') await out.verbatim(content);
  else await out.write(content);
}

async function listOf(client: Running['client'], authority: string): Promise<string> {
  return (await client.call('ca.authority_crl', { params: { authority } })).body as string;
}

/** The bytes between the two lines of PEM. */
function derOf(pem: string): Buffer {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----/g, ''), 'base64');
}

function refused(message: string): Failure {
  return new Failure(message, { exit: 'usage', code: 'usage' });
}
