/** The master key turned over under kills: whatever the moment, every secret opens, and it can be run again. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempDisposable, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerOf, CertificateWithChain, EnrolledNode, Operations, TokenWithSecret } from '@meshwork/contract';
import { requestOf, verifyChain } from '@meshwork/pki/testing';
import { Service } from '../../../test/service.ts';
import { newKeys, publicHalves } from '../../../test/test-node.ts';

const KILLS = 5;
/** By then it is through. */
const LONGEST_MS = 60;

it(`a coordinator that is killed ${KILLS} times while its master key is turned over loses nothing`, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'mesh-killed-rewrap-'));
  const env = { MESH_DATA_DIR: folder.path, MESH_COORDINATOR_LISTEN: '127.0.0.1:0', MESH_LOG_LEVEL: 'silent' };
  const file = join(folder.path, 'master-key');
  let service = await Service.start(env);
  const token = (await readFile(join(folder.path, 'bootstrap-token'), 'utf8')).trim();
  const request = await requestOf({ extensions: ['subjectAltName=DNS:home.mesh'] });

  /** Undefined: it was killed before it could answer, or refused. */
  async function ask<T>(method: string, path: string, body?: object, key?: string): Promise<T | undefined> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    try {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(service.url + path, { method, headers, ...sent });
      return response.ok ? ((await response.json()) as T) : undefined;
    } catch {
      return undefined; // the connection ended with the process
    }
  }
  const issue = () => ask<CertificateWithChain>('POST', '/v1/ca/certificates', { request });
  const rewrap = () => ask<AnswerOf<Operations['ca.rewrap']>>('POST', '/v1/ca/rewrap');
  const text = async (path: string) => (await fetch(service.url + path)).text();
  const scope = { team: '*', surface: '*', environment: '*' };
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const repeated = () => ask<TokenWithSecret>('POST', '/v1/auth/tokens', { name: 'ci', scope, expires }, 'the-same');

  /** Written as the documentation says: whole, and in one step. */
  async function addKey(): Promise<void> {
    const keys = await readFile(file, 'utf8');
    await writeFile(`${file}.new`, `${randomBytes(32).toString('base64')}\n${keys}`, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  try {
    await ask<EnrolledNode>('POST', '/v1/nodes', { name: 'home', ...publicHalves(newKeys()) });
    while ((await issue()) === undefined) await pause(10); // until there is an authority
    const secret = (await repeated())?.secret;
    assert.ok(secret !== undefined);
    for (let kill = 0; kill < KILLS; kill++) {
      await addKey();
      const turning = rewrap();
      await pause(Math.random() * LONGEST_MS);
      await service.end('SIGKILL');
      await turning;
      service = await Service.start(env); // which refuses when a secret needs a key that is not there
      assert.equal((await repeated())?.secret, secret);
      assert.ok((await issue()) !== undefined);
    }
    assert.ok((await rewrap()) !== undefined);
    assert.equal((await rewrap())?.sealed, 0);
    const [first = ''] = (await readFile(file, 'utf8')).split('\n');
    await service.end('SIGKILL');
    await writeFile(file, first);
    service = await Service.start(env);
    const issued = await issue();
    assert.ok(issued !== undefined);
    const files = { roots: await text('/v1/ca/bundle'), revocation_lists: await text('/v1/ca/crl') };
    await verifyChain({ ...files, chain: issued.chain });
  } finally {
    await service.end('SIGKILL');
  }
});
