/** Certificates of ingresses on the gateways that serve them: issued, renewed and revoked by the coordinator. */
import assert from 'node:assert/strict';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Certificate, Ingress, Problem, RevocationReason } from '@meshwork/contract';
import { makeRequest } from '@meshwork/pki/request';
import { requestOf, verifyChain } from '@meshwork/pki/testing';
import { certifyDomain } from '../../../test/certify-domain.ts';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const DOMAIN = 'corp.example.org';

describe('the certificates of a gateway', { timeout: 170_000 }, () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.startWithAuthorities();
    mesh.owner = (await mesh.token({ role: 'owner', days: 300 })).secret;
    const nodes = { stale_after_s: 3600, unreachable_after_s: 86_400 };
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes, ca: { node_lifetime_s: 3600 } } });
    await certifyDomain(mesh, DOMAIN);
  });
  after(() => mesh.close());

  let made = 0;
  /** An ingress on one gateway of its own. */
  const create = async (gateway: TestNode, more: object = {}) => {
    const name = `web-${++made}`;
    const gateways = [`node:${gateway.enrolled.name}`];
    const body = { name, hostname: `${name}.${DOMAIN}`, service: 'web', gateways, ...more };
    const got = await mesh.ask<Ingress & Problem>('POST', '/v1/ingress', { body });
    assert.equal(got.status, 201, got.text);
    return got.body;
  };
  const patch = async ({ id }: Ingress, body: object) => {
    const got = await mesh.ask<Ingress & Problem>('PATCH', `/v1/ingress/${id}`, { body });
    assert.equal(got.status, 200, got.text);
    return got.body;
  };
  const gateway = async (request?: string) => {
    const node = await TestNode.enroll(mesh, { name: `gw-${++made}`, tags: ['role:gateway'] });
    await node.beat({
      complete: true,
      report: { abilities: EVERYTHING, ...(request && { gateway_request: request }) },
    });
    return node;
  };
  const assignment = (node: TestNode, { id }: Ingress) => node.held.ingress.find((one) => one.id === id);
  const chainOn = (node: TestNode, ingress: Ingress) => assignment(node, ingress)?.tls?.chain ?? null;
  /** Waits until the gateway is sent a chain that it did not have. */
  const chained = async (node: TestNode, ingress: Ingress, before: string | null = null) => {
    await mesh.until(async () => {
      await node.beat();
      const chain = chainOn(node, ingress);
      return chain !== null && chain !== before;
    });
    return chainOn(node, ingress) ?? '';
  };
  const certificatesFor = async (node: TestNode, { id }: Ingress) => {
    const { items } = (await mesh.ask<{ items: Certificate[] }>('GET', `/v1/ca/certificates?node=${node.id}`)).body;
    return items.filter(({ ingresses }) => ingresses.includes(id));
  };
  const revoked = (node: TestNode, ingress: Ingress, reason: RevocationReason) =>
    mesh.until(async () => {
      const all = await certificatesFor(node, ingress);
      return all.some((one) => one.revoked?.reason === reason) && all.every(({ state }) => state === 'revoked');
    });
  const problemOf = async ({ id }: Ingress) =>
    (await mesh.ask<Ingress>('GET', `/v1/ingress/${id}`)).body.assigned_to[0]?.problem;
  const untilProblem = (ingress: Ingress, words: string) =>
    mesh.until(async () => (await problemOf(ingress)) === words);
  const publicKey = (pem: string) => createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64');
  const keyIn = (chain: string) =>
    new X509Certificate(chain).publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

  it('are for its one key, one for each ingress that is placed on it, and good for its host name alone', async () => {
    const { request, private_key } = await makeRequest();
    const node = await gateway(request);
    const one = await create(node);
    const two = await create(node);
    for (const ingress of [one, two]) {
      const chain = await chained(node, ingress);
      assert.equal(keyIn(chain), publicKey(private_key));
      assert.equal(new X509Certificate(chain).subjectAltName, `DNS:${ingress.hostname}`);
      const files = {
        roots: (await mesh.ask('GET', '/v1/ca/bundle', { token: null })).text,
        revocation_lists: (await mesh.ask('GET', '/v1/ca/crl', { token: null })).text,
      };
      await verifyChain({ ...files, chain, purpose: 'sslserver', at_ms: mesh.clock.now() });
      const [certificate, ...more] = await certificatesFor(node, ingress);
      assert.ok(certificate);
      assert.deepEqual([certificate.profile, certificate.current, more], ['ingress', true, []]);
      assert.deepEqual([certificate.nodes, certificate.ingresses], [[node.id], [ingress.id]]);
      assert.ok(certificate.renews_at !== null && certificate.renews_at < certificate.not_after);
    }
    await node.beat({ applied: node.applied(), observed: { ingress: [{ id: one.id, connections: 0 }] } });
    assert.equal(await problemOf(one), null);
    assert.equal(await problemOf(two), 'The node does not report that it serves it.');
  });

  it('are renewed in time, for the same key and without a revocation', async () => {
    const node = await gateway((await makeRequest()).request);
    const ingress = await create(node);
    const first = await chained(node, ingress);
    mesh.clock.advance(3300);
    const second = await chained(node, ingress, first);
    assert.equal(keyIn(second), keyIn(first));
    const all = await certificatesFor(node, ingress);
    assert.deepEqual(all.map(({ state, current }) => [state, current]).sort(), [
      ['valid', false],
      ['valid', true],
    ]);
  });

  it('are renewed at once when they were issued while the clock was wrong', async () => {
    const node = await gateway((await makeRequest()).request);
    mesh.clock.advance(1800);
    const ingress = await create(node);
    const first = await chained(node, ingress);
    mesh.clock.advance(-1800);
    const second = await chained(node, ingress, first);
    assert.ok(Date.parse(new X509Certificate(second).validFrom) <= mesh.clock.now());
    assert.equal(keyIn(second), keyIn(first));
  });

  it('are for a new key as soon as it has one, and a gateway that changes it too often waits', async () => {
    const node = await gateway((await makeRequest()).request);
    const ingress = await create(node);
    const first = await chained(node, ingress);
    mesh.clock.advance(60);
    await node.beat({ report: { gateway_request: (await makeRequest()).request } });
    const second = await chained(node, ingress, first);
    assert.notEqual(keyIn(second), keyIn(first));
    await node.beat({ report: { gateway_request: (await makeRequest()).request } });
    assert.equal(chainOn(node, ingress), second, 'it goes on with what it has');
    assert.equal((await certificatesFor(node, ingress)).length, 2);
    mesh.clock.advance(30);
    assert.notEqual(keyIn(await chained(node, ingress, second)), keyIn(second));
  });

  it('are revoked when the ingress leaves the gateway, and issued to the next one', async () => {
    const [node, next] = [await gateway((await makeRequest()).request), await gateway((await makeRequest()).request)];
    const ingress = await create(node);
    await chained(node, ingress);
    await patch(ingress, { gateways: [`node:${next.enrolled.name}`] });
    await chained(next, ingress);
    assert.equal((await certificatesFor(node, ingress))[0]?.state, 'valid', 'it drains');
    await mesh.until(async () => {
      await node.beat({ observed: { ingress: [{ id: ingress.id, connections: 0, refuses: true }] } });
      return assignment(node, ingress) === undefined;
    });
    await revoked(node, ingress, 'cessation_of_operation');
    assert.equal((await certificatesFor(next, ingress))[0]?.state, 'valid');
  });

  it('are revoked when the gateway is cut off, and issued anew when it is released', async () => {
    const node = await gateway((await makeRequest()).request);
    const ingress = await create(node);
    const first = await chained(node, ingress);
    assert.equal((await mesh.ask('POST', `/v1/nodes/${node.id}/quarantine`, { body: {} })).status, 202);
    const [certificate] = await certificatesFor(node, ingress);
    assert.equal(certificate?.revoked?.reason, 'privilege_withdrawn', 'in the same commit');
    assert.equal((await mesh.ask('POST', `/v1/nodes/${node.id}/release`, { body: {} })).status, 202);
    await node.prove();
    await chained(node, ingress, first);
    assert.equal((await mesh.ask('DELETE', `/v1/nodes/${node.id}`)).status, 202);
    assert.ok((await certificatesFor(node, ingress)).every(({ state }) => state === 'revoked'));
  });

  it('follow the host name, go with TLS, and end with the ingress', async () => {
    const node = await gateway((await makeRequest()).request);
    const ingress = await create(node);
    const first = await chained(node, ingress);
    const { hostname } = await patch(ingress, { hostname: `renamed.${DOMAIN}` });
    const second = await chained(node, ingress, first);
    assert.equal(new X509Certificate(second).subjectAltName, `DNS:${hostname}`);
    assert.deepEqual((await certificatesFor(node, ingress)).map(({ state }) => state).sort(), ['revoked', 'valid']);
    await patch(ingress, { tls: { certificate: 'none' } });
    await revoked(node, ingress, 'cessation_of_operation');
    await node.beat();
    assert.equal(assignment(node, ingress)?.tls, null);
    await patch(ingress, { tls: { certificate: 'mesh' } });
    await chained(node, ingress, second);
    assert.equal((await mesh.ask('DELETE', `/v1/ingress/${ingress.id}`)).status, 204);
    assert.ok((await certificatesFor(node, ingress)).every(({ state }) => state === 'revoked'));
  });

  it('are issued anew when an operator revokes them, unless the key is compromised', async () => {
    const node = await gateway((await makeRequest()).request);
    const ingress = await create(node);
    const revoke = async (reason: RevocationReason) => {
      const current = (await certificatesFor(node, ingress)).find((one) => one.current);
      const path = `/v1/ca/certificates/${current?.id}/revoke`;
      assert.equal((await mesh.ask('POST', path, { body: { reason } })).status, 200);
    };
    const first = await chained(node, ingress);
    await revoke('superseded');
    const second = await chained(node, ingress, first);
    await revoke('key_compromise');
    await node.beat();
    assert.equal(chainOn(node, ingress), null);
    const words =
      'No certificate. Its key was revoked as compromised. Remove it on the gateway, whose agent then makes another one.';
    assert.equal(await problemOf(ingress), words);
    mesh.clock.advance(60);
    await node.beat({ report: { gateway_request: (await makeRequest()).request } });
    assert.notEqual(keyIn(await chained(node, ingress)), keyIn(second));
  });

  it('are missing with the reason: no request, one that names something, a domain that is not certified', async () => {
    const node = await gateway();
    const ingress = await create(node);
    await untilProblem(ingress, 'No certificate: the gateway has not sent a certificate request.');
    const naming = await requestOf({ extensions: [`subjectAltName=DNS:bank.${DOMAIN}`] });
    await node.beat({ report: { gateway_request: naming } });
    const asks = `The request asks for "bank.${DOMAIN}". That of a gateway names nothing.`;
    await untilProblem(ingress, `No certificate. ${asks}`);
    assert.deepEqual(await certificatesFor(node, ingress), []);
    mesh.clock.advance(60);
    await node.beat({ report: { gateway_request: (await makeRequest()).request } });
    await chained(node, ingress);
    const outside = await create(node, { hostname: 'git.example.net' });
    const lies = 'git.example.net lies in no domain that the root certifies. Add it to ca.domains and rotate the root.';
    await untilProblem(outside, `No certificate: ${lies}`);
    const within = await create(node, { hostname: `${node.enrolled.name}.mesh` });
    await untilProblem(
      within,
      `No certificate: ${node.enrolled.name}.mesh belongs to nodes, as every name in "mesh" does.`,
    );
    await node.beat();
    for (const one of [outside, within]) assert.deepEqual(assignment(node, one)?.tls, { chain: null, redirect: true });
  });
});
