import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export { givenAuthority, issueGiven } from './given.ts';

const run = promisify(execFile);

/** Runs OpenSSL in a folder of its own with these files. Answers with what it printed; rejects with what it complained about. */
export async function openssl(
  args: readonly string[],
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<string> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-openssl-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder.path, name), content);
  const { stdout } = await run('openssl', args, { cwd: folder.path });
  return stdout;
}

/** Checks a chain as strictly as OpenSSL can, with the revocation list of every authority. Rejects with its complaint. */
export async function verifyChain(given: {
  readonly roots: string;
  readonly chain: string;
  readonly revocation_lists: string;
  readonly purpose?: 'sslserver' | 'sslclient';
  /** As it is at this moment. Absent: now. */
  readonly at_ms?: number;
}): Promise<void> {
  const { roots, chain, revocation_lists, purpose, at_ms } = given;
  const wanted = [
    ...(purpose === undefined ? [] : ['-purpose', purpose]),
    ...(at_ms === undefined ? [] : ['-attime', String(Math.floor(at_ms / 1000))]),
  ];
  const lists = ['-crl_check_all', '-CRLfile', 'crl.pem'];
  const args = [
    'verify',
    '-x509_strict',
    ...lists,
    '-CAfile',
    'ca.pem',
    '-untrusted',
    'chain.pem',
    ...wanted,
    'chain.pem',
  ];
  await openssl(args, { 'ca.pem': roots, 'chain.pem': chain, 'crl.pem': revocation_lists });
}

/** A certificate request that OpenSSL makes: `-addext` for each extension. */
export async function requestOf(given: {
  readonly subject?: string;
  readonly key?: readonly string[];
  readonly extensions?: readonly string[];
  readonly more?: readonly string[];
}): Promise<string> {
  const { subject = '/', key = P256, extensions = [], more = [] } = given;
  const added = extensions.flatMap((extension) => ['-addext', extension]);
  return await openssl([
    'req',
    '-new',
    '-nodes',
    '-newkey',
    ...key,
    '-keyout',
    'key.pem',
    '-subj',
    subject,
    ...added,
    ...more,
  ]);
}
const P256 = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
