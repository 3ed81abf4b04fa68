/** Runs the commands of docs/operate/certificates.md as they stand there, each section against a coordinator of its own. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { COMPILED, MAIN, Run, SUITE_MS, tempFolder } from './run-mesh.ts';

const DOCUMENT = resolve(import.meta.dirname, '../../../docs/operate/certificates.md');
const execute = promisify(execFile);

/** Where a person would answer at a terminal, these flags do. */
const ANSWERS: Readonly<Record<string, string>> = {
  'mesh ca export-root': '--passphrase-file passphrase',
  'mesh ca drop-root-key': '--passphrase-file passphrase --yes',
  'mesh ca sign-intermediate': '--passphrase-file passphrase',
  'mesh ca take-intermediate': '--yes',
  'mesh ca rewrap': '--yes',
  'mesh ca rotate': '--yes',
  'openssl pkey': '-passin file:passphrase',
  'openssl x509 -req': '-passin file:passphrase',
  'openssl ca -gencrl': '-passin file:passphrase',
};

/** The `sh` blocks of a section, in order. */
async function blocksOf(section: string): Promise<readonly string[]> {
  const text = await readFile(DOCUMENT, 'utf8');
  const [, body = ''] = text.split(`\n## ${section}\n`);
  const own = body.split(/\n## /)[0] ?? '';
  const blocks = [...own.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  assert.ok(blocks.length > 0, `${section} has no commands`);
  return blocks;
}

/** A coordinator with its data in `data`, and a shell in an empty folder beside it, in which `mesh` is this one. */
class Desk implements AsyncDisposable {
  readonly folder: string;
  readonly #coordinator: Run;
  readonly #env: Readonly<Record<string, string>>;
  readonly #end: () => Promise<void>;

  private constructor(parts: { folder: string; coordinator: Run; env: Record<string, string>; end(): Promise<void> }) {
    this.folder = parts.folder;
    this.#coordinator = parts.coordinator;
    this.#env = parts.env;
    this.#end = parts.end;
  }

  static async open(): Promise<Desk> {
    const temp = await tempFolder();
    const [data, folder, bin] = ['data', 'desk', 'bin'].map((name) => join(temp.path, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(folder);
    await mkdir(bin);
    await writeFile(join(bin, 'mesh'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
    await chmod(join(bin, 'mesh'), 0o755);
    await writeFile(join(folder, 'passphrase'), 'correct horse battery staple\n', { mode: 0o600 });
    const coordinator = new Run(['coordinator', '--listen', '127.0.0.1:0', '--data-dir', data], {
      hangs_after_ms: SUITE_MS,
    });
    const [, url = ''] = await coordinator.said('stdout', /"url":"([^"]+)".*"msg":"serving"/);
    const env = {
      PATH: [bin, process.env.PATH].join(delimiter),
      NODE_COMPILE_CACHE: COMPILED,
      MESH_URL: url,
      MESH_TOKEN: (await readFile(join(data, 'bootstrap-token'), 'utf8')).trim(),
    };
    const desk = new Desk({ folder, coordinator, env, end: async () => await temp[Symbol.asyncDispose]() });
    const lists = async () => (await (await fetch(`${url}/v1/ca/crl`)).text()).split('BEGIN X509 CRL').length - 1;
    while ((await lists()) < 2) await pause(50); // until both authorities are there
    return desk;
  }

  /** Fails with what a command complained about. */
  async run(block: string): Promise<string> {
    const data = join(this.folder, '../data');
    const lines = block.replaceAll('/var/lib/meshwork', data).split('\n').map(answered);
    const options = { cwd: this.folder, env: this.#env };
    const { stdout } = await execute('sh', ['-e', '-c', lines.join('\n')], options).catch((error: Error) => {
      throw new Error(`${lines.join('\n')}\n${error.message}`, { cause: error });
    });
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#coordinator[Symbol.asyncDispose]();
    await this.#end();
  }
}

function answered(line: string): string {
  const [, answer] = Object.entries(ANSWERS).find(([command]) => line.startsWith(command)) ?? [];
  return answer === undefined ? line : line.replace(/(?= >|$)/, ` ${answer}`);
}

describe('the commands of the documentation of certificates', { timeout: SUITE_MS }, () => {
  it('take the key of the root out, and an intermediate in that was signed with it', async () => {
    await using desk = await Desk.open();
    const blocks = await blocksOf('The key of the root');
    const said: string[] = [];
    for (const block of blocks) {
      said.push(await desk.run(block));
      // Both ways make the same files: what the first one made is looked at before the second one makes it anew.
      if (!block.includes('intermediate.pem') && !block.includes('sign-intermediate')) continue;
      const check = 'openssl verify -x509_strict -crl_check -CRLfile root.crl -CAfile root.pem intermediate.pem';
      assert.match(await desk.run(`mesh ca bundle > root.pem\n${check}`), /^intermediate\.pem: OK$/m);
    }
    assert.ok(said.some((text) => /^key +kept outside the installation$/m.test(text)));
    assert.match(said.at(-1) ?? '', /rotation of the +intermediate/);
    await assert.rejects(desk.run('mesh ca rotate'), /rotat/);
    assert.doesNotMatch(await desk.run('cat intermediate.csr intermediate.pem root.crl'), /PRIVATE KEY/);
  });

  it('turn the master key over, and leave the new one alone in its file', async () => {
    await using desk = await Desk.open();
    const said: string[] = [];
    for (const block of await blocksOf('Turning the master key over')) said.push(await desk.run(block));
    const [first = '', last = ''] = said.filter((text) => text.includes('the master key'));
    const [, key = ''] = /the master key ([0-9a-f]{16}) seals everything now \(\d secrets\)/.exec(first) ?? [];
    assert.match(first, /Take [0-9a-f]{16} out of the file of every coordinator/);
    assert.equal(last, `the master key ${key} seals everything already\nNo other key is in the file.\n`);
    assert.equal((await readFile(join(desk.folder, '../data/master-key'), 'utf8')).trim().split('\n').length, 1);
  });

  it('replace a root that was lost', async () => {
    await using desk = await Desk.open();
    for (const block of await blocksOf('When the root is lost')) await desk.run(block);
    const bundle = await readFile(join(desk.folder, 'meshwork.crt'), 'utf8');
    assert.equal(bundle.split('BEGIN CERTIFICATE').length, 3, 'both roots');
  });
});
