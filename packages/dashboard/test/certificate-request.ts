/** Certificate requests, as operators make them. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Scene } from './scene.ts';

interface Made {
  /** Its file, which the browser can choose. */
  readonly file: string;
  readonly request: string;
  readonly key: string;
}

/** By OpenSSL, for names such as `DNS:git-1.mesh`. The folder ends with `using`. */
export async function makeRequest(names: string): Promise<Made & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'meshwork-request-'));
  const [key, file] = [join(folder, 'service.key'), join(folder, 'service.csr')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const asked = ['-subj', '/', '-addext', `subjectAltName=${names}`];
  await promisify(execFile)('openssl', ['req', '-new', ...kind, '-keyout', key, '-out', file, ...asked]);
  return {
    file,
    request: await readFile(file, 'utf8'),
    key: await readFile(key, 'utf8'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The id of a valid certificate for a service. The scene needs authorities. */
export async function aCertificate({ client }: Scene, name = 'git-1.mesh'): Promise<string> {
  const query = { state: 'valid', profile: 'server', q: name, current: true } as const;
  const [found] = (await client.call('ca.certificates', { query })).body.items;
  if (found !== undefined) return found.id;
  await using made = await makeRequest(`DNS:${name}`);
  return (await client.call('ca.issue', { body: { request: made.request } })).body.id;
}
