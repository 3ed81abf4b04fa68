import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { STARTER, type TempFolder, tempFolder } from './run-mesh.ts';

const BUILD = join(import.meta.dirname, '../src/build-agent.ts');
const run = promisify(execFile);

/** Prints the address of each module that is loaded, behind what the program itself prints. */
const LISTING = `data:text/javascript,
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
process.on('exit', () => writeSync(1, loaded.join('\\n')));`;

describe('the bundle of the agent', () => {
  let folder: TempFolder;
  let bundle: string;

  before(async () => {
    folder = await tempFolder();
    bundle = join(folder.path, 'bundle');
    assert.match(await build(bundle), /bundled the agent/);
  });

  after(() => folder[Symbol.asyncDispose]());

  it('is all that an agent loads', async () => {
    const loaded = await help(bundle);
    assert.match(loaded, /Run this machine as a node of a mesh/);
    assert.match(loaded, /\/bundle\/agent-main\.js$/m);
    assert.doesNotMatch(loaded, /\.ts$/m);
    assert.doesNotMatch(loaded, /node_modules/);
  });

  it('has the thread that makes certificate requests in a file of its own, which the agent itself does not load', async () => {
    const names = await readdir(bundle);
    const code = await Promise.all(
      names
        .filter((name) => name.endsWith('.js'))
        .map(async (name) => [name, await readFile(join(bundle, name), 'utf8')]),
    );
    const startsIt = code.filter(([, text]) => text?.includes('./request-thread.js')).map(([name]) => name);
    assert.equal(startsIt.length, 1);
    const load = ['--input-type=module', '--eval', `await import(${JSON.stringify(join(bundle, `${startsIt}`))})`];
    const { stdout: loaded } = await run(process.execPath, ['--import', LISTING, ...load]);
    assert.match(loaded, new RegExp(`/bundle/${startsIt}$`, 'm'));
    assert.doesNotMatch(loaded, /request-thread/);
    const heavy = code.filter(([, text]) => text?.includes('CertificationRequest')).map(([name]) => name);
    assert.deepEqual(heavy, ['request-thread.js']);
    await using alone = await tempFolder();
    await cp(bundle, alone.path, { recursive: true }); // where no package can be found
    const thread = new Worker(join(alone.path, 'request-thread.js'));
    const [{ private_key, request }] = await once(thread, 'message');
    await thread.terminate();
    assert.match(private_key, /^-----BEGIN PRIVATE KEY-----/);
    const file = join(alone.path, 'request.pem');
    await writeFile(file, request);
    await run('openssl', ['req', '-in', file, '-verify', '-noout']);
  });

  it('has the carrier in a file of its own, which runs without anything else', async () => {
    await using alone = await tempFolder();
    await cp(bundle, alone.path, { recursive: true }); // where no package can be found
    const carrier = spawn(process.execPath, [join(alone.path, 'carrier-process.js'), alone.path], { stdio: 'inherit' });
    const ended = once(carrier, 'exit');
    try {
      assert.match(await hello(join(alone.path, 'carrier.sock')), /^\{"hello":\{"protocol":\d+,/);
    } finally {
      carrier.kill('SIGTERM');
      await ended;
    }
  });

  it('is left alone while its sources are the same', async () => {
    const made = await readFile(join(bundle, 'inputs.json'), 'utf8');
    assert.match(made, /"packages\/agent\/src\/node-agent\.ts"/);
    assert.match(made, /"packages\/agent\/package\.json"/);
    assert.equal(await build(bundle), '');
  });

  it('gives way to the sources when they are others, and is then made anew', async () => {
    const inputs = join(bundle, 'inputs.json');
    const made = await readFile(inputs, 'utf8');
    await writeFile(inputs, made.replace(/("packages\/agent\/src\/node-agent\.ts":)"\w+"/, '$1"another"'));
    const loaded = await help(bundle);
    assert.match(loaded, /Run this machine as a node of a mesh/);
    assert.match(loaded, /\/cli\/src\/agent-main\.ts$/m);
    assert.match(await build(bundle), /bundled the agent/);
    assert.equal(await readFile(inputs, 'utf8'), made);
  });

  it('gives way to the sources when it is incomplete or absent', async () => {
    await using empty = await tempFolder();
    assert.match(await help(empty.path), /\/cli\/src\/agent-main\.ts$/m);
    await writeFile(join(empty.path, 'inputs.json'), '{"packages/gone.ts":"');
    assert.match(await help(empty.path), /\/cli\/src\/agent-main\.ts$/m);
  });

  it('may be made several times at once', async () => {
    await using other = await tempFolder();
    const made = await Promise.all([1, 2, 3].map(() => build(join(other.path, 'bundle'))));
    assert.match(made.join(''), /bundled the agent/);
    assert.match(await help(join(other.path, 'bundle')), /\/bundle\/agent-main\.js$/m);
    assert.deepEqual(await readdir(other.path), ['bundle']);
  });

  it('needs a folder', async () => {
    await assert.rejects(build(''), ({ code, stderr }) => code === 2 && /^usage: /.test(stderr));
  });
});

async function build(folder: string): Promise<string> {
  return (await run(process.execPath, [BUILD, folder])).stderr;
}

async function help(folder: string): Promise<string> {
  const env = { ...process.env, MESH_AGENT_BUNDLE: folder };
  return (await run(process.execPath, ['--import', LISTING, STARTER, 'agent', '--help'], { env })).stdout;
}

/** What a carrier says first, once it listens. */
async function hello(path: string): Promise<string> {
  for (;;) {
    const socket = connect(path);
    try {
      const [line] = await once(socket, 'data');
      return String(line);
    } catch {
      await pause(20); // it does not listen yet
    } finally {
      socket.destroy();
    }
  }
}
