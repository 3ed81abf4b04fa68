/** Several coordinators on one PostgreSQL are one mesh CA. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AnswerOf, AuditEntry, Certificate, CertificateWithChain, Operations } from '@meshwork/contract';
import { makeRequest } from '@meshwork/pki/request';
import { requestOf, verifyChain } from '@meshwork/pki/testing';
import { type PostgresServer, startPostgresServer } from '@meshwork/store/testing';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

describe('the mesh CA of two coordinators', { timeout: 180_000 }, () => {
  let server: PostgresServer;
  let first: TestCoordinator;
  let second: TestCoordinator;

  before(async () => {
    server = await startPostgresServer();
    const store = await server.newDatabase();
    first = await TestCoordinator.startWithAuthorities({ MESH_STORE: store });
    second = await first.joined();
    // They are asked again and again until both know something.
    await first.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
  });
  after(async () => {
    await second?.close();
    await first?.close();
    await server?.close();
  });

  const both = () => [first, second] as const;
  const show = async (at: TestCoordinator) => {
    const got = await at.ask<AnswerOf<Operations['ca.show']>>('GET', '/v1/ca');
    assert.equal(got.status, 200, got.text);
    return got.body;
  };
  const text = async (at: TestCoordinator, path: string) => (await at.ask('GET', path, { token: null })).text;
  /** Until both answer the same. */
  const agree = (path: string) => first.until(async () => (await text(first, path)) === (await text(second, path)));
  const issue = async (at: TestCoordinator) => {
    const request = await requestOf({ extensions: ['subjectAltName=DNS:git-1.mesh'] });
    const got = await at.ask<CertificateWithChain>('POST', '/v1/ca/certificates', { body: { request } });
    assert.equal(got.status, 201, got.text);
    return got.body;
  };
  const stateAt = async (at: TestCoordinator, id: string) =>
    (await at.ask<Certificate>('GET', `/v1/ca/certificates/${id}`)).body?.state;
  const verify = async (at: TestCoordinator, chain: string) =>
    verifyChain({
      roots: await text(at, '/v1/ca/bundle'),
      revocation_lists: await text(at, '/v1/ca/crl'),
      chain,
      at_ms: at.clock.now(),
    });

  async function certified(node: TestNode): Promise<string> {
    await node.beat({ report: { abilities: EVERYTHING, certificate_request: (await makeRequest()).request } });
    await first.until(async () => {
      await node.beat();
      return typeof node.held.certificate?.chain === 'string';
    });
    await node.beat({ applied: node.applied() });
    return node.held.certificate?.chain ?? '';
  }

  it('has one root and one intermediate, which one of them made', async () => {
    const [one, other] = await Promise.all(both().map(show));
    assert.deepEqual(
      one?.authorities.map(({ role, state }) => `${state} ${role}`),
      ['active root', 'active intermediate'],
    );
    assert.deepEqual(
      other?.authorities.map(({ fingerprint }) => fingerprint),
      one?.authorities.map(({ fingerprint }) => fingerprint),
    );
    const trail = await second.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=ca.found');
    assert.equal(trail.body.items.length, 1);
    for (const path of ['/v1/ca/bundle', '/v1/ca/crl']) await agree(path);
  });

  it('signs the request of a node once, whichever of them the node speaks to', async () => {
    const node = await TestNode.enroll(first, { name: 'git-1' });
    await second.until(async () => (await second.ask('GET', `/v1/nodes/${node.id}`)).status === 200);
    node.mesh = second; // it is not the one that leads
    await node.prove();
    const chain = await certified(node);
    for (const at of both()) await verify(at, chain);
    const path = `/v1/ca/certificates?node=${node.id}`;
    const all = await second.ask<{ items: Certificate[] }>('GET', path);
    assert.equal(all.body.items.length, 1);
  });

  it('revokes at one what was issued at the other, and both have the same list', async () => {
    for (const [at, other] of [both(), [second, first]] as const) {
      const { id, chain } = await issue(at);
      await other.until(async () => (await stateAt(other, id)) === 'valid');
      await verify(other, chain);
      const got = await other.ask<Certificate>('POST', `/v1/ca/certificates/${id}/revoke`, { body: {} });
      assert.deepEqual([got.status, got.body.state], [200, 'revoked'], got.text);
      await at.until(async () => (await stateAt(at, id)) === 'revoked');
      for (const one of both()) {
        await one.until(async () =>
          verify(one, chain).then(
            () => false,
            (error: unknown) => /certificate revoked/.test(String(error)),
          ),
        );
      }
      await agree('/v1/ca/crl');
    }
  });

  it('rotates once, when both ask for it at once, and both sign with the new intermediate', async () => {
    const asked = await Promise.all(both().map((at) => at.ask('POST', '/v1/ca/rotate', { body: { deadline_s: 60 } })));
    assert.deepEqual(asked.map(({ status }) => status).sort(), [200, 409]);
    for (const at of both()) at.clock.advance(61);
    // By their clocks the store has been silent for as long, until they have asked it again.
    for (const at of both()) await at.until(async () => (await at.ask('GET', '/v1/ca')).status === 200);
    for (const at of both()) await at.until(async () => typeof (await show(at)).rotation?.switched_at === 'string');
    const { authorities } = await show(first);
    const active = authorities.filter(({ state, role }) => state === 'active' && role === 'intermediate');
    assert.equal(active.length, 1);
    for (const at of both()) {
      const { issuer, chain } = await issue(at);
      assert.equal(issuer, active[0]?.id);
      for (const one of both()) await verify(one, chain);
    }
    const trail = await second.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=ca.rotate');
    assert.equal(
      trail.body.items.filter(({ actor, code }) => actor.kind === 'token' && code === null).length,
      1,
      trail.text,
    );
    await agree('/v1/ca/crl');
  });

  it('goes on at the other when the one that leads is gone', async () => {
    const chain = (await issue(second)).chain;
    await first.down();
    const { id, chain: next } = await issue(second);
    await second.ask('POST', `/v1/ca/certificates/${id}/revoke`, { body: {} });
    await second.until(async () =>
      verify(second, next).then(
        () => false,
        (error: unknown) => /certificate revoked/.test(String(error)),
      ),
    );
    await verify(second, chain);
    await first.up();
  });
});
