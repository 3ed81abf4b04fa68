import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createClient } from '@meshwork/client';
import type { AuditEntry } from '@meshwork/contract';
import { TestCoordinator } from '@meshwork/coordinator/testing';
import { PanelCredential } from './panel-credential.ts';

const DAY_S = 24 * 3600;

describe('the token of the panel', () => {
  let mesh: TestCoordinator;
  let file: string;
  const credential = () =>
    new PanelCredential({ file, client: createClient({ url: mesh.url, retry: false }), clock: mesh.clock });
  const inFile = async () => (await readFile(file, 'utf8')).trim();
  const rotations = async () =>
    (await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=tokens.rotate&outcome=done')).body.items.length;
  /** A new owner, since the first one is good for a day only. */
  const later = async (days: number) => {
    const owner = await mesh.token({ role: 'owner', days: 300 });
    mesh.clock.advance(days * DAY_S);
    mesh.owner = owner.secret;
  };

  beforeEach(async () => {
    mesh = await TestCoordinator.startWithPanel();
    file = mesh.env.MESH_PANEL_TOKEN_FILE ?? '';
  });
  afterEach(() => mesh.close());

  it('is rotated by the panel when a third of its life is left, and not before', async () => {
    const own = credential();
    await later(59);
    await own.check();
    assert.equal(await inFile(), mesh.panel);
    await later(2);
    await own.check();
    const successor = await inFile();
    assert.notEqual(successor, mesh.panel);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal(await own.use(async (token) => token), successor);
    assert.equal((await mesh.ask('GET', '/v1/auth/whoami', { token: successor })).status, 200);
    await own.check();
    assert.equal(await inFile(), successor, 'once is enough');
  });

  it('is rotated to the same successor when the first one never reached the file', async () => {
    await later(61);
    await credential().check();
    const successor = await inFile();
    await writeFile(file, `${mesh.panel}\n`); // as if the panel had fallen before it wrote
    await credential().check();
    assert.equal(await inFile(), successor);
    assert.equal(await rotations(), 1);
  });

  it('is read anew when the coordinator refuses it', async () => {
    const own = credential();
    await own.check();
    await later(91); // past its end: the next start of the coordinator writes another
    await mesh.down();
    await mesh.up();
    const { panel: newer } = mesh;
    const renewed = new PanelCredential({ file, client: createClient({ url: mesh.url }), clock: mesh.clock });
    await renewed.check();
    assert.equal(await renewed.use(async (token) => token), newer);
  });

  it('is replaced after an operator revokes it, and the panel continues', async () => {
    const own = credential();
    await own.check();
    const [id] = /token_\w+/.exec((await mesh.ask('GET', '/v1/auth/whoami', { token: mesh.panel })).text) ?? [];
    assert.equal((await mesh.ask('DELETE', `/v1/auth/tokens/${id}`)).status, 200);
    await mesh.until(() =>
      own.check().then(
        () => true,
        () => false,
      ),
    );
    assert.notEqual(await own.use(async (token) => token), mesh.panel);
  });

  it('is used once more, freshly read, for what was refused with the old one', async () => {
    const own = credential();
    await own.check();
    const [id] = /token_\w+/.exec((await mesh.ask('GET', '/v1/auth/whoami', { token: mesh.panel })).text) ?? [];
    const newer = await mesh.ask<{ secret: string }>('POST', `/v1/auth/tokens/${id}/rotate`, {
      token: mesh.panel,
      body: { deadline_s: 0 },
    });
    assert.equal(newer.status, 201, newer.text);
    mesh.clock.advance(1);
    await assert.rejects(own.check(), /it refuses the token in MESH_PANEL_TOKEN_FILE/);
    await writeFile(file, `${newer.body.secret}\n`);
    await own.check();
  });

  it('says what is missing when there is no file, and is found once there is', async () => {
    const own = credential();
    await rm(file);
    await assert.rejects(own.check(), { code: 'coordinator_unavailable', message: /MESH_PANEL_TOKEN_FILE/ });
    await writeFile(file, `${mesh.panel}\n`, { mode: 0o600 });
    await own.check();
  });

  it('is refused from a file that others can read, and so is a token without the role panel', async () => {
    await writeFile(file, `${mesh.owner}\n`);
    await assert.rejects(credential().check(), /does not have the role panel/);
    await rm(file);
    await writeFile(file, `${mesh.panel}\n`, { mode: 0o644 });
    await assert.rejects(credential().check(), /can be read by others/);
  });
});
