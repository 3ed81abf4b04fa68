import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AuditEntry, Whoami } from '@meshwork/contract';
import { TestCoordinator } from '../test/harness.ts';

describe('an installation', () => {
  let mesh: TestCoordinator;
  beforeEach(async () => {
    mesh = await TestCoordinator.start();
  });
  afterEach(() => mesh.close());

  it('writes an owner token of a day on its very first start, and only then', async () => {
    const { body } = await mesh.ask<Whoami>('GET', '/v1/auth/whoami');
    assert.deepEqual([body.role, body.scope], ['owner', { team: '*', surface: '*', environment: '*' }]);
    assert.ok(Math.abs(Date.parse(body.expires) - Date.parse(mesh.inDays(1))) < 60_000);
    const file = join(mesh.folder, 'bootstrap-token');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const before = await readFile(file, 'utf8');
    await mesh.down();
    assert.equal((await mesh.up()).bootstrap_token_file, null);
    assert.equal(await readFile(file, 'utf8'), before);
  });

  it('gives the operator of the machine a new owner token when all were lost, and records it in the trail', async () => {
    const before = mesh.owner;
    await mesh.down();
    await mesh.up({ recover: true });
    assert.notEqual(mesh.owner, before);
    const trail = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=installation.recover');
    assert.deepEqual(
      trail.body.items.map(({ actor }) => actor.kind),
      ['system'],
    );
  });

  it('refuses to go on with the master key of another', async () => {
    await mesh.down();
    await writeFile(join(mesh.folder, 'master-key'), randomBytes(32).toString('base64url'));
    await assert.rejects(mesh.up(), /master key of another installation/);
    await writeFile(join(mesh.folder, 'master-key'), 'short');
    await assert.rejects(mesh.up(), /is not a master key/);
  });

  for (const recover of [false, true]) {
    it(`requires the backup of a master key that is gone, and makes none (recover: ${recover})`, async () => {
      await mesh.down();
      const [file, tokenFile] = [join(mesh.folder, 'master-key'), join(mesh.folder, 'bootstrap-token')];
      const [key, token] = [await readFile(file), await readFile(tokenFile, 'utf8')];
      await rm(file);
      await assert.rejects(mesh.up({ recover }), new RegExp(`The master key file ${file} is missing.*backup`));
      await assert.rejects(stat(file), { code: 'ENOENT' });
      await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600 });
      await assert.rejects(mesh.up({ recover }), /master key of another installation/);
      await writeFile(file, key);
      await mesh.up();
      const trail = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=installation.recover');
      assert.deepEqual(trail.body.items, [], 'no owner token was made with the wrong key');
      assert.equal(await readFile(tokenFile, 'utf8'), token);
    });
  }

  it('refuses a folder and a store that others can look into, and says what to do', async () => {
    await mesh.down();
    await chmod(mesh.folder, 0o755);
    await assert.rejects(mesh.up(), new RegExp(`${mesh.folder} .*mode 755.*chmod 700 ${mesh.folder}`));
    await chmod(mesh.folder, 0o700);
    const store = join(mesh.folder, 'mesh.db');
    await chmod(store, 0o666);
    await assert.rejects(mesh.up(), new RegExp(`${store} .*mode 666.*chmod 600 ${store}`));
    await chmod(store, 0o600);
    await mesh.up();
  });

  it('refuses a master key that others can read', async () => {
    await mesh.down();
    await chmod(join(mesh.folder, 'master-key'), 0o644);
    await assert.rejects(mesh.up(), /can be read by others \(mode 644\)/);
  });

  it('refuses to share its store with a second coordinator, and goes on unharmed', async () => {
    const { startCoordinator, readConfig } = await import('./index.ts');
    await assert.rejects(startCoordinator(readConfig(mesh.env)), { fault: 'in_use' });
    assert.equal((await mesh.ask('GET', '/v1/auth/whoami')).status, 200);
  });

  it('says so when its port is taken, and lets go of the store', async () => {
    const { startCoordinator, readConfig } = await import('./index.ts');
    const second = await TestCoordinator.start();
    try {
      await second.down();
      const taken = { ...second.env, MESH_COORDINATOR_LISTEN: new URL(mesh.url).host };
      await assert.rejects(startCoordinator(readConfig(taken)), { code: 'EADDRINUSE' });
      await second.up();
      assert.equal((await second.ask('GET', '/healthz')).status, 200);
    } finally {
      await second.close();
    }
  });
});
