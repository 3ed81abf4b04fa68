/** The keys of given certificates: sealed at rest, through a master key that is turned over, and the same at every coordinator. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { AnswerOf, GivenCertificate, Ingress, Operations } from '@meshwork/contract';
import { givenAuthority } from '@meshwork/pki/testing';
import { startPostgresServer } from '@meshwork/store/testing';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const HOST = 'shop.example.net';

/** A gateway that serves an ingress with a given certificate. */
async function scene(mesh: TestCoordinator) {
  const { issue } = await givenAuthority('Public', mesh.clock.now());
  const { chain, private_key } = await issue({ names: [`DNS:${HOST}`] });
  const given = await mesh.ask<GivenCertificate>('POST', '/v1/given-certificates', {
    body: { name: 'shop', chain, private_key },
  });
  assert.equal(given.status, 201, given.text);
  const gateway = await TestNode.enroll(mesh, { name: 'gw-1', tags: ['role:gateway'] });
  await gateway.beat({ complete: true, report: { abilities: EVERYTHING } });
  const body = { name: 'shop', hostname: HOST, service: 'web', gateways: ['node:gw-1'], tls: { certificate: 'shop' } };
  const ingress = await mesh.ask<Ingress>('POST', '/v1/ingress', { body });
  assert.equal(ingress.status, 201, ingress.text);
  const held = async () => {
    await gateway.beat({ complete: true, revision: 0 });
    return gateway.held.given_certificates[0]?.private_key;
  };
  await mesh.until(async () => (await held()) !== undefined);
  return { given: given.body, ingress: ingress.body, gateway, private_key, held };
}

describe('the key of a given certificate', { timeout: 300_000 }, () => {
  it('is in no file of the coordinator as it is, and is sealed anew with the master key', async () => {
    const mesh = await TestCoordinator.start();
    try {
      const { gateway, private_key, held } = await scene(mesh);
      const before = await held();
      assert.equal(before?.trim(), private_key.trim());
      const file = join(mesh.folder, 'master-key');
      const old = (await readFile(file, 'utf8')).trim();
      await writeFile(file, `${randomBytes(32).toString('base64url')}\n${old}\n`, { mode: 0o600 });
      const turned = await mesh.ask<AnswerOf<Operations['ca.rewrap']>>('POST', '/v1/ca/rewrap');
      assert.equal(turned.status, 200, turned.text);
      assert.ok(turned.body.sealed >= 2, 'the data key and this one');
      assert.equal((await mesh.ask<{ sealed: number }>('POST', '/v1/ca/rewrap')).body.sealed, 0);
      await mesh.down();
      const [first = ''] = (await readFile(file, 'utf8')).split('\n');
      await writeFile(file, first, { mode: 0o600 }); // the old one is thrown away
      await mesh.up();
      gateway.mesh = mesh;
      await gateway.prove();
      assert.equal(await held(), before);
      await mesh.down();
      const secret = private_key.split('\n')[1] ?? '';
      const parts = [secret, Buffer.from(secret, 'base64').subarray(0, 40)];
      for (const name of await readdir(mesh.folder)) {
        const content = await readFile(join(mesh.folder, name)).catch(() => Buffer.alloc(0)); // a folder
        for (const part of parts) assert.ok(!content.includes(part), name);
      }
    } finally {
      await mesh.close();
    }
  });

  it('is the same at two coordinators, which both know what its gateway proves', async () => {
    const server = await startPostgresServer();
    const first = await TestCoordinator.start({ MESH_STORE: await server.newDatabase() });
    let second: TestCoordinator | undefined;
    try {
      const { given, ingress, gateway, held } = await scene(first);
      const before = await held();
      const other = await first.joined();
      second = other;
      await other.until(async () => (await other.ask('GET', '/v1/given-certificates/shop')).status === 200);
      gateway.mesh = other;
      await gateway.prove();
      await other.until(async () => (await held()) === before);
      await gateway.beat({
        applied: gateway.applied(),
        observed: { ingress: [{ id: ingress.id, connections: 0, certificate: given.fingerprint }] },
      });
      for (const at of [other, first]) {
        await at.until(async () => {
          const { body } = await at.ask<GivenCertificate>('GET', '/v1/given-certificates/shop');
          return body.shown_by[0]?.current === true;
        });
      }
    } finally {
      await second?.close();
      await first.close();
      await server.close();
    }
  });
});
