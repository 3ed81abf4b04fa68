import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { json, problem, problemOf } from '@meshwork/client/testing';
import { OPERATIONS } from '@meshwork/contract';
import { exampleServer } from './example-server.ts';
import { mesh, Run, tempFolder } from './run-mesh.ts';

const token = OPERATIONS['tokens.list'].example.answer.items[0];
const created = OPERATIONS['tokens.create'].example.answer;
const [entry] = OPERATIONS['audit.list'].example.answer.items;
const create = [
  'token',
  'create',
  'ci deploy',
  '--team',
  'platform',
  '--surface',
  'git',
  '--environment',
  'production',
];
const ndjson = { 'content-type': 'application/x-ndjson' };
const connected = (url: string) => ({ MESH_URL: url, MESH_TOKEN: 'mesh_test-token' });

describe('what mesh prints', { concurrency: 2 }, () => {
  it('is exactly the answer with --json, and nothing else', async () => {
    await using server = await exampleServer();
    const env = connected(server.url);
    const commands: [string[], unknown][] = [
      [['token', 'rotate', token.id, '--deadline', '0'], OPERATIONS['tokens.rotate'].example.answer],
      [[...create, '--expires', '2027-01-31T00:00:00Z'], created],
      [[...create, '--expires', '2027-01-31T00:00:00Z', '--tag', 'role:dba', 'audited'], created],
      [['acl', 'check'], OPERATIONS['acls.check'].example.answer],
    ];
    for (const [args, answer] of commands) {
      const { code, stdout, stderr } = await mesh([...args, '--json'], { env });
      assert.deepEqual([code, stderr, JSON.parse(stdout)], [0, '', answer], args.join(' '));
    }
    const bodies = server.seen.map(({ method, url, body }) => [method, url, body === '' ? null : JSON.parse(body)]);
    assert.deepEqual(bodies[0], ['POST', `/v1/auth/tokens/${token.id}/rotate`, { deadline_s: 0 }]);
    const asked = OPERATIONS['tokens.create'].example.body;
    assert.deepEqual(bodies[1], ['POST', '/v1/auth/tokens', asked]);
    assert.deepEqual(bodies[2], ['POST', '/v1/auth/tokens', { ...asked, tags: ['role:dba', 'audited'] }]);
  });

  it('is a table whose columns hold, without anything that a terminal would obey', async () => {
    const names = ['plain', '日本の鍵', '\u001b]0;owned\u0007\u001b[2Jclear'];
    const items = names.map((name) => ({ ...token, name }));
    await using server = await exampleServer({
      'tokens.list': (response, { url }) =>
        url.includes('cursor=')
          ? json(response, {
              items: [{ ...token, name: 'first', created_at: '2020-01-01T00:00:00Z' }],
              next_cursor: null,
            })
          : json(response, { items, next_cursor: 'more' }),
    });
    const { stdout, stderr } = await mesh(['token', 'list', '--query', 'x', '--limit', '3'], {
      env: connected(server.url),
    });
    const cells = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(token.id.length + 2));
    const starts = ['NAME      STATE ', 'plain     active', '日本の鍵  active', 'clear     active'];
    assert.deepEqual(
      cells.slice(1).map((line, index) => line.slice(0, starts[index + 1]?.length)),
      starts.slice(1),
    );
    assert.equal(stderr, '3 of 4 tokens: --all lists every one\n');
    assert.equal(server.seen[0]?.url, '/v1/auth/tokens?q=x&limit=200');
  });

  it('leaves tokens of people out unless asked for them', async () => {
    await using server = await exampleServer();
    await mesh(['token', 'list', '--people'], { env: connected(server.url) });
    assert.equal(server.seen[0]?.url, '/v1/auth/tokens?people=true&limit=200');
  });

  it('is every page with --all, a line each with --json', async () => {
    await using server = await exampleServer({
      'tokens.list': (response, { url }) =>
        url.includes('cursor=')
          ? json(response, { items: [{ ...token, name: 'two' }], next_cursor: null })
          : json(response, { items: [{ ...token, name: 'one' }], next_cursor: 'c' }),
    });
    const env = connected(server.url);
    const { stdout } = await mesh(['token', 'list', '--all', '--json', '--limit', '1'], { env });
    const lines = stdout.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).name),
      ['one', 'two'],
    );
  });

  it('is the trail with who, what and how often it was refused', async () => {
    const refused = { ...entry, outcome: 'refused', code: 'permission_denied', count: 4, target: null };
    await using server = await exampleServer({
      'audit.list': (response) => json(response, { items: [entry, refused], next_cursor: null }),
    });
    const args = ['audit', 'list', '--outcome', 'refused', '--from', '2026-11-15', '--limit', '2'];
    const { stdout } = await mesh(args, { env: connected(server.url) });
    assert.match(stdout, /^TIME +ACTOR +ACTION +TARGET +OUTCOME\n/);
    assert.match(stdout, /bootstrap +tokens\.revoke +token_\w+ +done\n/);
    assert.match(stdout, /bootstrap +tokens\.revoke +- +refused \(permission_denied\) × 4\n$/);
    assert.equal(server.seen[0]?.url, '/v1/audit?from=2026-11-15T00%3A00%3A00Z&outcome=refused&limit=2');
  });

  it('has a secret once, or in a new private file instead', async () => {
    await using server = await exampleServer();
    await using folder = await tempFolder();
    const env = connected(server.url);
    const file = join(folder.path, 'secret');
    const printed = await mesh([...create, '--expires', '30d'], { env });
    assert.equal(printed.stdout.split(created.secret).length, 2);

    const filed = await mesh([...create, '--expires', '30d', '--secret-file', file], { env });
    assert.equal(filed.code, 0);
    assert.doesNotMatch(filed.stdout + filed.stderr, /EXAMPLE/);
    assert.equal(await readFile(file, 'utf8'), `${created.secret}\n`);
    assert.equal((await stat(file)).mode & 0o777, 0o600);

    const asked = server.seen.length;
    const again = await mesh([...create, '--expires', '30d', '--secret-file', file], { env });
    assert.deepEqual([again.code, again.stdout], [1, '']);
    assert.match(again.stderr, /cannot write .*secret: it already exists/);
    assert.equal(server.seen.length, asked, 'no token is made that could not be handed over');
  });

  it('leaves no file behind when there is no secret to put in', async () => {
    await using server = await exampleServer({
      'tokens.rotate': (response) => problem(response, problemOf('token_not_active')),
    });
    await using folder = await tempFolder();
    const args = ['token', 'rotate', token.id, '--secret-file', join(folder.path, 'secret')];
    assert.equal((await mesh(args, { env: connected(server.url) })).code, 5);
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('is an export on standard output, or whole in a new private file', async () => {
    const lines = [1, 2, 3].map((seq) => JSON.stringify({ ...entry, seq }));
    await using server = await exampleServer({
      'audit.list': (response) => response.writeHead(200, ndjson).end(`${lines.join('\n')}\n`),
    });
    await using folder = await tempFolder();
    const env = connected(server.url);
    const file = join(folder.path, 'trail.ndjson');
    assert.equal((await mesh(['audit', 'export'], { env })).stdout, `${lines.join('\n')}\n`);
    const filed = await mesh(['audit', 'export', '--action', 'tokens.revoke', '--out', file, '--json'], { env });
    assert.deepEqual([filed.code, JSON.parse(filed.stdout)], [0, { file, entries: 3 }]);
    assert.equal(await readFile(file, 'utf8'), `${lines.join('\n')}\n`);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const again = await mesh(['audit', 'export', '--out', file], { env });
    assert.equal(again.code, 1);
    assert.match(again.stderr, /it already exists/);
    assert.deepEqual(await readdir(folder.path), ['trail.ndjson']);
  });

  it('is no file at all when the export breaks off, or is broken off', async () => {
    const half = `${JSON.stringify(entry)}\n`;
    await using breaking = await exampleServer({
      'audit.list': (response) => response.writeHead(200, ndjson).write(half, () => response.destroy()),
    });
    await using folder = await tempFolder();
    const args = ['audit', 'export', '--out', join(folder.path, 'trail.ndjson')];
    assert.equal((await mesh(args, { env: connected(breaking.url) })).code, 6);
    assert.deepEqual(await readdir(folder.path), []);

    const under_way = Promise.withResolvers<void>();
    await using hanging = await exampleServer({
      'audit.list': (response) => response.writeHead(200, ndjson).write(half, () => under_way.resolve()),
    });
    await using run = new Run(args, { env: connected(hanging.url) });
    await under_way.promise;
    run.child.kill('SIGINT');
    assert.deepEqual(await run.ended, { code: 130, signal: null, stdout: '', stderr: '' });
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('ends quietly when its output is closed', async () => {
    const line = `${JSON.stringify(entry)}\n`;
    await using server = await exampleServer({
      'audit.list': (response) => {
        response.writeHead(200, ndjson);
        const more = () => {
          while (response.write(line));
        };
        response.on('drain', more);
        more(); // an export without end
      },
    });
    await using run = new Run(['audit', 'export'], { env: connected(server.url) });
    await once(run.child.stdout as NodeJS.ReadableStream, 'data');
    run.child.stdout?.destroy();
    const { code, stderr } = await run.ended;
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('is the description of the API, to a file over the one before', async () => {
    await using server = await exampleServer();
    await using folder = await tempFolder();
    const file = join(folder.path, 'openapi.json');
    await writeFile(file, 'old');
    assert.equal((await mesh(['openapi', '--out', file], { env: connected(server.url) })).code, 0);
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), OPERATIONS['meta.openapi'].example.answer);
    assert.deepEqual(await readdir(folder.path), ['openapi.json']);
    assert.equal(server.seen[0]?.headers.authorization, undefined, 'what anyone may ask needs no token');
  });

  it('names the faults of a broken chain and ends with 7', async () => {
    const report = {
      ...OPERATIONS['audit.verify'].example.answer,
      intact: false,
      faults: [{ seq: 12, id: 'audit_x', reason: 'altered', detail: 'Entry 12 is not what it was.' }],
    };
    await using server = await exampleServer({ 'audit.verify': (response) => json(response, report) });
    const env = connected(server.url);
    const human = await mesh(['audit', 'verify', '--anchor', `3:${'a'.repeat(64)}`], { env });
    assert.equal(human.code, 7);
    assert.match(human.stdout, /BROKEN:\n.*\n12 +audit_x +altered +Entry 12 is not what it was\.\nhead 42:/);
    assert.deepEqual(JSON.parse(server.seen[0]?.body ?? ''), { anchor: { seq: 3, hash: 'a'.repeat(64) } });
  });
});
