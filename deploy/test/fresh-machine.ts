/** The two commands of the README on a machine that has nothing but Node and npm: a minimal Debian in a folder. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DebianRoot, type Outcome, type RootCommand } from './debian-root.ts';
import { type OuterNpm, readOuterNpm } from './outer-npm.ts';

/** A whole machine is installed: longer than any other test, and still within what a run allows a process. */
export const TIMEOUT_MS = 590_000;

const repository = resolve(import.meta.dirname, '../..');
const FOLDER = '/src/meshwork';
const CERTIFICATES = '/etc/meshwork-test-certificates.pem';
/** Small, and needs a small system package: so one is installed on the way. */
const SMALL_TEST = 'packages/policy/src/firewall/fixtures.test.ts';

export class FreshMachine implements AsyncDisposable {
  readonly root: DebianRoot;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(root: DebianRoot, npm: OuterNpm) {
    this.root = root;
    const trusted = npm.certificates.map((file) => readFileSync(file, 'utf8')).join('\n');
    if (trusted !== '') writeFileSync(root.outside(CERTIFICATES), trusted);
    const trust = trusted === '' ? {} : { NODE_EXTRA_CA_CERTS: CERTIFICATES, npm_config_cafile: CERTIFICATES };
    // Any free ports.
    const listen = { MESH_COORDINATOR_LISTEN: '127.0.0.1:0', MESH_PANEL_LISTEN: '127.0.0.1:0' };
    this.#env = { ...npm.env, ...trust, ...listen, npm_config_prefer_offline: 'true' };
  }

  /** With these Debian packages, and a copy of this repository. */
  static async make(packages: readonly string[]): Promise<FreshMachine> {
    const npm = await readOuterNpm();
    const root = await DebianRoot.make({ packages, npmCache: npm.cache });
    await copyRepository(root.outside(FOLDER));
    return new FreshMachine(root, npm);
  }

  /** On the Node and npm that are found on this path, which must be of this version. */
  async tryReadme(path: string, version: RegExp): Promise<void> {
    assert.match(readFileSync(join(repository, 'README.md'), 'utf8'), /npm ci && npm start.*npm ci && npm test/s);
    const inside = (...argv: readonly string[]): RootCommand => ({
      argv,
      cwd: FOLDER,
      env: { ...this.#env, PATH: path },
    });
    assert.match((await this.#succeed(inside('node', '--version'))).output, version);
    const installed = await this.#succeed(inside('npm', 'ci'));
    assert.doesNotMatch(installed.output, /warn|error|deprecated/i);
    assert.match((await this.#succeed(inside('npx', 'mesh', '--version'))).output, /^\d+\.\d+\.\d+\n$/);
    await this.#tryStart(inside('npm', 'start'));
    const { output } = await this.#succeed(inside('npm', 'test', '--', SMALL_TEST));
    assert.match(output, /^installing nftables/m);
    assert.match(output, new RegExp(`✔ ${SMALL_TEST}`));
  }

  async #tryStart(command: RootCommand): Promise<void> {
    await using running = this.root.start(command);
    const [banner, panel = '', api = ''] = await running.said(
      /^.*Panel +(\S+)\n.*API +(\S+)\/v1\n.*Press Ctrl-C to stop/s,
    );
    assert.doesNotMatch(banner, /^ +at /m, 'it started without a stack trace');
    assert.equal((await fetch(`${api}/readyz`)).status, 200);
    const page = await fetch(panel);
    assert.equal(page.status, 200);
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
    const loaded = await fetch(new URL(script, panel));
    assert.deepEqual([loaded.status, loaded.headers.get('content-type')?.split(';')[0]], [200, 'text/javascript']);

    const { code, output } = await running.terminate();
    assert.equal(code, 0, output);
    await assert.rejects(fetch(`${api}/readyz`), 'nothing listens any more');
  }

  async #succeed(command: RootCommand): Promise<Outcome> {
    const outcome = await this.root.run(command);
    assert.equal(outcome.code, 0, `${command.argv.join(' ')}:\n${outcome.output}`);
    return outcome;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.root[Symbol.asyncDispose]();
  }
}

/** As a clone would have it, with what is not committed yet. */
async function copyRepository(target: string): Promise<void> {
  const listing = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: repository,
    encoding: 'utf8',
  });
  for (const file of listing.split('\0').filter((name) => name !== '')) {
    // Deleted, and not committed yet.
    if (statSync(join(repository, file), { throwIfNoEntry: false }) === undefined) continue;
    await mkdir(dirname(join(target, file)), { recursive: true });
    await cp(join(repository, file), join(target, file));
  }
}
