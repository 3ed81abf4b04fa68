/** Certificates that operators bring: who may, what is refused, who sees them, and what is left behind. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, GivenCertificate, Ingress, Overview, Problem } from '@meshwork/contract';
import { givenAuthority } from '@meshwork/pki/testing';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';

const DAY_S = 86_400;
const DAY_MS = DAY_S * 1000;
const PATH = '/v1/given-certificates';
type Given = GivenCertificate & Problem;

describe('given certificates', { timeout: 160_000 }, () => {
  let mesh: TestCoordinator;
  let authority: Awaited<ReturnType<typeof givenAuthority>>;
  let alpha: string;
  let beta: string;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 10_000, burst: 10_000 } } });
    authority = await givenAuthority('Public', mesh.clock.now());
    alpha = (await mesh.token({ role: 'operator', scope: { team: 'alpha' } })).secret;
    beta = (await mesh.token({ role: 'operator', scope: { team: 'beta' } })).secret;
    const domain_owners = {
      '*.alpha.example.com': ['scope:alpha/*/*'],
      '*.beta.example.com': ['scope:beta/*/*'],
    };
    const got = await mesh.ask('PUT', '/v1/acls', { body: { domain_owners } });
    assert.equal(got.status, 200, got.text);
  });
  after(() => mesh.close());

  const issue = async (...names: readonly string[]) => {
    const { chain, private_key } = await authority.issue({ names: names.map((name) => `DNS:${name}`) });
    return { chain, private_key };
  };
  const create = (body: object, token?: string) =>
    mesh.ask<Given>('POST', PATH, { body, ...(token === undefined ? {} : { token }) });
  const brought = async (name: string, ...names: readonly string[]) => {
    const got = await create({ name, ...(await issue(...names)) });
    assert.equal(got.status, 201, got.text);
    return got.body;
  };
  const replace = (id: string, body: object, more: object = {}) =>
    mesh.ask<Given>('PUT', `${PATH}/${id}`, { body, ...more });
  let made = 0;
  const ingress = async (more: object, token?: string) => {
    const body = { name: `web-${made++}`, service: 'web', gateways: ['tag:role:gateway'], ...more };
    return await mesh.ask<Ingress & Problem>('POST', '/v1/ingress', {
      body,
      ...(token === undefined ? {} : { token }),
    });
  };
  const faults = ({ status, body }: { status: number; body: Problem }) => [
    status,
    ...(body.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`),
  ];

  it('are shown without their keys, which are nowhere but sealed', async () => {
    const pem = await issue('shop.example.net', '*.shop.example.net');
    const { status, body, text, headers } = await create({ name: 'shop', ...pem });
    assert.equal(status, 201, text);
    assert.deepEqual(body.names, ['shop.example.net', '*.shop.example.net']);
    assert.deepEqual(
      [body.issuer, body.key_type, body.state, body.issuers, body.warnings, body.used_by, body.shown_by],
      ['CN=Intermediate, O=Public', 'EC P-256', 'valid', 1, [], [], []],
    );
    assert.equal(headers.get('location'), `${PATH}/${body.id}`);
    const secret = pem.private_key.split('\n')[1]?.slice(0, 40) ?? '';
    const seen = [text];
    for (const path of [PATH, `${PATH}/${body.id}`, `${PATH}/shop`, '/v1/audit?limit=100']) {
      const got = await mesh.ask('GET', path, { headers: { accept: 'application/json' } });
      assert.equal(got.status, 200, got.text);
      seen.push(got.text);
    }
    for (const one of seen) assert.ok(!one.includes(secret) && !one.includes('PRIVATE KEY') && !one.includes('"key"'));
    const audit = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=given_certificates.create');
    assert.equal(audit.body.items.length, 1);
    assert.ok(JSON.stringify(audit.body.items).includes(body.fingerprint));
    await replace(body.id, pem);
    await mesh.ask('DELETE', `${PATH}/${body.id}`);
    const whole = await mesh.ask('GET', '/v1/audit?limit=100');
    assert.ok(!whole.text.includes(secret));
    assert.equal((await mesh.ask('GET', `${PATH}/${body.id}`)).status, 404);
  });

  it('are refused with all that is wrong, and without a part of the key', async () => {
    const [one, other] = [await issue('a.example.net'), await issue('b.example.net')];
    assert.deepEqual(faults(await create({ name: 'a', chain: one.chain, private_key: other.private_key })), [
      422,
      '/private_key is for another certificate',
    ]);
    const [, ...both] = faults(await create({ name: 'a', chain: 'x', private_key: 'y' }));
    assert.match(both.join(), /^\/private_key is not PEM.*\/chain is not PEM/);
    assert.deepEqual(faults(await create({ name: 'mesh', ...one })).slice(0, 1), [422]);
    const old = await authority.issue({ names: ['DNS:a.example.net'], to_ms: mesh.clock.now() - 1000 });
    assert.match(
      String(faults(await create({ name: 'a', chain: old.chain, private_key: old.key }))[1]),
      /^\/chain expired at/,
    );
    const huge = await create({ name: 'a', chain: 'A'.repeat(10_000_000), private_key: one.private_key });
    assert.equal(huge.body.code, 'body_too_large');
    const long = await create({ name: 'a', chain: one.chain, private_key: `${one.private_key}${'A'.repeat(9000)}` });
    assert.equal(long.status, 422);
    const secret = one.private_key.split('\n')[1] ?? '';
    assert.ok(!long.text.includes(secret));
    assert.equal(
      (await mesh.ask<{ items: Given[] }>('GET', PATH)).body.items.some(({ name }) => name === 'a'),
      false,
    );
  });

  it('are brought by those who may use each of their names, and need the permission before anything is read', async () => {
    const own = await issue('*.alpha.example.com');
    assert.equal((await create({ name: 'alpha', ...own }, beta)).body.code, 'not_owner');
    assert.equal((await create({ name: 'alpha', ...own }, alpha)).status, 201);
    const mixed = await issue('www.alpha.example.com', 'elsewhere.example.org');
    const refused = await create({ name: 'mixed', ...mixed }, alpha);
    assert.match(refused.body.detail, /"elsewhere\.example\.org": only a mesh-wide token may use it/);
    const viewer = (await mesh.token({ role: 'viewer' })).secret;
    assert.equal((await create({ nonsense: true }, viewer)).body.code, 'permission_denied');
    assert.equal((await create({ name: 'x', scope: PLATFORM, ...own }, alpha)).body.code, 'exceeds_own_rights');
  });

  it('can be replaced by a token that may do nothing else, as that of certbot', async () => {
    const { id } = await brought('renewed', 'renewed.example.net');
    const permissions = ['given_certificates:read', 'given_certificates:write'];
    const role = await mesh.ask('POST', '/v1/auth/roles', {
      body: { name: 'renewal', description: 'Renews.', permissions },
    });
    assert.equal(role.status, 201, role.text);
    const { secret: token } = await mesh.token({ role: 'renewal' });
    const renewed = await replace('renewed', await issue('renewed.example.net'), { token });
    assert.deepEqual([renewed.status, renewed.body.id], [200, id]);
    assert.notEqual(renewed.body.replaced_at, null);
    assert.equal((await mesh.ask('GET', '/v1/ingress', { token })).status, 403);
  });

  it('are seen inside their scope, read where a wider one covers it, and written only by those who have all of it', async () => {
    const wide = await brought('wide', '*.beta.example.com');
    const pem = await issue('only.beta.example.com');
    const own = (await create({ name: 'own', ...pem }, beta)).body;
    assert.equal((await mesh.ask('GET', `${PATH}/${own.id}`, { token: alpha })).status, 404);
    assert.equal((await mesh.ask('GET', `${PATH}/${wide.id}`, { token: beta })).status, 200);
    assert.equal((await replace(wide.id, pem, { token: beta })).body.code, 'exceeds_own_rights');
    assert.equal((await mesh.ask('DELETE', `${PATH}/${wide.id}`, { token: beta })).status, 403);
    assert.equal((await replace(own.id, pem, { token: alpha })).status, 404);
    const names = async (token: string) =>
      (await mesh.ask<{ items: Given[] }>('GET', PATH, { token })).body.items.map(({ name }) => name);
    assert.ok((await names(beta)).includes('wide') && (await names(beta)).includes('own'));
    assert.ok(!(await names(alpha)).includes('own'));
  });

  it('are named by ingresses that they are for, inside their scope', async () => {
    const shop = await brought('shop-2', 'shop-2.example.net', '*.shop-2.example.net');
    const { body, status, text } = await ingress({ hostname: 'shop-2.example.net', tls: { certificate: 'shop-2' } });
    assert.equal(status, 201, text);
    assert.deepEqual(body.tls, { certificate: shop.id, redirect: true, clients: 'none', client_names: [] });
    assert.equal((await ingress({ hostname: 'www.shop-2.example.net', tls: { certificate: shop.id } })).status, 201);
    const deep = await ingress({ hostname: 'a.b.shop-2.example.net', tls: { certificate: shop.id } });
    assert.deepEqual(faults(deep), [
      422,
      '/tls/certificate "shop-2" is for shop-2.example.net, *.shop-2.example.net, and not for a.b.shop-2.example.net',
    ]);
    assert.equal((await ingress({ hostname: 'other.example.net', tls: { certificate: 'no-such' } })).status, 422);
    const moved = await mesh.ask<Problem>('PATCH', `/v1/ingress/${body.id}`, {
      body: { hostname: 'other.example.net' },
    });
    assert.match(String(faults(moved)[1]), /and not for other\.example\.net/);
    const own = await create({ name: 'own-2', ...(await issue('own.beta.example.com')) }, beta);
    const foreign = { hostname: 'own.beta.example.com', scope: PLATFORM, tls: { certificate: own.body.id } };
    assert.match(String(faults(await ingress(foreign))[1]), /whose scope covers that of the ingress/);
    const inside = { hostname: 'own.beta.example.com', tls: { certificate: 'own-2' } };
    assert.equal((await ingress(inside, beta)).status, 201);
    const passed = await ingress({ kind: 'tls', hostname: 'www.shop-2.example.org', tls: { certificate: shop.id } });
    assert.match(faults(passed).join(), /gateways end no TLS for the kind tls/);
    const { body: shown } = await mesh.ask<Given>('GET', `${PATH}/shop-2`);
    assert.deepEqual(
      shown.used_by.map(({ hostname, covered }) => [hostname, covered]),
      [
        ['shop-2.example.net', true],
        ['www.shop-2.example.net', true],
      ],
    );
  });

  it('are not deleted while ingresses show them, nor replaced by what is not for them', async () => {
    const { id } = await brought('used', 'used.example.net', 'free.example.net');
    const { body: user } = await ingress({ name: 'user', hostname: 'used.example.net', tls: { certificate: id } });
    const refused = await mesh.ask<Problem>('DELETE', `${PATH}/${id}`);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.detail],
      [409, 'certificate_in_use', 'The ingress "user" shows the certificate "used".'],
    );
    const other = await replace(id, await issue('free.example.net'));
    assert.deepEqual(faults(other), [
      422,
      '/chain is not for used.example.net, the host name of the ingress "user" that shows it',
    ]);
    const wider = await replace(id, await issue('*.example.net'));
    assert.equal(wider.status, 200, wider.text);
    const stale = { headers: { 'if-match': `"${wider.body.revision - 1}"` } };
    assert.equal((await replace(id, await issue('used.example.net'), stale)).body.code, 'revision_mismatch');
    await mesh.ask('PATCH', `/v1/ingress/${user.id}`, { body: { tls: { certificate: 'mesh' } } });
    assert.equal((await mesh.ask('DELETE', `${PATH}/${id}`)).status, 204);
  });

  it('that are deleted and named at once leave no ingress with one that is gone', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await brought(`race-${round}`, `race-${round}.example.net`);
      const [made_, gone] = await Promise.all([
        ingress({ hostname: `race-${round}.example.net`, tls: { certificate: id } }),
        mesh.ask('DELETE', `${PATH}/${id}`),
      ]);
      assert.ok((made_.status === 201) !== (gone.status === 204), `${made_.status} ${gone.status}`);
    }
  });

  it('need attention when they end soon, have ended, or are for another name', async () => {
    const { secret: token } = await mesh.token({ role: 'viewer' }); // which outlives that of the start
    const attention = async () => {
      const { body } = await mesh.ask<Overview>('GET', '/v1/overview', { token });
      return body.attention.flatMap(({ kind, severity, subject }) =>
        kind.startsWith('given_') ? [`${kind} ${severity} ${subject.name}`] : [],
      );
    };
    const pem = async (name: string, days: number, since_days: number) => {
      const [from_ms, to_ms] = [mesh.clock.now() - since_days * DAY_MS, mesh.clock.now() + days * DAY_MS];
      const { chain, private_key } = await authority.issue({ names: [`DNS:${name}`], from_ms, to_ms });
      return { chain, private_key };
    };
    const soon = (await create({ name: 'soon', ...(await pem('soon.example.net', 3, 70)) })).body;
    assert.deepEqual([soon.state, soon.warnings.length], ['expiring', 1]);
    const brief = (await create({ name: 'brief', ...(await pem('brief.example.net', 5, 1)) })).body;
    assert.equal(brief.state, 'valid', 'one that lives for six days is renewed in its last third');
    assert.deepEqual(await attention(), [], 'no ingress shows them');
    await ingress({ hostname: 'soon.example.net', tls: { certificate: 'soon' } });
    assert.deepEqual(await attention(), ['given_certificate_expiring warning soon']);
    mesh.clock.advance(4 * DAY_S);
    assert.deepEqual(await attention(), ['given_certificate_expired critical soon']);
    mesh.clock.advance(-4 * DAY_S);
    const one = await authority.issue({ names: ['DNS:y.example.net'], key: ['-algorithm', 'ED25519'] });
    const bare = (await create({ name: 'bare', chain: one.certificate, private_key: one.key })).body;
    assert.deepEqual([bare.issuers, bare.warnings.length], [0, 2]);
  });
});
