import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Authority, Certificate, CertificateWithChain, Problem } from '@meshwork/contract';
import { makeRequest } from '@meshwork/pki/request';
import { openssl, requestOf, verifyChain } from '@meshwork/pki/testing';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const DAY_S = 24 * 3600;

describe('the mesh CA', { timeout: 300_000 }, () => {
  let mesh: TestCoordinator;

  before(async () => {
    mesh = await TestCoordinator.startWithAuthorities();
    mesh.owner = (await mesh.token({ role: 'owner', days: 300 })).secret;
  });
  after(() => mesh.close());

  const authorities = async () => (await mesh.ask<{ authorities: Authority[] }>('GET', '/v1/ca')).body.authorities;
  const text = async (path: string) => (await mesh.ask('GET', path, { token: null })).text;
  const verify = async (chain: string, purpose?: 'sslserver' | 'sslclient') =>
    verifyChain({
      roots: await text('/v1/ca/bundle'),
      revocation_lists: await text('/v1/ca/crl'),
      chain,
      at_ms: mesh.clock.now(),
      ...(purpose === undefined ? {} : { purpose }),
    });
  const certificatesOf = async (node: TestNode) =>
    (await mesh.ask<{ items: Certificate[] }>('GET', `/v1/ca/certificates?node=${node.id}`)).body.items;
  const issue = (body: object, token?: string) =>
    mesh.ask<CertificateWithChain & Problem>('POST', '/v1/ca/certificates', {
      body,
      ...(token === undefined ? {} : { token }),
    });

  /** A node that asks for a certificate whenever it is asked to, as an agent does. */
  async function member(given: Readonly<Record<string, unknown>> & { token?: string } = {}): Promise<TestNode> {
    const node = await TestNode.enroll(mesh, given);
    await node.beat({ report: { abilities: EVERYTHING } });
    return node;
  }

  async function certified(node: TestNode): Promise<string> {
    const before = node.held.certificate?.chain ?? null;
    if (node.held.certificate?.request === true) {
      await node.beat({ report: { certificate_request: (await makeRequest()).request } });
    }
    await mesh.until(async () => {
      await node.beat();
      const chain = node.held.certificate?.chain ?? null;
      return chain !== null && chain !== before;
    });
    return node.held.certificate?.chain ?? '';
  }

  /** Until the newest revocation list has this serial number, and the node has the list. */
  async function revokedAt(node: TestNode, serial: string): Promise<void> {
    await mesh.until(async () => {
      await node.beat();
      const lists = node.held.trust?.revocation_lists.join('') ?? '';
      return (await serialsIn(lists)).includes(serial.toUpperCase());
    });
  }

  async function serialsIn(lists: string): Promise<readonly string[]> {
    const blocks = lists.match(/-----BEGIN X509 CRL-----[^-]*-----END X509 CRL-----/g) ?? [];
    const shown = await Promise.all(
      blocks.map((block) => openssl(['crl', '-in', 'crl.pem', '-noout', '-text'], { 'crl.pem': block })),
    );
    return shown.flatMap((one) => [...one.matchAll(/Serial Number: (\S+)/g)].map(([, serial = '']) => serial));
  }

  it('has a root of ten years and an intermediate of 90 days, for this mesh alone', async () => {
    const [root, intermediate, ...more] = await authorities();
    assert.ok(root && intermediate);
    assert.equal(more.length, 0);
    assert.deepEqual([root.role, root.issuer, intermediate.issuer], ['root', null, root.id]);
    const days = ({ not_before, not_after }: Authority) =>
      Math.round((Date.parse(not_after) - Date.parse(not_before)) / (DAY_S * 1000));
    assert.deepEqual([days(root), days(intermediate)], [3650, 90]);
    assert.deepEqual(intermediate.constraints.domains, ['mesh']);
    assert.equal(intermediate.constraints.networks[0], '100.64.0.0/10');
    assert.equal(await text('/v1/ca/bundle'), root.certificate);
  });

  it('gives a node its name, its addresses and its identity, and nothing that it asks for', async () => {
    const node = await member({ name: 'git-1' });
    assert.deepEqual(node.held.certificate, { chain: null, request: true });
    const chain = await certified(node);
    await verify(chain, 'sslserver');
    await verify(chain, 'sslclient');
    const [certificate] = await certificatesOf(node);
    const [{ constraints } = { constraints: { trust_domain: '' } }] = await authorities();
    const { address, address6 } = node.enrolled;
    assert.deepEqual(certificate?.names, {
      dns: ['git-1.mesh'],
      addresses: [address.replace('/32', ''), address6.replace('/128', '')],
      uris: [`spiffe://${constraints.trust_domain}/node/git-1`],
    });
    assert.deepEqual(
      [certificate?.profile, certificate?.state, certificate?.current, certificate?.requested_by.id],
      ['node', 'valid', true, node.id],
    );
    const shown = await openssl(['x509', '-in', 'c.pem', '-noout', '-text'], { 'c.pem': chain });
    assert.match(shown, /DNS:git-1\.mesh, IP Address:100\.64\.\d+\.\d+, IP Address:FD[0-9A-F:]+, URI:spiffe:/);
    assert.match(shown, /CA:FALSE/);
  });

  it('takes the request of an enrolment', async () => {
    const { request } = await makeRequest();
    const node = await member({ certificate_request: request });
    await mesh.until(async () => {
      await node.beat();
      return typeof node.held.certificate?.chain === 'string';
    });
  });

  it('refuses a node a name of another one, and says why', async () => {
    const node = await member({ name: 'greedy' });
    const request = await requestOf({ extensions: ['subjectAltName=DNS:git-1.mesh'] });
    await node.beat({ report: { certificate_request: request } });
    await mesh.until(async () => {
      await node.beat();
      return node.held.certificate?.request === false && node.held.certificate.chain === null;
    });
    const refusal = 'Its request was refused: The request asks for "git-1.mesh", which is not a name of the node.';
    await mesh.until(async () => {
      const got = await mesh.ask<{ attention: { detail: string }[] }>('GET', '/v1/overview');
      return got.body.attention.some(({ detail }) => detail === refusal);
    });
    await node.beat({ report: { certificate_request: (await makeRequest()).request } });
    await certified(node);
  });

  it('gives a node none until it is approved, and none in quarantine, where it revokes what there is', async () => {
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { require_approval: true } } });
    const node = await member();
    assert.equal(node.held.certificate ?? null, null);
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { require_approval: false } } });
    await mesh.ask('POST', `/v1/nodes/${node.id}/approve`);
    await node.beat();
    const chain = await certified(node);
    const [certificate] = await certificatesOf(node);
    const witness = await member();
    await mesh.ask('POST', `/v1/nodes/${node.id}/quarantine`, { body: { reason: 'stolen' } });
    await revokedAt(witness, certificate?.serial ?? '');
    await assert.rejects(verify(chain), /certificate revoked/);
    const [revoked] = await certificatesOf(node);
    assert.deepEqual([revoked?.state, revoked?.revoked?.reason], ['revoked', 'privilege_withdrawn']);
    await node.prove();
    await node.beat();
    assert.equal(node.held.certificate, null);
    await mesh.ask('POST', `/v1/nodes/${node.id}/release`);
    await node.beat();
    assert.deepEqual(node.held.certificate, { chain: null, request: true });
    await verify(await certified(node));
  });

  it('revokes what a removed node had, and nothing when a token is revoked', async () => {
    const token = await mesh.token({ name: 'enrols and issues', role: 'operator' });
    const node = await member({ token: token.secret });
    const chain = await certified(node);
    const request = await requestOf({ extensions: [`subjectAltName=DNS:${node.enrolled.name}.mesh`] });
    const service = await issue({ request }, token.secret);
    assert.equal(service.status, 201, service.text);
    assert.equal((await mesh.ask('DELETE', `/v1/auth/tokens/${token.id}`)).status, 200);
    const states = async () => (await certificatesOf(node)).map(({ state }) => state);
    assert.deepEqual(await states(), ['valid', 'valid']);
    await verify(chain);
    await verify(service.body.chain);
    await mesh.ask('DELETE', `/v1/nodes/${node.id}`);
    assert.deepEqual(await states(), ['revoked', 'revoked']);
    await revokedAt(await member(), service.body.serial);
    await assert.rejects(verify(chain), /certificate revoked/);
    await assert.rejects(verify(service.body.chain), /certificate revoked/);
  });

  it('asks a node for a new request in the last third, and goes on with the old one until then', async () => {
    const node = await member();
    const chain = await certified(node);
    const [certificate] = await certificatesOf(node);
    const renews = Date.parse(certificate?.renews_at ?? '') - mesh.clock.now();
    assert.ok(renews > 4.6 * DAY_S * 1000 && renews < 5.9 * DAY_S * 1000, `${renews}`);
    mesh.clock.advance(renews / 1000 - 60);
    await node.prove();
    await node.beat();
    assert.equal(node.held.certificate?.request, false);
    mesh.clock.advance(120);
    await mesh.until(async () => {
      await node.beat();
      return node.held.certificate?.request === true;
    });
    assert.equal(node.held.certificate?.chain, chain);
    const renewed = await certified(node);
    await verify(renewed);
    const all = await certificatesOf(node);
    assert.deepEqual(
      all.map(({ current, state }) => [current, state]),
      [
        [false, 'valid'],
        [true, 'valid'],
      ],
    );
  });

  it('lets a service have what its node has, and names below it', async () => {
    const node = await member({ name: 'web-1' });
    const { address, address6 } = node.enrolled;
    const [{ constraints } = { constraints: { trust_domain: '' } }] = await authorities();
    const names = [
      'DNS:web-1.mesh',
      'DNS:api.web-1.mesh',
      `IP:${address.replace('/32', '')}`,
      `IP:${address6.replace('/128', '')}`,
      `URI:spiffe://${constraints.trust_domain}/node/web-1/api`,
    ];
    const request = await requestOf({ subject: '/CN=web-1.mesh', extensions: [`subjectAltName=${names.join(',')}`] });
    const got = await issue({ request, lifetime_s: 3600 });
    assert.equal(got.status, 201, got.text);
    await verify(got.body.chain, 'sslserver');
    assert.deepEqual([got.body.nodes, got.body.current, got.body.profile], [[node.id], true, 'server']);
    assert.equal(Date.parse(got.body.not_after) - Date.parse(got.body.not_before), 3_660_000);
    const client = await issue({ request, profile: 'client' });
    await verify(client.body.chain, 'sslclient');
    const again = await issue({ request });
    const first = await mesh.ask<CertificateWithChain>('GET', `/v1/ca/certificates/${got.body.id}`);
    assert.deepEqual([first.body.current, again.body.current, first.body.chain], [false, true, got.body.chain]);
    const found = await mesh.ask<{ items: Certificate[] }>('GET', `/v1/ca/certificates?q=${again.body.serial}`);
    assert.deepEqual(
      found.body.items.map(({ id }) => id),
      [again.body.id],
    );
  });

  it('refuses a service what is outside of the scope of its token, with everything it asked for', async () => {
    const owned = await mesh.token({ scope: { team: 'web' }, role: 'operator' });
    await member({ name: 'web-2', token: owned.secret });
    const other = await member({ name: 'db-1' });
    const names = `DNS:web-2.mesh,DNS:db-1.mesh,DNS:example.org,DNS:mesh,IP:${other.enrolled.address.replace('/32', '')},IP:192.0.2.1`;
    const request = await requestOf({ subject: '/CN=other.mesh', extensions: [`subjectAltName=${names}`] });
    const got = await issue({ request }, owned.secret);
    const outside = (what: string) => `asks for ${what}, which belongs to no node inside your scope`;
    assert.deepEqual(
      [got.status, got.body.code, got.body.errors?.map(({ detail }) => detail)],
      [
        422,
        'certificate_refused',
        [
          outside('the DNS name "db-1.mesh"'),
          outside('the DNS name "example.org"'),
          outside('the DNS name "mesh"'),
          outside(`the address ${other.enrolled.address.replace('/32', '')}`),
          outside('the address 192.0.2.1'),
          'asks for the common name "other.mesh", which is none of its DNS names',
        ],
      ],
    );
    const own = await requestOf({ extensions: ['subjectAltName=DNS:web-2.mesh'] });
    const made = await issue({ request: own }, owned.secret);
    assert.equal(made.status, 201, made.text);
    const stranger = await mesh.token({ scope: { team: 'db' }, role: 'operator' });
    for (const [method, path] of [
      ['GET', `/v1/ca/certificates/${made.body.id}`],
      ['POST', `/v1/ca/certificates/${made.body.id}/revoke`],
    ] as const) {
      const refused = await mesh.ask(method, path, {
        token: stranger.secret,
        ...(method === 'POST' ? { body: {} } : {}),
      });
      assert.equal(refused.status, 404, refused.text);
    }
    const serial = await mesh.ask('POST', '/v1/ca/revoke', {
      token: stranger.secret,
      body: { serial: made.body.serial },
    });
    assert.equal(serial.status, 404, serial.text);
  });

  it('refuses a service the identity of the node itself, no name at all, and a longer life than the settings allow', async () => {
    await member({ name: 'app-1' });
    const [{ constraints } = { constraints: { trust_domain: '' } }] = await authorities();
    const uri = `spiffe://${constraints.trust_domain}/node/app-1`;
    const own = await issue({ request: await requestOf({ extensions: [`subjectAltName=URI:${uri}`] }) });
    assert.match(own.body.errors?.[0]?.detail ?? '', /which only the node itself has; add a path below it/);
    const none = await issue({ request: await requestOf({}) });
    assert.equal(none.body.errors?.[0]?.detail, 'asks for no name; add subjectAltName');
    const request = await requestOf({ extensions: ['subjectAltName=DNS:app-1.mesh', 'extendedKeyUsage=clientAuth'] });
    const usage = await issue({ request });
    assert.equal(
      usage.body.errors?.[0]?.detail,
      'asks for the extended key usage clientAuth, which the profile server lacks',
    );
    const long = await issue({ request, lifetime_s: 31 * DAY_S });
    assert.deepEqual([long.status, long.body.errors?.[0]?.pointer], [422, '/lifetime_s']);
  });

  it('revokes a certificate by id and by serial number, once, and a node gets another one at once', async () => {
    const node = await member();
    const chain = await certified(node);
    const [first] = await certificatesOf(node);
    const path = `/v1/ca/certificates/${first?.id}/revoke`;
    const got = await mesh.ask<Certificate>('POST', path, { body: { reason: 'key_compromise' } });
    assert.deepEqual([got.status, got.body.state, got.body.revoked?.reason], [200, 'revoked', 'key_compromise']);
    const again = await mesh.ask<Certificate>('POST', path, { body: { reason: 'superseded' } });
    assert.deepEqual([again.status, again.body.revoked], [200, got.body.revoked]);
    await node.beat();
    assert.deepEqual(node.held.certificate, { chain: null, request: true });
    const next = await certified(node);
    await revokedAt(node, first?.serial ?? '');
    await verify(next);
    await assert.rejects(verify(chain), /certificate revoked/);
    const second = (await certificatesOf(node)).at(-1);
    const revoke = (body: object) => mesh.ask<{ revoked: number } & Problem>('POST', '/v1/ca/revoke', { body });
    assert.deepEqual((await revoke({ serial: second?.serial })).body, { revoked: 1 });
    assert.deepEqual((await revoke({ serial: second?.serial })).body, { revoked: 0 });
    assert.deepEqual((await revoke({ node: node.id })).body, { revoked: 0 });
    assert.equal((await revoke({})).status, 422);
    const unknown = '5eadbeef5eadbeef5eadbeef5eadbeef';
    assert.deepEqual((await revoke({ serial: unknown })).body, { revoked: 1 });
    await revokedAt(node, unknown);
  });

  it('makes its lists anew each day, and forgets what expired', async () => {
    const node = await member();
    await certified(node);
    const numbers = async () => (await authorities()).map(({ revocation_list }) => revocation_list?.number ?? 0);
    const old = await numbers();
    mesh.clock.advance(DAY_S + 1);
    await mesh.until(async () => (await numbers()).every((number, index) => number > (old[index] ?? 0)));
    mesh.clock.advance(15 * DAY_S);
    await mesh.down();
    await mesh.up();
    await mesh.until(async () => (await certificatesOf(node)).length === 0);
    await mesh.until(async () => (await authorities())[1]?.revocation_list?.entries === 2);
  });

  it('keeps its authorities over a restart, and their keys sealed', async () => {
    const old = await authorities();
    await mesh.down();
    await mesh.up();
    assert.deepEqual(await authorities(), old);
    const trail = await mesh.ask('GET', '/v1/audit?action=ca.found');
    assert.match(trail.text, /made Meshwork root/);
    assert.doesNotMatch(trail.text, /v1\.[0-9a-f]{16}\./);
  });
});
