/** A coordinator, and a shell in an empty folder in which `mesh` is this one and an owner asks. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Client, createClient } from '@meshwork/client';
import { asRun } from '@meshwork/lab/testing';
import { COMPILED, MAIN, Run, SUITE_MS, tempFolder } from './run-mesh.ts';

const execute = promisify(execFile);

interface DeskParts {
  readonly url: string;
  readonly client: Client;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly started: AsyncDisposableStack;
}

export class Desk implements AsyncDisposable {
  readonly url: string;
  /** The owner's. */
  readonly client: Client;
  readonly folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #started: AsyncDisposableStack;
  readonly #places: Record<string, string>;

  private constructor({ url, client, folder, env, started }: DeskParts) {
    this.url = url;
    this.client = client;
    this.folder = folder;
    this.#env = env;
    this.#started = started;
    this.#places = { '/var/lib/meshwork': join(folder, '../data'), 'http://mesh.example.org:7400': url };
  }

  /** Resolves when the mesh CA is there, with its revocation lists. */
  static async open(): Promise<Desk> {
    await using started = new AsyncDisposableStack();
    const temp = started.use(await tempFolder());
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
    const args = ['coordinator', '--listen', '127.0.0.1:0', '--data-dir', data];
    const coordinator = started.use(new Run(args, { hangs_after_ms: SUITE_MS }));
    const [, url = ''] = await coordinator.said('stdout', /"url":"([^"]+)".*"msg":"serving"/);
    const token = (await readFile(join(data, 'bootstrap-token'), 'utf8')).trim();
    const env = {
      PATH: [bin, process.env.PATH].join(delimiter),
      NODE_COMPILE_CACHE: COMPILED,
      MESH_URL: url,
      MESH_TOKEN: token,
      MESH_STATE_DIR: join(temp.path, 'state'),
    };
    const client = createClient({ url, token });
    while ((await client.call('ca.crl', {})).body.split('BEGIN X509 CRL').length < 3) await pause(50);
    return new Desk({ url, client, folder, env, started: started.move() });
  }

  /** From here on this stands where the page has `written`. */
  put(written: string, here: string): void {
    this.#places[written] = here;
  }

  /** Answers with what it printed; fails with what a command complained about. `env`: what differs this time. */
  async run(block: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const text = asRun(block, this.#places);
    const options = { cwd: this.folder, env: { ...this.#env, ...env } };
    const { stdout } = await execute('sh', ['-e', '-c', text], options).catch((error: Error) => {
      throw new Error(`${text}\n${error.message}`, { cause: error });
    });
    return stdout;
  }

  async until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await pause(50);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started.disposeAsync();
  }
}
