/**
 * The two commands of the README on a machine that has nothing but Node and npm: a minimal Debian, first with Node 20,
 * then with the Node and npm that Debian itself has (18 and 9 in bookworm).
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { arch } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DebianRoot, type Outcome, type RootCommand } from './test/debian-root.ts';
import { installInto, type OuterNpm, readOuterNpm } from './test/outer-npm.ts';

const repository = resolve(import.meta.dirname, '..');
const NODE_20 = [`node-linux-${arch()}@20.20.2`, 'npm@10.8.2'];
const NODE_20_FOLDER = '/opt/node-20';
const CERTIFICATES = '/etc/meshwork-test-certificates.pem';
/** Small, and needs a small system package: so one is installed on the way. */
const SMALL_TEST = 'packages/policy/src/firewall/fixtures.test.ts';
/** Any free ports. */
const LISTEN = { MESH_COORDINATOR_LISTEN: '127.0.0.1:0', MESH_PANEL_LISTEN: '127.0.0.1:0' };

/** It installs a whole machine: longer than any other test, and still within what the run allows a process. */
const TIMEOUT_MS = 590_000;

describe('a fresh machine', { timeout: TIMEOUT_MS }, () => {
  let root: DebianRoot;
  let npm: OuterNpm;
  before(async () => {
    npm = await readOuterNpm();
    root = await DebianRoot.make(npm.cache);
    const trusted = npm.certificates.map((file) => readFileSync(file, 'utf8')).join('\n');
    if (trusted !== '') writeFileSync(root.outside(CERTIFICATES), trusted);
  });
  after(() => root?.[Symbol.asyncDispose]());

  it('runs the commands of the README on Node 20', async () => {
    await mkdir(root.outside(NODE_20_FOLDER), { recursive: true });
    await installInto(root.outside(NODE_20_FOLDER), NODE_20);
    const modules = `${NODE_20_FOLDER}/node_modules`;
    const path = `${modules}/node-linux-${arch()}/bin:${modules}/.bin:/usr/sbin:/usr/bin:/sbin:/bin`;
    await tryReadme('/src/node-20', { PATH: path }, /^v20\./);
  });

  it("runs the commands of the README on Debian's own Node and npm", async () => {
    const apt = (...args: readonly string[]) =>
      succeed({ argv: ['apt-get', ...args], cwd: '/', env: { ...npm.env, DEBIAN_FRONTEND: 'noninteractive' } });
    await apt('update');
    await apt('install', '-y', '--no-install-recommends', 'nodejs', 'npm');
    await tryReadme('/src/debian', {}, /^v\d+\./);
  });

  async function tryReadme(folder: string, path: Readonly<Record<string, string>>, version: RegExp): Promise<void> {
    assert.match(readFileSync(join(repository, 'README.md'), 'utf8'), /npm ci && npm start.*npm ci && npm test/s);
    await copyRepository(root.outside(folder));
    const env = { ...npm.env, ...trust(npm), ...path, npm_config_prefer_offline: 'true' };
    const inside = (...argv: readonly string[]): RootCommand => ({ argv, cwd: folder, env: { ...env, ...LISTEN } });
    assert.match((await succeed(inside('node', '--version'))).output, version);

    const installed = await succeed(inside('npm', 'ci'));
    assert.doesNotMatch(installed.output, /warn|error|deprecated/i);
    assert.match((await succeed(inside('npx', 'mesh', '--version'))).output, /^\d+\.\d+\.\d+\n$/);
    await tryStart(inside('npm', 'start'));
    const { output } = await succeed(inside('npm', 'test', '--', SMALL_TEST));
    assert.match(output, new RegExp(`✔ ${SMALL_TEST}`));
    await rm(root.outside(folder), { recursive: true });
  }

  async function tryStart(command: RootCommand): Promise<void> {
    await using running = root.start(command);
    const [banner, panel = '', api = ''] = await running.said(/^.*Panel +(\S+)\n.*API +(\S+)\/v1\n.*Ctrl-C ends it/s);
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

  async function succeed(command: RootCommand): Promise<Outcome> {
    const outcome = await root.run(command);
    assert.equal(outcome.code, 0, `${command.argv.join(' ')}:\n${outcome.output}`);
    return outcome;
  }
});

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

function trust({ certificates }: OuterNpm): Readonly<Record<string, string>> {
  if (certificates.length === 0) return {};
  return { NODE_EXTRA_CA_CERTS: CERTIFICATES, npm_config_cafile: CERTIFICATES };
}
