/** The mesh CA under kills: what was answered stays, what a node asked for is signed, and no serial number is used twice. */
import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Certificate, CertificateWithChain, ChainReport, EnrolledNode } from '@meshwork/contract';
import { makeRequest } from '@meshwork/pki/request';
import { openssl, requestOf, verifyChain } from '@meshwork/pki/testing';
import { Service } from '../../../test/service.ts';
import { newKeys, publicHalves } from '../../../test/test-node.ts';

const KILLS = 6;
const WRITERS = 4;

it(`a coordinator that is killed ${KILLS} times while it signs and revokes has all that it answered`, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'mesh-killed-ca-'));
  const env = { MESH_DATA_DIR: folder.path, MESH_COORDINATOR_LISTEN: '127.0.0.1:0', MESH_LOG_LEVEL: 'silent' };
  let service = await Service.start(env);
  const answered = { nodes: new Set<string>(), issued: new Map<string, string>(), revoked: new Set<string>() };
  let count = 0;
  const token = (await readFile(join(folder.path, 'bootstrap-token'), 'utf8')).trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  /** Undefined: it was killed before it could answer, or refused. */
  async function ask<T>(method: string, path: string, body?: object): Promise<T | undefined> {
    try {
      const response = await fetch(service.url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return response.ok ? ((await response.json()) as T) : undefined;
    } catch {
      return undefined; // the connection ended with the process
    }
  }

  const request = await requestOf({ extensions: ['subjectAltName=DNS:home.mesh'] });
  const own = () => ask<EnrolledNode>('POST', '/v1/nodes', { name: 'home', ...publicHalves(newKeys()) });
  const issue = () => ask<CertificateWithChain>('POST', '/v1/ca/certificates', { request });

  /** Enrols, issues and revokes until its coordinator is gone. */
  async function write(of: Service): Promise<void> {
    while (service === of) {
      const name = `node-${++count}`;
      const body = { name, ...publicHalves(newKeys()), certificate_request: (await makeRequest()).request };
      const node = await ask<EnrolledNode>('POST', '/v1/nodes', body);
      if (node !== undefined) answered.nodes.add(node.id);
      const certificate = await issue();
      if (certificate === undefined) continue;
      answered.issued.set(certificate.id, certificate.serial);
      const revoked = await ask('POST', `/v1/ca/certificates/${certificate.id}/revoke`, { reason: 'superseded' });
      if (revoked !== undefined) answered.revoked.add(certificate.serial);
    }
  }

  async function every(path: string): Promise<Certificate[]> {
    const items: Certificate[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await ask<{ items: Certificate[]; next_cursor: string | null }>('GET', `${path}?limit=200${at}`);
      assert.ok(page);
      items.push(...page.items);
      cursor = page.next_cursor;
    }
    return items;
  }

  try {
    await ask('PATCH', '/v1/settings', { api: { rate_per_s: 10_000, burst: 10_000 } });
    await own();
    while ((await issue()) === undefined) await pause(10); // until there is an authority
    for (let kill = 0; kill < KILLS; kill++) {
      const of = service;
      const writers = Array.from({ length: WRITERS }, () => write(of));
      const enough = answered.revoked.size + 1 + Math.floor(Math.random() * 8);
      while (answered.revoked.size < enough) await pause(1);
      await pause(Math.random() * 20);
      await of.end('SIGKILL');
      service = await Service.start(env);
      await Promise.all(writers);
    }
    const text = async (path: string) => (await fetch(service.url + path)).text();
    const current = async () =>
      (await every('/v1/ca/certificates')).filter((one) => one.profile === 'node' && one.current);
    const isSigned = async () => {
      const holders = new Set((await current()).flatMap(({ nodes }) => nodes));
      return [...answered.nodes].every((id) => holders.has(id));
    };
    while (!(await isSigned())) await pause(50);
    const all = await every('/v1/ca/certificates');
    const known = new Map(all.map(({ id, serial }) => [id, serial]));
    for (const [id, serial] of answered.issued) assert.equal(known.get(id), serial);
    assert.equal(new Set(all.map(({ serial }) => serial)).size, all.length);
    const serials = all.filter(({ state }) => state === 'revoked').map(({ serial }) => serial);
    for (const serial of answered.revoked) assert.ok(serials.includes(serial), serial);
    const isListed = async () => {
      const lists = (await text('/v1/ca/crl')).split(/(?<=END X509 CRL-----\n)/);
      const show = (list: string) => openssl(['crl', '-in', 'crl.pem', '-noout', '-text'], { 'crl.pem': list });
      const shown = (await Promise.all(lists.map(show))).join('');
      return serials.every((serial) => shown.includes(serial.toUpperCase()));
    };
    while (!(await isListed())) await pause(50);
    const [last] = await current();
    const shown = await ask<CertificateWithChain>('GET', `/v1/ca/certificates/${last?.id}`);
    await verifyChain({
      roots: await text('/v1/ca/bundle'),
      chain: shown?.chain ?? '',
      revocation_lists: await text('/v1/ca/crl'),
    });
    const trail = await ask<ChainReport>('POST', '/v1/audit/verify');
    assert.equal(trail?.intact, true);
    assert.ok(answered.revoked.size >= KILLS);
  } finally {
    await service.end('SIGKILL');
  }
});
