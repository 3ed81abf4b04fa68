import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { chmod, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AuditEntry, Whoami } from '@meshwork/contract';
import { checkOf } from '@meshwork/service';
import { openStore } from '@meshwork/store';
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

  /** All that the store and the folder hold, whatever its files look like. */
  async function everything(): Promise<unknown> {
    const journal = await openStore(`sqlite:${join(mesh.folder, 'mesh.db')}`);
    const documents: unknown[] = [];
    const revision = await journal.load((some) => void documents.push(...some));
    await journal.close();
    const token = await readFile(join(mesh.folder, 'bootstrap-token'), 'utf8');
    const files = (await readdir(mesh.folder)).filter((name) => !/^mesh\.db-/.test(name));
    return { documents, revision, token, files: files.sort() };
  }

  const WRONG: Readonly<Record<string, { make(file: string): Promise<void>; says: RegExp }>> = {
    missing: {
      make: (file) => rm(file),
      says: /master-key is missing\. The store needs the master key [0-9a-f]{16}: /,
    },
    'of another installation': {
      make: (file) => writeFile(file, randomBytes(32).toString('base64url')),
      says: /holds the master key of another installation, [0-9a-f]{16}\. The store needs the master key [0-9a-f]{16}: /,
    },
    'cut short': {
      make: (file) => truncate(file, 20),
      says: /is not a master key: it must hold 32 bytes .* holds 15\. The store needs the master key [0-9a-f]{16}: /,
    },
    empty: { make: (file) => truncate(file, 0), says: /holds 0\. The store needs the master key [0-9a-f]{16}: / },
    'readable by others': {
      make: (file) => chmod(file, 0o640),
      says: /read by others \(mode 640\).*chmod 600 .*master-key/,
    },
  };
  for (const [what, { make, says }] of Object.entries(WRONG)) {
    it(`says at its start that the master key is ${what}, and touches nothing`, async () => {
      await mesh.down();
      const file = join(mesh.folder, 'master-key');
      const [key, { mode }] = [await readFile(file), await stat(file)];
      await make(file);
      const before = await everything();
      for (const recover of [false, true]) await assert.rejects(mesh.up({ recover }), says);
      assert.deepEqual(await everything(), before);
      await writeFile(file, key);
      await chmod(file, mode);
      await mesh.up();
      assert.equal((await mesh.ask('GET', '/v1/auth/whoami')).status, 200);
    });
  }

  it('names the key that its store needs as that key is named elsewhere', async () => {
    await mesh.down();
    const file = join(mesh.folder, 'master-key');
    const key = createSecretKey(Buffer.from(await readFile(file, 'utf8'), 'base64url'));
    await rm(file);
    await assert.rejects(mesh.up(), new RegExp(`needs the master key ${checkOf(key)}: restore .* backup`));
  });

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
