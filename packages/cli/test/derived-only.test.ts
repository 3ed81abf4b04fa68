/** What an area has without a line written for it. The real areas serve as the new ones here. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { json } from '@meshwork/client/testing';
import { OPERATIONS } from '@meshwork/contract';
import { exampleServer } from './example-server.ts';
import { mesh } from './run-mesh.ts';

const PROGRAM = [process.execPath, fileURLToPath(new URL('./derived-only.ts', import.meta.url))] as const;
const relay = OPERATIONS['relays.show'].example.answer;
const run = (url: string, ...args: string[]) =>
  mesh(args, { program: PROGRAM, env: { MESH_URL: url, MESH_TOKEN: 'mesh_test-token' } });

describe('an area that is new in the contract', { concurrency: 2 }, () => {
  it('has its verbs, arguments and flags at once', async () => {
    await using server = await exampleServer();
    const { stdout } = await run(server.url, 'relay', '--help');
    for (const verb of ['create <name>', 'list', 'show <relay>', 'set <relay>', 'drain <relay>', 'remove <relay>']) {
      assert.match(stdout, new RegExp(`^ {2}${verb} {2,}[A-Z]`, 'm'));
    }
    const help = (await run(server.url, 'relay', 'create', '--help')).stdout;
    assert.match(help, /^Usage: mesh relay create <name> --host <host> \[options\]$/m);
    assert.match(help, /--capacity <number> +nodes assigned to it at most/);
    const made = await run(server.url, 'relay', 'create', 'fra-1', '--node', 'git-1', '--host', 'h', '--port', '3479');
    assert.equal(made.code, 0, made.stderr);
    assert.deepEqual(JSON.parse(server.seen.at(-1)?.body ?? ''), {
      name: 'fra-1',
      node: 'git-1',
      host: 'h',
      port: 3479,
    });
  });

  it('prints records and lists, newest first, with right plurals', async () => {
    const items = ['2026-11-01', '2026-11-03', '2026-11-02'].map((day) => ({
      ...relay,
      name: `r-${day.slice(-1)}`,
      created_at: `${day}T00:00:00Z`,
    }));
    await using server = await exampleServer({
      'relays.list': (response) => json(response, { items, next_cursor: null }),
    });
    const { stdout } = await run(server.url, 'relay', 'show', 'fra-1');
    assert.match(stdout, /^name +fra-1$/m);
    assert.match(stdout, /^healthy +yes$/m);
    assert.match(stdout, /^created +\S+Z \(.*\)$/m);
    const list = await run(server.url, 'relay', 'list', '--limit', '2');
    assert.match(list.stdout, /^NAME +KIND +NODE +HOST +PORT +TLS PORT +CREATED\nr-3 .*\nr-2 .*\n$/);
    assert.equal(list.stderr, '2 of 3 relays: --all lists every one\n');
  });

  it('says that a list is empty, and names all that is missing at once', async () => {
    await using server = await exampleServer({
      'relays.list': (response) => json(response, { items: [], next_cursor: null }),
    });
    assert.deepEqual(await run(server.url, 'relay', 'list'), {
      code: 0,
      signal: null,
      stdout: '',
      stderr: 'no relays\n',
    });
    const missing = await run(server.url, 'relay', 'create');
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /^mesh: missing <name> and --host <host>\n/);
    const odd = await run(server.url, 'relay', 'set', 'fra-1', '--port', '70000');
    assert.match(odd.stderr, /^mesh: invalid --port "70000": Give a whole number from 1 to 65535\./);
  });

  it('asks before it removes, and says what it removed', async () => {
    await using server = await exampleServer({ 'relays.delete': (response) => response.writeHead(204).end() });
    const unasked = await run(server.url, 'relay', 'remove', 'fra-1');
    assert.deepEqual([unasked.code, server.seen.length], [2, 0]);
    assert.match(unasked.stderr, /^mesh: removing relay fra-1 cannot be undone/);
    assert.equal((await run(server.url, 'relay', 'remove', 'fra-1', '--yes')).stdout, 'removed relay fra-1\n');
    const gone = await run(server.url, 'relay', 'remove', 'fra-1', '--yes', '--json');
    assert.deepEqual(JSON.parse(gone.stdout), { name: 'fra-1', removed: true });
  });

  it('takes lists, nulls, durations and whole objects as flags', async () => {
    await using server = await exampleServer();
    const sent = () => JSON.parse(server.seen.at(-1)?.body ?? '');
    await run(
      server.url,
      'firewall',
      'set',
      'x',
      '--port',
      '22',
      '80',
      '--no-note',
      '--rate.count',
      '5',
      '--rate.per',
      'hour',
    );
    assert.deepEqual(sent(), { ports: ['22', '80'], note: null, rate: { count: 5, per: 'hour' } });
    await run(server.url, 'node', 'drain', 'git-1', '--deadline', '10m');
    assert.deepEqual(sent(), { deadline_s: 600 });
    const half = await run(server.url, 'firewall', 'set', 'x', '--rate.count', '5');
    assert.deepEqual([half.code, half.stderr], [2, 'mesh: --rate.count and --rate.per belong together\n']);
  });
});
