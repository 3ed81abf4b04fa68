import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, ChainReport, Token, TokenWithSecret, Whoami } from '@meshwork/contract';
import { type Ended, mesh, Run, SUITE_MS, type TempFolder, tempFolder } from './run-mesh.ts';

/** One walk through the product: the steps build on each other, as they do for a new user. */
describe('mesh with a real coordinator', () => {
  let folder: TempFolder;
  let coordinator: Run;
  let env: Record<string, string>;
  let made: TokenWithSecret;
  let successor: TokenWithSecret;
  let trail: string;

  before(async () => {
    folder = await tempFolder();
    trail = join(folder.path, 'trail.ndjson');
    const args = ['coordinator', '--listen', '127.0.0.1:0', '--data-dir', join(folder.path, 'data')];
    coordinator = new Run(args, { cwd: folder.path, hangs_after_ms: SUITE_MS });
    const [, url = ''] = await coordinator.said('stdout', /"url":"([^"]+)".*"msg":"serving"/);
    env = { MESH_URL: url };
  });
  after(async () => {
    await coordinator?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const run = (args: string[], more: Record<string, string> = {}): Promise<Ended> =>
    mesh(args, { env: { ...env, ...more }, cwd: folder.path });
  const answer = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await run([...args, '--json']);
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    return JSON.parse(stdout) as T;
  };

  it('prints nothing but structured logs', () => {
    assert.equal(coordinator.stderr, '');
    for (const line of coordinator.stdout.trimEnd().split('\n')) JSON.parse(line);
  });

  it('knows its first owner by the bootstrap token', async () => {
    const { code, stdout, stderr } = await run(['whoami']);
    assert.equal(code, 0);
    assert.match(stdout, /^name +bootstrap\n/);
    assert.match(stderr, /^using the bootstrap token in .*bootstrap-token\n$/);
    assert.equal((await stat(join(folder.path, 'data', 'bootstrap-token'))).mode & 0o777, 0o600);
  });

  it('creates a token, which can sign in', async () => {
    const scope = ['--team', 'platform', '--surface', 'git', '--environment', 'production'];
    made = await answer('token', 'create', 'ci déploy 日本', ...scope, '--expires', '30d');
    assert.equal(made.role, 'pipeline');
    const { stdout } = await run(['whoami', '--json'], { MESH_TOKEN: made.secret });
    assert.equal((JSON.parse(stdout) as Whoami).actor.name, 'ci déploy 日本');
  });

  it('lists and shows it', async () => {
    const [list, show] = await Promise.all([
      run(['token', 'list', '--query', 'CI']),
      answer<Token>('token', 'show', made.id),
    ]);
    assert.match(list.stdout, new RegExp(`^ID .*\\n${made.id}  ci déploy 日本  active  pipeline .*\\n$`));
    assert.equal(show.name, made.name);
  });

  it('refuses what its role does not allow, what is invalid and what is not there', async () => {
    const scope = ['--team', 'NOT A TEAM', '--surface', 'git', '--environment', 'production'];
    const [refused, invalid, missing] = await Promise.all([
      run(['token', 'list'], { MESH_TOKEN: made.secret }),
      run(['token', 'create', 'x', ...scope, '--expires', '30d', '--role', 'viewer']),
      run(['token', 'show', 'token_01jcqv5s3ee3xv9k7d0w8m2b4n']),
    ]);
    assert.deepEqual([refused.code, invalid.code, missing.code], [3, 2, 4]);
    assert.match(refused.stderr, /request id: req_.*\ntry: `mesh whoami`/);
    assert.match(invalid.stderr, /^mesh: --team is not valid: team boundary: a name of lower-case letters, /m);
  });

  it('rotates it into a secret file, and the old one is retiring', async () => {
    const file = join(folder.path, 'secret');
    const token = await answer<Token>('token', 'rotate', made.id, '--deadline', '10m', '--secret-file', file);
    successor = { ...token, secret: (await readFile(file, 'utf8')).trim() };
    assert.equal(successor.rotated_from, made.id);
    const [asSuccessor, old, again] = await Promise.all([
      run(['whoami', '--token-file', file], { MESH_TOKEN: 'flags-win-over-this' }),
      answer<Token>('token', 'show', made.id),
      run(['token', 'rotate', made.id]),
    ]);
    assert.deepEqual([asSuccessor.code, old.state, again.code], [0, 'retiring', 5]);
  });

  it('revokes it, and a caller that still uses it reads so', async () => {
    assert.equal((await answer<Token>('token', 'revoke', successor.id)).state, 'revoked');
    const { code, stdout, stderr } = await run(['whoami'], { MESH_TOKEN: successor.secret });
    assert.deepEqual([code, stdout], [3, '']);
    assert.match(stderr, /revoked/);
    assert.ok(!stderr.includes(successor.secret));
  });

  it('revokes a token with what it made, when that is asked for; without a terminal it says what stays', async () => {
    const scope = ['--team', '*', '--surface', '*', '--environment', '*'];
    const create = (name: string, given: { role: string; expires: string; as?: string }) =>
      run(
        ['token', 'create', name, ...scope, '--role', given.role, '--expires', given.expires, '--json'],
        given.as === undefined ? {} : { MESH_TOKEN: given.as },
      );
    const parent = JSON.parse((await create('parent', { role: 'operator', expires: '1d' })).stdout) as TokenWithSecret;
    const late = await create('too long', { role: 'viewer', expires: '2d', as: parent.secret });
    assert.equal(late.code, 2);
    assert.match(late.stderr, new RegExp(`must be at most ${parent.expires}`));
    const made = await create('child', { role: 'viewer', expires: '2h', as: parent.secret });
    const child = JSON.parse(made.stdout) as TokenWithSecret;
    const [kept, listed] = [
      await run(['token', 'revoke', parent.id]),
      await run(['token', 'list', '--parent', parent.id]),
    ];
    assert.equal(kept.code, 0);
    assert.match(kept.stderr, new RegExp(`made 1 token that still works:[^]*${child.id}[^]*They stay valid`));
    assert.match(listed.stdout, new RegExp(`^ID .*\\n${child.id}  child  active .*\\n$`));
    assert.equal((await run(['token', 'revoke', parent.id, '--keep-children', '--yes'])).code, 2);
    assert.equal((await run(['token', 'revoke', parent.id, '--with-children'])).code, 0);
    assert.equal((await answer<Token>('token', 'show', child.id)).state, 'revoked');
    assert.match((await run(['token', 'show', child.id])).stdout, new RegExp(`by parent \\(${parent.id}\\)`));
  });

  it('has all of it in the audit trail', async () => {
    const { code, stdout } = await run(['audit', 'list', '--target', made.id, '--from', '1h']);
    assert.equal(code, 0);
    assert.match(stdout, /bootstrap +tokens\.rotate /);
    assert.match(stdout, /bootstrap +tokens\.create /);
  });

  it('exports the trail, and finds it intact with and without the coordinator', async () => {
    const exported = await run(['audit', 'export', '--out', trail]);
    assert.equal(exported.code, 0);
    assert.match(exported.stdout, /^wrote \d+ entries to .*trail\.ndjson\n$/);
    const here = await run(['audit', 'verify', '--file', trail], { MESH_URL: 'http://coordinator.invalid' });
    assert.match(here.stdout, /^The audit chain is intact: \d+ entries checked\.\nhead \d+:[0-9a-f]{64}\n$/);
    assert.equal(here.code, 0);
    const [, head = ''] = /^head (\S+)$/m.exec(here.stdout) ?? [];
    const there = await answer<ChainReport>('audit', 'verify', '--anchor', head);
    assert.equal(there.intact, true);
  });

  it('names the entry of an export that was tampered with', async () => {
    const lines = (await readFile(trail, 'utf8')).trimEnd().split('\n');
    const entry = JSON.parse(lines[1] ?? '') as AuditEntry;
    const tampered = lines.with(1, JSON.stringify({ ...entry, actor: { ...entry.actor, name: 'mallory' } }));
    await writeFile(trail, `${tampered.join('\n')}\n`);
    const { code, stdout } = await run(['audit', 'verify', '--file', trail]);
    assert.equal(code, 7);
    assert.match(stdout, new RegExp(`BROKEN:\\n.*\\n${entry.seq} +${entry.id} +altered .*\\nhead `));
    // From the middle, after the fault, the rest is sound.
    await writeFile(trail, `${lines.slice(2).join('\n')}\n`);
    const middle = await run(['audit', 'verify', '--file', trail]);
    assert.equal(middle.code, 0);
    assert.match(middle.stdout, /^The export starts in the middle: the hash of entry 3 is taken as given\.\n/);
  });

  it('describes its API', async () => {
    const document = await answer<{ openapi: string; paths: object }>('openapi');
    assert.match(document.openapi, /^3\.1/);
    assert.ok('/v1/auth/tokens' in document.paths);
  });

  it('is not started with a configuration that is wrong, and every problem is named', async () => {
    const args = ['coordinator', '--store', 'papyrus', '--log-level', 'loud', '--tls-key', '/nowhere/key.pem'];
    const { code, stdout, stderr } = await run(args, { MESH_COORDINATOR_LISTEN: 'everywhere' });
    assert.deepEqual([code, stdout], [2, '']);
    for (const variable of ['STORE', 'LOG_LEVEL', 'COORDINATOR_LISTEN', 'TLS_KEY', 'TLS_CERT']) {
      assert.match(stderr, new RegExp(`^  MESH_${variable} `, 'm'));
    }
  });

  it('is not started twice on one store, nor on a port that is taken', async () => {
    const listen = new URL(env.MESH_URL ?? '').host;
    const [again, taken] = await Promise.all([
      run(['up', '--listen', '127.0.0.1:0', '--panel-listen', '127.0.0.1:0']),
      run(['up', '--data-dir', join(folder.path, 'other'), '--listen', listen, '--panel-listen', '127.0.0.1:0']),
    ]);
    assert.deepEqual([again.code, again.stdout], [1, '']);
    assert.match(again.stderr, /^mesh: cannot start: another process holds the store .*\n$/);
    assert.equal(taken.code, 1);
    assert.match(taken.stderr, new RegExp(`^mesh: cannot start: ${listen} is taken: .*\\n$`));
  });

  it('ends with 0 after a signal, and comes back up with a banner and a new owner when all were lost', async () => {
    coordinator.child.kill('SIGTERM');
    assert.equal((await coordinator.ended).code, 0);
    const config = join(folder.path, 'mesh.env');
    await writeFile(
      config,
      'MESH_COORDINATOR_LISTEN=127.0.0.1:0\nMESH_PANEL_LISTEN=127.0.0.1:0\nMESH_DATA_DIR=nowhere\nMESH_LOG_LEVEL=warn\n',
    );
    const first = await readFile(join(folder.path, 'data', 'bootstrap-token'), 'utf8');
    await using up = new Run(['up', '--config', config, '--recover'], {
      cwd: folder.path,
      env: { MESH_DATA_DIR: join(folder.path, 'data') },
    });
    await up.said('stderr', /Press Ctrl-C to stop/);
    const second = await readFile(join(folder.path, 'data', 'bootstrap-token'), 'utf8');
    assert.notEqual(second, first);
    assert.match(
      up.stderr,
      /Meshwork is up\.\n\n {2}Panel +(http:\S+)\n {2}Set it up +\1\/setup#(?:[0-9A-Z]{4}-?){4} .*\n {2}API +(http:\S+)\/v1\n {2}Reference +\2\/docs\n/,
    );
    assert.match(up.stderr, /\n {2}Token +\.\/data\/bootstrap-token \(an owner's, good for 24 h from now\)\n/);
    assert.ok(!up.stderr.includes(second.trim()));
    const [, next = ''] = /Next +mesh (.*)\n/.exec(up.stderr) ?? [];
    const tried = await mesh(next.split(' '), { cwd: folder.path });
    assert.equal(tried.code, 0);
    assert.match(tried.stdout, /^name +recovery\n/);
    up.child.kill('SIGINT');
    assert.deepEqual([(await up.ended).code, up.stdout], [0, '']);
  });
});
