import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Ended, MAIN, mesh, Run, SUITE_MS, type TempFolder, tempFolder } from './run-mesh.ts';

/** The demo as a newcomer meets it. The steps build on each other. */
describe('mesh demo', () => {
  let folder: TempFolder;
  let demo: Run;
  let url: string;
  let exported: string;
  let commands: string[];
  /** What a shell may be set to, none of which is meant for a demo. */
  let env: Record<string, string>;

  before(async () => {
    folder = await tempFolder();
    await mkdir(join(folder.path, 'bin'));
    await mkdir(join(folder.path, 'tmp'));
    const starter = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`;
    await writeFile(join(folder.path, 'bin', 'mesh'), starter, { mode: 0o755 });
    env = {
      PATH: `${join(folder.path, 'bin')}:${process.env.PATH}`,
      TMPDIR: join(folder.path, 'tmp'),
      MESH_STORE: 'postgres://nowhere.invalid/mesh',
      MESH_DATA_DIR: join(folder.path, 'data'),
      MESH_TOKEN: 'mesh_of_another',
    };
    demo = new Run(['demo', '--listen', '127.0.0.1:0', '--panel-listen', '127.0.0.1:0', '--nodes', '30'], {
      env,
      cwd: folder.path,
      hangs_after_ms: SUITE_MS,
    });
    await demo.said('stdout', /Ctrl-C stops the demo.*\n/);
    [, exported = ''] = /^ {2}(export .*)$/m.exec(demo.stdout) ?? [];
    [, url = ''] = /API +(\S+)\/v1$/m.exec(demo.stdout) ?? [];
    commands = [...demo.stdout.matchAll(/^ {2}(mesh .+?) {2,}\S.*$/gm)].map(([, command = '']) => command);
  });
  after(async () => {
    await demo?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  /** In a shell, as it was printed. */
  const shell = (command: string) =>
    new Run([], { program: ['/bin/sh', '-c', `${exported}\nexec ${command}`], env, cwd: folder.path });

  it('enrols its nodes and says who is in trouble', async () => {
    await demo.said('stderr', /enrolling {2}\[#{30}\] {2}30 of 30\n/);
    assert.match(demo.stdout, /^The demo runs a mesh of 30 simulated nodes:/m);
    assert.match(demo.stdout, /^ {2}laptop-zoe {3}waits for approval$/m);
    assert.deepEqual(await readdir(join(folder.path, 'tmp')).then((all) => all.length), 1);
    assert.deepEqual((await readdir(folder.path)).sort(), ['bin', 'tmp'], 'it keeps nothing where it was started');
  });

  it('prints commands that work as they stand there', async () => {
    assert.equal(commands.length, 10);
    const runs: (Ended & { readonly command: string })[] = [];
    for (const command of commands.filter((one) => one !== 'mesh events')) {
      await using run = shell(command);
      runs.push({ command, ...(await run.ended) });
    }
    for (const { command, code, stdout, stderr } of runs) {
      assert.equal(code, command.includes('laptop-ben') ? 10 : 0, `${command}: ${stderr}`); // 10: denied
      assert.notEqual(stdout, '');
    }
    const said = (part: string) => runs.find(({ command }) => command.includes(part))?.stdout ?? '';
    assert.match(said('node list'), /laptop-zoe +pending/);
    assert.match(said('node show'), /^routes +10\.20\.0\.0\/16 via gw-\d$/m);
    assert.match(said('explain laptop-ana'), /^ALLOWED/);
    assert.match(said('explain laptop-ben'), /^DENIED {2}No grant lets laptop-ben reach db-1 on tcp:5432\./);
    assert.match(said('drain'), /^state +verified$/m);
    assert.match(said('audit list'), /bootstrap +nodes\.drain/);
  });

  it('goes on meanwhile, which can be followed', async () => {
    await using events = shell('mesh events');
    await events.said('stdout', /node\.|relay\.|route\./);
    await demo.said('stderr', /^\d+ active .*1 quarantined.* heartbeats\/s$/m);
  });

  it('does not start twice on one port, and leaves nothing of the attempt', async () => {
    const second = await mesh(['demo', '--listen', new URL(url).host, '--panel-listen', '127.0.0.1:0'], { env });
    assert.equal(second.code, 1);
    assert.match(second.stderr, /^mesh: cannot start: 127\.0\.0\.1:\d+ is taken/);
    assert.equal((await readdir(join(folder.path, 'tmp'))).length, 1);
  });

  it('ends cleanly, and leaves nothing', async () => {
    demo.child.kill('SIGINT');
    const { code, signal, stderr } = await demo.ended;
    assert.deepEqual([code, signal], [0, null], stderr);
    assert.deepEqual(await readdir(join(folder.path, 'tmp')), []);
    await assert.rejects(fetch(url), 'it does not listen any more');
  });

  it('ends as cleanly while it is being set up', async () => {
    await using early = new Run(
      ['demo', '--listen', '127.0.0.1:0', '--panel-listen', '127.0.0.1:0', '--nodes', '200'],
      { env },
    );
    await early.said('stderr', /enrolling/);
    early.child.kill('SIGTERM');
    const { code, stdout } = await early.ended;
    assert.deepEqual([code, stdout], [0, '']);
    assert.deepEqual(await readdir(join(folder.path, 'tmp')), []);
  });

  it('has to have enough nodes for everything that it shows', async () => {
    const { code, stderr } = await mesh(['demo', '--nodes', '3'], { env });
    assert.equal(code, 2);
    assert.match(stderr, /^mesh: a demo has \d+ to 200 nodes, not 3\n/);
  });
});
