import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Problem, Token, TokenWithSecret, Whoami } from '@meshwork/contract';
import { ALL, TestCoordinator } from '../test/harness.ts';

const DAY_S = 24 * 3600;

describe('the token of the panel', () => {
  let mesh: TestCoordinator;
  let file: string;
  beforeEach(async () => {
    mesh = await TestCoordinator.startWithPanel();
    file = join(mesh.folder, 'panel-token');
  });
  afterEach(() => mesh.close());

  const inFile = async () => (await readFile(file, 'utf8')).trim();
  const whoami = (token: string) => mesh.ask<Whoami & Problem>('GET', '/v1/auth/whoami', { token });
  const restart = async () => {
    await mesh.down();
    await mesh.up();
  };
  const rotate = (id: string, token: string) =>
    mesh.ask<TokenWithSecret & Problem>('POST', `/v1/auth/tokens/${id}/rotate`, { token, body: {} });

  it('is in a private file, mesh-wide and valid for 90 days', async () => {
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const { body } = await whoami(await inFile());
    assert.deepEqual([body.actor.name, body.role, body.scope], ['panel', 'panel', ALL]);
    const { body: token } = await mesh.ask<Token>('GET', `/v1/auth/tokens/${body.actor.id}`);
    assert.equal(Date.parse(token.expires) - Date.parse(token.created_at), 90 * DAY_S * 1000);
  });

  it('is made only where a file is named', async () => {
    const without = await TestCoordinator.start();
    try {
      const { body } = await without.ask<{ items: Token[] }>('GET', '/v1/auth/tokens');
      assert.deepEqual(
        body.items.map(({ name }) => name),
        ['bootstrap'],
      );
    } finally {
      await without.close();
    }
  });

  it('stays as it is while it works', async () => {
    const before = await inFile();
    await restart();
    assert.equal(await inFile(), before);
  });

  it('is made anew when it is gone, unknown, expired, revoked, or not of the panel', async () => {
    const automation = await mesh.token({ role: 'owner', days: 366 });
    const spoil = [
      () => rm(file),
      () => writeFile(file, 'mesh_01jcqv5s3ee3xv9k7d0w8m2b4n_nonsense_00000000\n'),
      () => writeFile(file, ''),
      () => writeFile(file, `${automation.secret}\n`),
      async () => void mesh.clock.advance(91 * DAY_S),
      async () => {
        const id = (await whoami(await inFile())).body.actor.id;
        const got = await mesh.ask('DELETE', `/v1/auth/tokens/${id}`, { token: automation.secret });
        assert.equal(got.status, 200);
      },
    ];
    for (const [place, spoilt] of spoil.entries()) {
      const before = mesh.panel;
      await spoilt();
      await restart();
      assert.notEqual(mesh.panel, before, `case ${place}`);
      assert.equal((await whoami(mesh.panel)).body.role, 'panel', `case ${place}`);
    }
  });

  it('is rotated by the panel itself, and made anew when the successor got lost', async () => {
    const id = (await whoami(mesh.panel)).body.actor.id ?? '';
    const { status, body: successor } = await rotate(id, mesh.panel);
    assert.equal(status, 201);
    assert.equal((await whoami(successor.secret)).body.role, 'panel');
    await restart();
    assert.ok(![successor.secret, ''].includes(mesh.panel));
    assert.equal((await whoami(mesh.panel)).status, 200);
    await writeFile(file, `${successor.secret}\n`);
    await restart();
    assert.equal(mesh.panel, successor.secret);
  });

  it('does not revoke the tokens of people when it is revoked', async () => {
    const { secret } = await mesh.person();
    const id = (await whoami(mesh.panel)).body.actor.id;
    await mesh.ask('DELETE', `/v1/auth/tokens/${id}`);
    assert.equal((await whoami(mesh.panel)).body.code, 'token_revoked');
    assert.equal((await whoami(secret)).body.actor.kind, 'person');
  });

  it('is followed by another one at once when it is revoked, and only then', async () => {
    const other = await mesh.token({ role: 'viewer' });
    await mesh.ask('DELETE', `/v1/auth/tokens/${other.id}`);
    const id = (await whoami(mesh.panel)).body.actor.id ?? '';
    await rotate(id, mesh.panel);
    assert.equal(await inFile(), mesh.panel, 'the panel puts the successor there itself');
    await mesh.ask('DELETE', `/v1/auth/tokens/${id}`);
    await mesh.until(async () => (await inFile()) !== mesh.panel);
    assert.equal((await whoami(await inFile())).body.role, 'panel');
    const { body } = await mesh.ask<{ items: { actor: { kind: string } }[] }>(
      'GET',
      '/v1/audit?action=installation.panel',
    );
    assert.deepEqual(
      body.items.map(({ actor }) => actor.kind),
      ['system', 'system'],
    );
  });

  it('cannot be made by another token, and may do nothing but rotate itself', async () => {
    const [own, weaker] = [(await whoami(mesh.panel)).body.actor.id ?? '', await mesh.token({ role: 'viewer' })];
    await mesh.ask('POST', '/v1/auth/roles', { body: { name: 'nothing', permissions: [] } });
    const weakest = await mesh.token({ role: 'nothing' });
    const cases = [
      await rotate(weakest.id, mesh.panel),
      await rotate(weaker.id, mesh.panel),
      await rotate(own, mesh.owner),
      await mesh.ask('POST', '/v1/auth/tokens', {
        body: { name: 'x', scope: ALL, role: 'panel', expires: mesh.inDays(1) },
      }),
    ];
    for (const { body } of cases) assert.equal(body.code, 'exceeds_own_rights');
    const role = { name: 'like-a-panel', permissions: ['tokens:delegate'] };
    assert.equal((await mesh.ask('POST', '/v1/auth/roles', { body: role })).status, 422);
    for (const path of ['/v1/nodes', '/v1/auth/tokens', '/v1/audit', '/v1/overview', '/v1/events', '/v1/settings']) {
      assert.equal((await mesh.ask('GET', path, { token: mesh.panel })).body.code, 'permission_denied', path);
    }
    assert.equal((await mesh.ask('GET', '/v1/auth/roles', { token: mesh.panel })).status, 200);
  });
});
