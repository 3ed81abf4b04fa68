import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { arch, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const PACKAGE = `node-linux-${arch()}`;
/** Says who it is, what it was given, and which `node` others would get. */
const node = (version: string) => `#!/bin/sh
if [ "$*" = "-p process.versions.node" ]; then echo ${version}; else echo "${version} runs $*"; command -v node; fi
`;
/** What the loader prints where a library is missing. */
const UNABLE = `#!/bin/sh
echo "$0: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2
exit 127
`;

/** A checkout in a folder, with the given pinned Node and the given Node of the machine, both played by scripts. */
async function checkout({ pinned, own }: { pinned?: string; own?: string }) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-node-'));
  const place = (...names: readonly string[]) => join(folder.path, ...names);
  const write = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o755 });
  };
  mkdirSync(place('tools'));
  copyFileSync(join(root, 'tools/node'), place('tools/node'));
  const pinnedNode = place('node_modules', PACKAGE, 'bin/node');
  if (pinned !== undefined) write(pinnedNode, pinned);
  if (own !== undefined) write(place('own/node'), own);
  const path = [place('own'), '/usr/sbin', '/bin'].join(delimiter);
  return {
    place,
    pinnedNode,
    run: (env: NodeJS.ProcessEnv = { npm_node_execpath: place('own/node') }) =>
      outcome(place('tools/node'), ['a.ts', 'two words'], { PATH: path, ...env }),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

function outcome(script: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn('/bin/sh', [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk;
  });
  return new Promise<{ code: number | null; pid: number | undefined; stdout: string; stderr: string }>(
    (resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, pid: child.pid, ...said }));
    },
  );
}

describe('tools/node', () => {
  it('runs the pinned Node, whatever the machine has, and puts it first on the path', async () => {
    await using here = await checkout({ pinned: node('24.21.0'), own: node('99.0.0') });
    const { code, stdout, stderr } = await here.run();
    assert.deepEqual([code, stdout, stderr], [0, `24.21.0 runs a.ts two words\n${here.pinnedNode}\n`, '']);
  });

  it('becomes the Node of this checkout, so that signals reach it', async () => {
    const script = 'console.log(process.pid, process.execPath)';
    const { pid, stdout } = await outcome(join(root, 'tools/node'), ['-e', script], process.env);
    assert.equal(stdout, `${pid} ${join(root, 'node_modules', PACKAGE, 'bin/node')}\n`);
  });

  it('asks for npm ci where nothing is installed', async () => {
    await using here = await checkout({ own: node('18.20.4') });
    const { code, stdout, stderr } = await here.run();
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(stderr, 'meshwork: Dependencies are not installed. Run "npm ci" first.\n');
  });

  for (const version of ['24.16.0', '24.21.0', '26.1.0', '100.0.0']) {
    it(`without a pinned one, runs the Node ${version} of the machine`, async () => {
      await using here = await checkout({ own: node(version) });
      mkdirSync(here.place('node_modules'));
      const { stdout, stderr } = await here.run();
      assert.deepEqual([stdout, stderr], [`${version} runs a.ts two words\n${here.place('own/node')}\n`, '']);
    });
  }

  for (const version of ['18.20.4', '20.20.2', '24.15.9', '9.99.0']) {
    it(`without a pinned one, refuses the Node ${version} of the machine in a sentence`, async () => {
      await using here = await checkout({ own: node(version) });
      mkdirSync(here.place('node_modules'));
      const { code, stdout, stderr } = await here.run();
      assert.deepEqual([code, stdout], [1, '']);
      const why = `this machine has Node ${version}, and npm ci did not install ${PACKAGE} (was it run with --omit=optional?)`;
      assert.equal(stderr, `meshwork: Node 24.16 or newer is needed: ${why}.\n`);
    });
  }

  it('with a pinned one that does not start, runs a recent Node of the machine', async () => {
    await using here = await checkout({ pinned: UNABLE, own: node('26.10.0') });
    const { stdout, stderr } = await here.run();
    assert.deepEqual([stdout, stderr], [`26.10.0 runs a.ts two words\n${here.place('own/node')}\n`, '']);
  });

  it('with a pinned one that does not start and an old one, names the library that is missing', async () => {
    await using here = await checkout({ pinned: UNABLE, own: node('20.20.2') });
    const { code, stderr } = await here.run();
    assert.equal(code, 1);
    const loader = 'error while loading shared libraries: libatomic.so.1: cannot open shared object file';
    const why = `this machine has Node 20.20.2, and ${PACKAGE} does not start (${loader})`;
    assert.equal(stderr, `meshwork: Node 24.16 or newer is needed: ${why}.\n`);
  });

  it('without npm, takes the Node on the path, and says so where there is none', async () => {
    await using recent = await checkout({ own: node('24.21.0') });
    mkdirSync(recent.place('node_modules'));
    assert.match((await recent.run({})).stdout, /^24\.21\.0 runs/);
    const { code, stderr } = await recent.run({ npm_node_execpath: recent.place('nowhere') });
    assert.equal(code, 1);
    assert.match(stderr, /^meshwork: Node 24\.16 or newer is needed, and npm ci did not install [^\n]*\n$/);
  });

  it('agrees with bin/mesh.js about the oldest Node', () => {
    const oldest = /OLDEST = \[(\d+), (\d+)\]/.exec(readFileSync(join(root, 'packages/cli/bin/mesh.js'), 'utf8'));
    const script = readFileSync(join(root, 'tools/node'), 'utf8');
    const [, major] = /^OLDEST_MAJOR=(\d+)$/m.exec(script) ?? [];
    const [, minor] = /^OLDEST_MINOR=(\d+)$/m.exec(script) ?? [];
    assert.deepEqual([major, minor], oldest?.slice(1));
  });

  it('begins every command that package.json offers', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const [name, command] of Object.entries(scripts)) assert.match(command, /^(\w+=\S+ )?sh tools\/node /, name);
  });
});
