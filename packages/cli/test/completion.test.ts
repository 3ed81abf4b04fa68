/** Completion in the shells themselves. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { json, type LoopbackServer } from '@meshwork/client/testing';
import { OPERATIONS } from '@meshwork/contract';
import { SCRIPTS, SHELLS, type Shell } from '../src/completion/scripts.ts';
import { exampleServer } from './example-server.ts';
import { COMPILED, MAIN, mesh, type TempFolder, tempFolder } from './run-mesh.ts';

const run = promisify(execFile);
const node = OPERATIONS['nodes.show'].example.answer;
const token = OPERATIONS['tokens.show'].example.answer;

/** How each shell is asked what it would offer after a line; it answers a candidate a line. */
const ASKING: Readonly<Record<Shell, (script: string) => readonly [command: string, ...args: string[]]>> = {
  bash: (script) => [
    'bash',
    '--norc',
    '-c',
    `source ${script}
     COMP_LINE=$1 COMP_POINT=\${#1} COMP_CWORD=1
     _mesh mesh
     printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
  ],
  // The two functions that zsh itself brings are stood in for, so that what the script hands to them can be seen.
  zsh: (script) => [
    'zsh',
    '-f',
    '-c',
    `compdef() { : }
     _files() { : }
     _describe() { local one; for one in "\${(@P)\${@[-1]}}"; do print -r -- "\${\${one//\\\\\\\\:/\\x01}%%:*}"; done | tr '\\001' ':' }
     source ${script}
     words=("\${(@s: :)1}") CURRENT=\${#words}
     _mesh`,
    'zsh',
  ],
  fish: (script) => [
    'fish',
    '--no-config',
    '-c',
    `source ${script}; complete -C $argv[1] | string replace -r '\\t.*' ''; true`,
  ],
};

const TRIES = 5;

describe('completion', { concurrency: 2 }, () => {
  let folder: TempFolder;
  let server: LoopbackServer;
  before(async () => {
    folder = await tempFolder();
    server = await exampleServer({
      'nodes.list': (response, { url }) => {
        const items = ['git-1', 'git-2', 'laptop-3'].map((name) => ({ ...node, name }));
        const part = new URL(url, 'http://x').searchParams.get('q') ?? '';
        json(response, { items: items.filter(({ name }) => name.includes(part)), next_cursor: null });
      },
    });
    const program = join(folder.path, 'mesh');
    await writeFile(program, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`);
    await chmod(program, 0o755);
    for (const shell of SHELLS) {
      const printed = await mesh(['completion', shell]);
      assert.equal(printed.stdout, SCRIPTS[shell]);
      await writeFile(join(folder.path, shell), printed.stdout);
    }
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const env = (url = server.url) => ({
    PATH: `${folder.path}:${process.env.PATH}`,
    HOME: folder.path,
    MESH_URL: url,
    MESH_TOKEN: 'mesh_test-token',
    LC_ALL: 'C.UTF-8',
    NODE_COMPILE_CACHE: COMPILED,
  });
  async function offered(shell: Shell, line: string, url?: string): Promise<string[]> {
    const [command, ...args] = ASKING[shell](join(folder.path, shell));
    const { stdout } = await run(command, [...args, line], { env: env(url), cwd: folder.path });
    return stdout.split('\n').filter((value) => value !== '' && !value.endsWith('/'));
  }

  for (const shell of SHELLS) {
    it(`in ${shell} knows commands, flags, their values, and names from the coordinator`, async () => {
      const expected: readonly [line: string, candidates: string[]][] = [
        ['mesh rel', ['relay']],
        ['mesh node re', ['rekey', 'relay', 'release', 'remove', 'retag']],
        ['mesh firewall create --direc', ['--direction']],
        ['mesh firewall create --direction ', ['forward', 'in', 'out']],
        ['mesh node show git', ['git-1', 'git-2']],
        ['mesh operation list --node lap', ['laptop-3']],
        ['mesh token revoke tok', [token.id]],
      ];
      for (const [line, candidates] of expected) {
        let found = await offered(shell, line);
        // A coordinator that is late is left out, so that a prompt does not wait.
        for (let tries = 1; found.length === 0 && tries < TRIES; tries++) found = await offered(shell, line);
        assert.deepEqual(found.toSorted(), candidates, line);
      }
    });
  }

  it('is silent when the coordinator cannot be reached', async () => {
    const { code, stdout, stderr } = await mesh(['__complete', 'node', 'show', ''], { env: env('http://127.0.0.1:2') });
    assert.deepEqual([code, stdout, stderr], [0, '', '']);
  });

  it('asks the coordinator that the line names', async () => {
    const { stdout } = await mesh(['__complete', '--url', server.url, 'node', 'drain', 'lap'], {
      env: { MESH_TOKEN: 'mesh_test-token' },
    });
    assert.equal(stdout, 'laptop-3\tactive\n');
    assert.ok(server.seen.some(({ url }) => url === '/v1/nodes?limit=200&q=lap'));
  });

  it('offers a flag once, its value behind an equals sign, and all values of a list', async () => {
    const ask = async (...words: string[]) => {
      const { stdout } = await mesh(['__complete', ...words], { env: env() });
      return stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
    };
    assert.deepEqual(await ask('node', 'list', '--state=act'), ['--state=active']);
    assert.ok(!(await ask('node', 'list', '--state', 'active', '--s')).includes('--state'));
    assert.deepEqual(await ask('node', 'list', '--state', 'active', '--state'), []);
    assert.deepEqual(await ask('relay', 'create', 'x', '--node', 'git-'), ['git-1', 'git-2']);
  });
});
