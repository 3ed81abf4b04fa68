/** A backup that is older than certificates that are in use: what the mesh forgot has to be harmless, or can be put right. */
import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AnswerOf, Certificate, CertificateWithChain, Operations, Problem } from '@meshwork/contract';
import { makeRequest } from '@meshwork/pki/request';
import { openssl, requestOf, verifyChain } from '@meshwork/pki/testing';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

describe('a restored backup', { timeout: 120_000 }, () => {
  let mesh: TestCoordinator;
  let node: TestNode;

  beforeEach(async () => {
    mesh = await TestCoordinator.startWithAuthorities();
    node = await TestNode.enroll(mesh, { name: 'git-1' });
    await node.beat({ report: { abilities: EVERYTHING } });
    await certified();
  });
  afterEach(async () => {
    await rm(`${mesh.folder}-copy`, { recursive: true, force: true });
    await mesh.close();
  });

  /** As the documentation says: the coordinator is stopped, and its folder copied. */
  async function backUp(): Promise<void> {
    await mesh.down();
    await cp(mesh.folder, `${mesh.folder}-copy`, { recursive: true });
    await mesh.up();
    await node.prove();
  }
  async function restore(): Promise<void> {
    await mesh.down();
    for (const file of ['mesh.db', 'mesh.db-wal', 'mesh.db-shm']) await rm(join(mesh.folder, file), { force: true });
    await cp(`${mesh.folder}-copy`, mesh.folder, { recursive: true });
    await mesh.up();
    await node.prove();
  }

  const show = async () => (await mesh.ask<AnswerOf<Operations['ca.show']>>('GET', '/v1/ca')).body.authorities;
  const numbers = async () => (await show()).map(({ revocation_list }) => revocation_list?.number ?? 0);
  const text = async (path: string) => (await mesh.ask('GET', path, { token: null })).text;
  const verify = async (chain: string) =>
    verifyChain({
      roots: await text('/v1/ca/bundle'),
      revocation_lists: await text('/v1/ca/crl'),
      chain,
      at_ms: mesh.clock.now(),
    });
  const refused = (chain: string) =>
    mesh.until(async () =>
      verify(chain).then(
        () => false,
        (error: unknown) => /certificate revoked/.test(String(error)),
      ),
    );
  const issue = async () => {
    const request = await requestOf({ extensions: ['subjectAltName=DNS:git-1.mesh'] });
    const got = await mesh.ask<CertificateWithChain & Problem>('POST', '/v1/ca/certificates', { body: { request } });
    assert.equal(got.status, 201, got.text);
    return got.body;
  };
  const ofNode = async () =>
    (await mesh.ask<{ items: Certificate[] }>('GET', `/v1/ca/certificates?node=git-1&profile=node`)).body.items;
  const serialOf = async (chain: string) =>
    (await openssl(['x509', '-in', 'c.pem', '-noout', '-serial'], { 'c.pem': chain })).trim().slice('serial='.length);
  const chainOf = () => node.held.certificate?.chain ?? '';

  /** A request with a new key, until it is signed and in place. */
  async function certified(): Promise<void> {
    const before = chainOf();
    mesh.clock.advance(31); // a node that asks more often waits
    await node.beat({ report: { certificate_request: (await makeRequest()).request } });
    await mesh.until(async () => {
      await node.beat();
      return chainOf() !== '' && chainOf() !== before;
    });
    await node.beat({ applied: node.applied() });
  }

  it('makes no serial number twice, and lists with higher numbers than any before', async () => {
    await backUp();
    const after = [await issue(), await issue()];
    await mesh.ask('POST', `/v1/ca/certificates/${after[0]?.id}/revoke`, { body: {} });
    await refused(after[0]?.chain ?? '');
    const highest = await numbers();
    mesh.clock.advance(3601);
    await restore();
    assert.equal((await mesh.ask('GET', `/v1/ca/certificates/${after[0]?.id}`)).status, 404);
    const next = [await issue(), await issue()];
    assert.equal(new Set([...after, ...next].map(({ serial }) => serial)).size, 4);
    // Programs have seen the lists that are gone.
    await mesh.until(async () => (await numbers()).every((number, index) => number > (highest[index] ?? 0)));
    await mesh.ask('POST', `/v1/ca/certificates/${next[0]?.id}/revoke`, { body: {} });
    await refused(next[0]?.chain ?? '');
    await verify(next[1]?.chain ?? '');
  });

  it('lets a newer certificate be revoked by its serial number, and one that was revoked since be revoked again', async () => {
    const known = await issue();
    await backUp();
    const newer = await issue();
    await mesh.ask('POST', `/v1/ca/certificates/${known.id}/revoke`, { body: { reason: 'key_compromise' } });
    await refused(known.chain);
    await restore();
    await verify(known.chain); // forgotten, as the documentation says
    await verify(newer.chain);
    const serial = (await serialOf(newer.chain)).toLowerCase();
    assert.deepEqual((await mesh.ask('POST', '/v1/ca/revoke', { body: { serial } })).body, { revoked: 1 });
    await mesh.ask('POST', `/v1/ca/certificates/${known.id}/revoke`, { body: { reason: 'key_compromise' } });
    await refused(newer.chain);
    await refused(known.chain);
  });

  it('sends a node the certificate that the mesh knows, and signs the request that it answers with', async () => {
    const old = chainOf();
    await backUp();
    await certified();
    const newer = chainOf();
    await restore();
    // What the node says is of a time that this mesh has not seen.
    await node.beat({ applied: node.applied() });
    assert.equal(chainOf(), old);
    assert.equal((await serialOf(newer)) === (await serialOf(old)), false);
    await verify(newer);
    // An agent that has thrown the key of the old one away keeps what it has, and asks for another one.
    await certified();
    await verify(chainOf());
    const all = await ofNode();
    assert.deepEqual(
      all.map(({ current }) => current),
      [false, true],
    );
    assert.equal(all.at(-1)?.serial.toUpperCase(), await serialOf(chainOf()));
  });

  it('asks a node for a request when the certificate that the mesh knows is due, whatever the node has', async () => {
    await backUp();
    await certified();
    await mesh.down();
    mesh.clock.advance(6.5 * 24 * 3600);
    await mesh.up();
    await restore();
    await mesh.until(async () => {
      await node.beat();
      return node.held.certificate?.request === true;
    });
    await certified();
    await verify(chainOf());
  });
});
