import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  AnswerOf,
  Certificate,
  CertificateWithChain,
  Ingress,
  Operations,
  Problem,
  Settings,
} from '@meshwork/contract';
import { requestOf, verifyChain } from '@meshwork/pki/testing';
import { TestCoordinator } from '../../../test/harness.ts';

describe('the certificate of an ingress', { timeout: 120_000 }, () => {
  let mesh: TestCoordinator;
  let alpha: string;
  let beta: string;

  before(async () => {
    mesh = await TestCoordinator.startWithAuthorities();
    mesh.owner = (await mesh.token({ role: 'owner', days: 300 })).secret;
    alpha = (await mesh.token({ role: 'operator', scope: { team: 'alpha' } })).secret;
    beta = (await mesh.token({ role: 'operator', scope: { team: 'beta' } })).secret;
    await own({ '*.alpha.corp.example.org': ['scope:alpha/*/*'], '*.example.net': ['scope:*/*/*'] });
  });
  after(() => mesh.close());

  const own = async (domain_owners: object) => {
    const got = await mesh.ask('PUT', '/v1/acls', { body: { domain_owners } });
    assert.equal(got.status, 200, got.text);
  };
  const show = async () => (await mesh.ask<AnswerOf<Operations['ca.show']>>('GET', '/v1/ca')).body;
  const text = async (path: string) => (await mesh.ask('GET', path, { token: null })).text;
  const create = async (hostname: string, token = alpha) => {
    const body = { name: 'web', hostname, service: 'web', gateways: ['tag:role:gateway'] };
    const got = await mesh.ask<Ingress & Problem>('POST', '/v1/ingress', { body, token });
    assert.equal(got.status, 201, got.text);
    return got.body;
  };
  const issue = async (names: string, token = alpha, profile = 'ingress') => {
    const request = await requestOf({ extensions: [`subjectAltName=${names}`] });
    return await mesh.ask<CertificateWithChain & Problem>('POST', '/v1/ca/certificates', {
      body: { request, profile },
      token,
    });
  };
  const stateOf = async ({ id }: Certificate, token = alpha) =>
    (await mesh.ask<Certificate & Problem>('GET', `/v1/ca/certificates/${id}`, { token })).body;

  it('needs a root that certifies its domain, which the settings name for the next one', async () => {
    await create('shop.alpha.corp.example.org');
    const outside =
      'asks for the DNS name "shop.alpha.corp.example.org", which lies in no domain that the root certifies';
    const refused = await issue('DNS:shop.alpha.corp.example.org');
    assert.deepEqual([refused.status, refused.body.code], [422, 'certificate_refused']);
    assert.equal(refused.body.errors?.[0]?.detail, `${outside}; add it to ca.domains and rotate the root`);
    const set = (domains: readonly string[]) =>
      mesh.ask<Settings & Problem>('PATCH', '/v1/settings', { body: { ca: { domains } } });
    for (const odd of ['mesh', 'a.mesh', 'org', '192.0.2.1', 'fe80::1', 'Corp.example.org', '*.example.org', '']) {
      const got = await set(['corp.example.org', odd]);
      assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/ca/domains/1'], odd);
    }
    assert.equal((await set(['corp.example.org'])).status, 200);
    assert.deepEqual((await show()).uncertified_domains, ['corp.example.org']);
    assert.equal((await issue('DNS:shop.alpha.corp.example.org')).status, 422);
    assert.equal((await mesh.ask('POST', '/v1/ca/rotate', { body: { what: 'root' } })).status, 200);
    await mesh.until(async () => (await show()).rotation?.switched_at !== null);
    const { authorities, uncertified_domains } = await show();
    assert.deepEqual(uncertified_domains, []);
    const active = authorities.filter(({ state }) => state === 'active');
    assert.deepEqual(
      active.map(({ constraints }) => constraints.domains),
      [
        ['mesh', 'corp.example.org'],
        ['mesh', 'corp.example.org'],
      ],
    );
    const issued = await issue('DNS:shop.alpha.corp.example.org');
    assert.equal(issued.status, 201, issued.text);
    await verifyChain({
      roots: await text('/v1/ca/bundle'),
      revocation_lists: await text('/v1/ca/crl'),
      chain: issued.body.chain,
      purpose: 'sslserver',
      at_ms: mesh.clock.now(),
    });
  });

  it('is for ingresses of the caller alone, and says everything that it cannot be for', async () => {
    await create('web.alpha.corp.example.org');
    await create('web.example.net');
    await create('node-1.mesh', mesh.owner);
    const names = 'DNS:web.alpha.corp.example.org,DNS:web.example.net,DNS:none.corp.example.org,IP:192.0.2.1';
    const refused = await issue(names);
    assert.deepEqual(
      refused.body.errors?.map(({ detail }) => detail),
      [
        'asks for the DNS name "web.example.net", which lies in no domain that the root certifies; add it to ca.domains and rotate the root',
        'asks for the DNS name "none.corp.example.org", which is the host name of no ingress inside your scope',
        'asks for "192.0.2.1"; the profile ingress has host names only',
      ],
    );
    const others = await issue('DNS:web.alpha.corp.example.org', beta);
    assert.match(others.body.detail, /is the host name of no ingress inside your scope/);
    const node = await issue('DNS:node-1.mesh', mesh.owner);
    assert.match(node.body.detail, /belongs to nodes: names in "mesh" are for the profile server/);
    const server = await issue('DNS:web.alpha.corp.example.org', alpha, 'server');
    assert.match(server.body.detail, /belongs to no node inside your scope/);
  });

  it('is refused to who may not use the host name any more', async () => {
    const { id } = await create('old.alpha.corp.example.org');
    assert.equal((await issue('DNS:old.alpha.corp.example.org')).status, 201);
    await own({ '*.alpha.corp.example.org': ['scope:beta/*/*'] });
    const got = await issue('DNS:old.alpha.corp.example.org');
    assert.deepEqual([got.status, got.body.code], [403, 'not_owner']);
    await own({ '*.alpha.corp.example.org': ['scope:alpha/*/*'] });
    await mesh.ask('DELETE', `/v1/ingress/${id}`, { token: alpha });
  });

  it('is known inside the scope of its ingress, and current until another one has its names', async () => {
    const ingress = await create('app.alpha.corp.example.org');
    const first = (await issue('DNS:app.alpha.corp.example.org')).body;
    assert.deepEqual([first.nodes, first.ingresses, first.current, first.profile], [[], [ingress.id], true, 'ingress']);
    const second = (await issue('DNS:app.alpha.corp.example.org')).body;
    assert.deepEqual([(await stateOf(first)).current, (await stateOf(second)).current], [false, true]);
    assert.equal((await stateOf(first, beta)).code, 'not_found');
    const refused = await mesh.ask('POST', `/v1/ca/certificates/${first.id}/revoke`, { body: {}, token: beta });
    assert.equal(refused.status, 404);
  });

  it('is revoked when the ingress is deleted or gets another host name', async () => {
    const one = await create('one.alpha.corp.example.org');
    const two = await create('two.alpha.corp.example.org');
    const both = (await issue('DNS:one.alpha.corp.example.org,DNS:two.alpha.corp.example.org')).body;
    const second = (await issue('DNS:two.alpha.corp.example.org')).body;
    assert.deepEqual(both.ingresses, [one.id, two.id]);
    const renamed = await mesh.ask('PATCH', `/v1/ingress/${one.id}`, {
      body: { hostname: 'uno.alpha.corp.example.org' },
      token: alpha,
    });
    assert.equal(renamed.status, 200, renamed.text);
    const revoked = await stateOf(both);
    assert.deepEqual([revoked.state, revoked.revoked?.reason], ['revoked', 'cessation_of_operation']);
    assert.equal((await stateOf(second)).state, 'valid');
    assert.equal((await mesh.ask('DELETE', `/v1/ingress/${two.id}`, { token: alpha })).status, 204);
    assert.equal((await stateOf(second)).state, 'revoked');
    assert.equal((await issue('DNS:two.alpha.corp.example.org')).status, 422);
    const events = await mesh.ask('GET', `/v1/audit?target=${two.id}`, { token: alpha });
    assert.match(events.text, /ingress\.delete/);
    await mesh.until(async () => {
      const roots = await text('/v1/ca/bundle');
      const files = { roots, revocation_lists: await text('/v1/ca/crl'), chain: second.chain, at_ms: mesh.clock.now() };
      return await verifyChain(files).then(
        () => false,
        (error: unknown) => /certificate revoked/.test(String(error)),
      );
    });
  });
});
