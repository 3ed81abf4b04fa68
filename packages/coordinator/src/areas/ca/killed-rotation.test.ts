/** A rotation under kills: whatever the moment, there is one authority that signs, and it ends as it would have. */
import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerOf, CertificateWithChain, EnrolledNode, Operations, Rotation } from '@meshwork/contract';
import { requestOf, verifyChain } from '@meshwork/pki/testing';
import { Service } from '../../../test/service.ts';
import { newKeys, publicHalves } from '../../../test/test-node.ts';

const KILLS = 4;
/** A rotation without nodes to wait for is through by then. */
const LONGEST_MS = 2500;

for (const what of ['intermediate', 'root'] as const) {
  it(`a rotation of the ${what} goes on after each of ${KILLS} kills`, async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'mesh-killed-rotation-'));
    const env = { MESH_DATA_DIR: folder.path, MESH_COORDINATOR_LISTEN: '127.0.0.1:0', MESH_LOG_LEVEL: 'silent' };
    let service = await Service.start(env);
    const token = (await readFile(join(folder.path, 'bootstrap-token'), 'utf8')).trim();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = await requestOf({ extensions: ['subjectAltName=DNS:home.mesh'] });

    /** Undefined: it was killed before it could answer, or refused. */
    async function ask<T>(method: string, path: string, body?: object): Promise<T | undefined> {
      try {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const response = await fetch(service.url + path, { method, headers, ...sent });
        return response.ok ? ((await response.json()) as T) : undefined;
      } catch {
        return undefined; // the connection ended with the process
      }
    }
    const show = async () => (await ask<AnswerOf<Operations['ca.show']>>('GET', '/v1/ca')) ?? assert.fail();
    const issue = () => ask<CertificateWithChain>('POST', '/v1/ca/certificates', { request });
    const text = async (path: string) => (await fetch(service.url + path)).text();

    try {
      await ask<EnrolledNode>('POST', '/v1/nodes', { name: 'home', ...publicHalves(newKeys()) });
      while ((await issue()) === undefined) await pause(10); // until there is an authority
      const old = (await show()).authorities.find(({ role }) => role === 'intermediate')?.id;
      for (let kill = 0; kill < KILLS; kill++) {
        const started = ask<Rotation>('POST', '/v1/ca/rotate', { what });
        await pause(Math.random() * LONGEST_MS);
        await service.end('SIGKILL');
        await started;
        service = await Service.start(env);
        const { authorities, rotation } = await show();
        const signing = authorities.filter(({ role, state }) => role === 'intermediate' && state === 'active');
        assert.equal(signing.length, 1);
        assert.equal(
          authorities.filter(({ state }) => state === 'published').length > 0,
          rotation?.switched_at === null,
        );
      }
      await ask<Rotation>('POST', '/v1/ca/rotate', { what }); // unless one is under way
      while ((await show()).rotation?.switched_at === null) await pause(50);
      const issued = await issue();
      assert.ok(issued);
      assert.notEqual(issued.issuer, old);
      const files = { roots: await text('/v1/ca/bundle'), revocation_lists: await text('/v1/ca/crl') };
      await verifyChain({ ...files, chain: issued.chain });
    } finally {
      await service.end('SIGKILL');
    }
  });
}
