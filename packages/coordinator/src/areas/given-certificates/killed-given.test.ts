/** A coordinator that is killed while certificates are brought, replaced and deleted: each is whole or not there, with the key that it came with. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { GivenCertificate, GivenCertificatesSection, Ingress } from '@meshwork/contract';
import { givenAuthority } from '@meshwork/pki/testing';
import { askAt } from '../../../test/harness.ts';
import { Service } from '../../../test/service.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const KILLS = 4;
/** By then all of it is through. */
const LONGEST_MS = 80;
const HOST = 'shop.example.net';
const PATH = '/v1/given-certificates';

it(`a coordinator that is killed ${KILLS} times has no certificate with another key, and none that is half gone`, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'mesh-killed-given-'));
  const env = { MESH_DATA_DIR: folder.path, MESH_COORDINATOR_LISTEN: '127.0.0.1:0', MESH_LOG_LEVEL: 'silent' };
  let service = await Service.start(env);
  const owner = (await readFile(join(folder.path, 'bootstrap-token'), 'utf8')).trim();
  const mesh = {
    get url() {
      return service.url;
    },
    owner,
    clock: { now: () => Date.now() },
    ask: <T>(method: string, path: string, ask: { token?: string | null; body?: unknown } = {}) =>
      askAt<T>(service.url, method, path, { token: owner, ...ask }),
  };
  const may = async <T>(method: string, path: string, body?: unknown): Promise<T | undefined> => {
    try {
      const got = await mesh.ask<T>(method, path, body === undefined ? {} : { body });
      return got.status < 300 ? got.body : undefined;
    } catch {
      return undefined; // the connection ended with the process
    }
  };
  const { issue } = await givenAuthority();
  const pem = async () => {
    const { chain, private_key } = await issue({ names: [`DNS:${HOST}`] });
    return { chain, private_key };
  };
  try {
    const [one, other] = [await pem(), await pem()];
    const used = await may<GivenCertificate>('POST', PATH, { name: 'used', ...one });
    assert.ok(used !== undefined);
    const gateway = await TestNode.enroll(mesh, { name: 'gw-1', tags: ['role:gateway'] });
    await gateway.beat({ complete: true, report: { abilities: EVERYTHING } });
    const body = {
      name: 'shop',
      hostname: HOST,
      service: 'web',
      gateways: ['node:gw-1'],
      tls: { certificate: 'used' },
    };
    assert.ok((await may<Ingress>('POST', '/v1/ingress', body)) !== undefined);
    for (let kill = 0; kill < KILLS; kill++) {
      const work = [
        may('PUT', `${PATH}/${used.id}`, kill % 2 === 0 ? other : one),
        may<GivenCertificate>('POST', PATH, { name: `free-${kill}`, ...one }).then((made) =>
          made === undefined ? undefined : may('DELETE', `${PATH}/${made.id}`),
        ),
        may('DELETE', `${PATH}/${used.id}`), // which an ingress shows
      ];
      await pause(Math.random() * LONGEST_MS);
      await service.end('SIGKILL');
      await Promise.all(work);
      service = await Service.start(env);
      const { body: all }: { body: { items: GivenCertificate[] } } = await mesh.ask<{ items: GivenCertificate[] }>(
        'GET',
        PATH,
      );
      const shown: GivenCertificate | undefined = all.items.find(({ id }) => id === used.id);
      assert.ok(shown !== undefined, 'what an ingress shows is not deleted');
      await gateway.prove();
      let held: GivenCertificatesSection = gateway.held.given_certificates;
      while (held[0] === undefined || fingerprintOf(held[0].chain) !== shown.fingerprint) {
        await gateway.beat({ complete: true, revision: 0 });
        held = gateway.held.given_certificates;
      }
      const expected: typeof one = fingerprintOf(one.chain) === shown.fingerprint ? one : other;
      assert.equal(held[0].private_key.trim(), expected.private_key.trim());
      for (const { id, name } of all.items) {
        if (name.startsWith('free-')) assert.notEqual(await may('GET', `${PATH}/${id}`), undefined, 'it is whole');
      }
    }
  } finally {
    await service.end('SIGKILL');
  }
});

function fingerprintOf(chain: string): string {
  return new X509Certificate(chain).fingerprint256.replaceAll(':', '').toLowerCase();
}
