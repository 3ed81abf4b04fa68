/** Renewal as the authority asks for it (RFC 9773): the mesh orders from its own directory, which says when. */
import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { AnswerOf, Certificate, CertificateOrder, GivenCertificate, Operations } from '@meshwork/contract';
import { givenAuthority } from '@meshwork/pki/testing';
import { ALL, TestCoordinator } from '../../../test/harness.ts';
import { ProbedNode } from '../../../test/probed-node.ts';
import { TestNode } from '../../../test/test-node.ts';

const HOST = 'web.mesh';
const known = getCACertificates('default');
let web: Awaited<ReturnType<typeof givenAuthority>>;
before(async () => {
  web = await givenAuthority();
  setDefaultCACertificates([...known, web.root.certificate]); // for what the test itself asks
});
after(() => setDefaultCACertificates(known));

it('a certificate is renewed in the window that its authority names, and at once when it is revoked', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'mesh-own-directory-'));
  const file = (name: string) => join(folder.path, name);
  const { chain, private_key } = await web.issue({ names: ['IP:127.0.0.1'] });
  await writeFile(file('cert.pem'), chain);
  await writeFile(file('key.pem'), private_key, { mode: 0o600 });
  const mesh = await TestCoordinator.startWithAuthorities({
    MESH_TLS_CERT: file('cert.pem'),
    MESH_TLS_KEY: file('key.pem'),
    MESH_OUTBOUND_NETWORKS: '127.0.0.0/8',
  });
  mesh.owner = (await mesh.token({ role: 'owner', days: 300 })).secret;
  const shown = new Map<string, string>();
  const node = await TestNode.enroll(mesh, { name: 'web', tags: ['role:gateway'] });
  const gateway = new ProbedNode(node, ({ show_challenge: asked, challenge }) => {
    if (asked !== undefined) {
      shown.set(asked.token, asked.key_authorization);
      return { show_challenge: {} };
    }
    return { challenge: { shown: shown.get(challenge?.token ?? '') ?? 'nothing' } };
  });
  const probes = ['show_challenge', 'challenge'];
  await gateway.start(probes);
  try {
    const { secret } = await mesh.token({ role: 'operator', scope: ALL, days: 200 });
    type Bound = AnswerOf<Operations['acme.bind']>;
    const { body: bound } = await mesh.ask<Bound>('POST', '/v1/ca/acme/bindings', { token: secret });
    const authority = {
      name: 'own',
      directory: `${mesh.url}${bound.directory}`,
      roots: web.root.certificate,
      eab_key_id: bound.key_id,
      eab_key: bound.key,
      agree_terms: true,
    };
    const made = await mesh.ask('POST', '/v1/outside-authorities', { body: authority });
    assert.equal(made.status, 201, made.text);
    const body = { name: 'web', hostname: HOST, service: 'web', gateways: ['node:web'], tls: { certificate: 'own' } };
    const ingress = await mesh.ask('POST', '/v1/ingress', { body });
    assert.equal(ingress.status, 201, ingress.text);
    const order = async () => (await mesh.ask<CertificateOrder>('GET', `/v1/certificate-orders/${HOST}`)).body;
    await mesh.until(async () => ['issued', 'failing'].includes((await order()).state));
    const first = await order();
    assert.deepEqual([first.problem, first.renewal?.by], [null, 'authority']);
    const path = `/v1/given-certificates/${first.id}`;
    const { body: old } = await mesh.ask<GivenCertificate>('GET', path);
    const [from, to] = [Date.parse(old.not_before), Date.parse(old.not_after)];
    const over = (Date.parse(first.renewal?.at ?? '') - from) / (to - from);
    assert.ok(over >= 2 / 3 && over <= 5 / 6, `renewed after ${over} of its life`);

    const { body: issued } = await mesh.ask<{ items: Certificate[] }>('GET', '/v1/ca/certificates?limit=200');
    const own = issued.items.find(({ serial }) => serial === old.serial);
    const revoked = await mesh.ask('POST', `/v1/ca/certificates/${own?.id}/revoke`, { body: { reason: 'superseded' } });
    assert.equal(revoked.status, 200, revoked.text);
    assert.ok(Date.parse(first.renewal?.at ?? '') - mesh.clock.now() > 6.5 * 3_600_000, 'by itself it would be later');
    // The authority said how long its answer is good.
    await gateway.stop();
    mesh.clock.advance(6 * 3600 + 1);
    await node.prove();
    await gateway.start(probes);
    await mesh.until(async () => (await mesh.ask<GivenCertificate>('GET', path)).body.serial !== old.serial);
    const { body: renewed } = await mesh.ask<GivenCertificate>('GET', path);
    assert.deepEqual([renewed.id, renewed.authority?.name], [old.id, 'own']);
    const next = await order();
    assert.ok(Date.parse(next.renewal?.at ?? '') > mesh.clock.now());
  } finally {
    await gateway.stop();
    await mesh.close();
  }
});
