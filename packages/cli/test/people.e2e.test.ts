/** People and roles from the command line, against a real `mesh up`. */
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Invitation, Role, Session, TokenWithSecret, User } from '@meshwork/contract';
import { type Ended, mesh, Run, SUITE_MS, type TempFolder, tempFolder } from './run-mesh.ts';

const PASSWORD = 'correct zebra lantern gravel';
const SCOPE = ['--team', '*', '--surface', '*', '--environment', '*'];

describe('mesh user and mesh role', () => {
  let folder: TempFolder;
  let up: Run;
  let env: Record<string, string>;
  before(async () => {
    folder = await tempFolder();
    const anywhere = ['--listen', '127.0.0.1:0', '--panel-listen', '127.0.0.1:0'];
    up = new Run(['up', ...anywhere], { cwd: folder.path, hangs_after_ms: SUITE_MS });
    const [, panel = ''] = await up.said('stderr', /^ {2}Panel +(\S+)$/m);
    const [, url = ''] = await up.said('stderr', /^ {2}API +(\S+)\/v1$/m);
    await up.said('stderr', /Press Ctrl-C to stop/);
    env = { MESH_URL: url, MESH_PANEL_URL: panel, MESH_DATA_DIR: join(folder.path, 'data') };
  });
  after(async () => {
    await up?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const run = (...args: string[]): Promise<Ended> => mesh(args, { env, cwd: folder.path });
  async function json<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await run(...args, '--json');
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }
  const post = (path: string, body: object) =>
    fetch(new URL(path, env.MESH_PANEL_URL), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('adds a user, whose invitation link opens the account once', async () => {
    const { user, code, url } = await json<Invitation>(
      'user',
      'create',
      'ada',
      '--role',
      'auditor',
      '--display-name',
      'Ada',
    );
    assert.deepEqual([user.name, user.state, user.created_by.kind], ['ada', 'invited', 'token']);
    assert.equal(url, `${env.MESH_PANEL_URL}/invitation#${code}`);
    assert.equal((await post('/api/v1/invitation', { code, password: PASSWORD })).status, 201);
    assert.equal((await post('/api/v1/invitation', { code, password: PASSWORD })).status, 401);
    const said = await run('user', 'create', 'bob', '--role', 'viewer');
    assert.match(said.stdout, /The invitation link, which is shown only now/);
    assert.match(said.stdout, /\/invitation#\S+\n$/m);
    const again = await run('user', 'create', 'bob', '--role', 'viewer');
    assert.equal(again.code, 5, again.stderr);
  });

  it('writes the link to a file that only its owner can read', async () => {
    const file = join(folder.path, 'link');
    const { stdout } = await run('user', 'invite', 'bob', '--link-file', file);
    const link = (await readFile(file, 'utf8')).trim();
    assert.match(link, /\/invitation#\S{43}$/);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.ok(!stdout.includes(link.split('#')[1] ?? ''), 'it is printed nowhere');
  });

  it('lists, shows and changes users by name or id', async () => {
    const { items } = await json<{ items: User[] }>('user', 'list', '--state', 'active');
    assert.deepEqual(
      items.map(({ name }) => name),
      ['ada'],
    );
    const table = await run('user', 'list', '--all');
    assert.match(table.stdout, /^ID +NAME +STATE +ROLE /);
    assert.match(table.stdout, /\bada +active +auditor +\* \/ \* \/ \*/);
    const shown = await json<User>('user', 'show', items[0]?.id ?? '');
    assert.equal(shown.display_name, 'Ada');
    const team = ['--team', 'platform', '--surface', '*', '--environment', '*'];
    const changed = await json<User>('user', 'set', 'ada', '--role', 'viewer', ...team);
    assert.deepEqual([changed.role, changed.scope.team, changed.display_name], ['viewer', 'platform', 'Ada']);
    assert.equal((await run('user', 'set', 'ada')).code, 2, 'nothing was said');
    assert.equal((await run('user', 'show', 'no-such-user')).code, 4);
  });

  it('shows and ends sessions', async () => {
    const login = () => post('/api/v1/auth/login', { name: 'ada', password: PASSWORD });
    assert.equal((await login()).status, 200);
    const sessions = async () => (await json<{ items: Session[] }>('session', 'list', 'ada')).items;
    const [first, ...rest] = await sessions();
    assert.equal(rest.length, 1, 'of the invitation and of the password');
    assert.match((await run('session', 'end', first?.id ?? '')).stdout, /^ended session session_/);
    assert.equal((await sessions()).length, 1);
    assert.deepEqual(await json('session', 'end-all', 'ada'), { ended: 1 });
    assert.equal((await run('session', 'end', 'ada')).code, 2, 'that is no id');
  });

  it('disables, enables and removes a user', async () => {
    assert.equal((await json<User>('user', 'disable', 'ada')).state, 'disabled');
    assert.equal((await post('/api/v1/auth/login', { name: 'ada', password: PASSWORD })).status, 401);
    assert.equal((await json<User>('user', 'enable', 'ada')).state, 'active');
    const asked = await run('user', 'remove', 'ada');
    assert.equal(asked.code, 2);
    assert.match(asked.stderr, /try: add --yes to confirm/);
    assert.equal((await run('user', 'remove', 'ada', '--yes')).stdout, 'removed user ada\n');
    assert.equal((await run('user', 'show', 'ada')).code, 4);
  });

  it('creates, changes and deletes roles, and leaves built-in ones alone', async () => {
    const made = await json<Role>('role', 'create', 'night-shift', '--permission', 'nodes:read', 'events:read');
    assert.deepEqual(made.permissions.includes('events:read'), true);
    const change = ['--add', 'peers:read', '--remove', 'events:read', '--description', 'Watches at night.'];
    const changed = await json<Role>('role', 'set', 'night-shift', ...change);
    const { permissions, description } = await json<Role>('role', 'show', 'night-shift');
    assert.deepEqual(permissions, changed.permissions);
    assert.deepEqual(permissions.filter((one) => one !== 'self:read').toSorted(), ['nodes:read', 'peers:read']);
    assert.equal(description, 'Watches at night.');
    const { items } = await json<{ items: Role[] }>('role', 'list');
    assert.ok(items.some(({ name, built_in }) => name === 'night-shift' && !built_in));
    assert.match((await run('role', 'list')).stdout, /^owner +yes/m);
    const clash = await run('role', 'set', 'night-shift', '--permission', 'nodes:read', '--add', 'peers:read');
    assert.equal(clash.code, 2);
    assert.equal((await run('role', 'set', 'viewer', '--add', 'users:write')).code, 5);
    assert.equal((await run('role', 'remove', 'night-shift', '--yes')).stdout, 'removed role night-shift\n');
    assert.equal((await run('role', 'show', 'night-shift')).code, 4);
  });

  it('does what the token may, and says what it lacks', async () => {
    const create = ['token', 'create', 'reader', ...SCOPE, '--role', 'auditor', '--expires', '1d'];
    const { secret } = await json<TokenWithSecret>(...create);
    const as = (...args: string[]) => mesh(args, { env: { ...env, MESH_TOKEN: secret }, cwd: folder.path });
    assert.equal((await as('user', 'list')).code, 0);
    const refused = await as('user', 'create', 'eve', '--role', 'viewer');
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /lacks users:write/);
  });

  it('finds the panel beside a coordinator on this machine, and asks where it is elsewhere', async () => {
    const elsewhere = await mesh(['user', 'list'], {
      env: { MESH_URL: 'https://mesh.example.com', MESH_TOKEN: 'mesh_x' },
    });
    assert.equal(elsewhere.code, 2);
    assert.match(elsewhere.stderr, /nothing says where its panel is\ntry: give --panel-url, or set MESH_PANEL_URL/);
    // A token that was not asked for does not leave this machine, though the coordinator is on it.
    const away = ['user', 'list', '--panel-url', 'http://panel.invalid'];
    const { stderr } = await mesh(away, { env: { MESH_DATA_DIR: env.MESH_DATA_DIR ?? '' }, cwd: folder.path });
    assert.doesNotMatch(stderr, /using the bootstrap token/);
  });
});
