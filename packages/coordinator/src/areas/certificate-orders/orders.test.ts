/** Certificates from an outside authority: Pebble of Debian, whose challenges a node answers on a real socket. */
import assert from 'node:assert/strict';
import { randomBytes, X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type {
  AuditEntry,
  CertificateOrder,
  GivenCertificate,
  Ingress,
  OutsideAuthority,
  Overview,
  Problem,
} from '@meshwork/contract';
import { ALL, TestCoordinator } from '../../../test/harness.ts';
import { Pebble } from '../../../test/pebble.ts';
import { ProbedNode } from '../../../test/probed-node.ts';
import { TestNode } from '../../../test/test-node.ts';

const AUTHORITIES = '/v1/outside-authorities';
const ORDERS = '/v1/certificate-orders';
const HOUR_S = 3600;

describe('certificate orders', { timeout: 240_000 }, () => {
  let mesh: TestCoordinator;
  let live: Pebble;
  let staging: Pebble;
  let gateway: ProbedNode;
  before(async () => {
    mesh = await TestCoordinator.start({ MESH_OUTBOUND_NETWORKS: '127.0.0.0/8' });
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 10_000, burst: 10_000 } } });
    mesh.owner = (await mesh.token({ role: 'owner' })).secret; // the first one ends within a day
    // It refuses a third of all nonces, which is more than by default.
    live = await Pebble.start({ bad_nonces: 33 });
    staging = await Pebble.start();
    const node = await TestNode.enroll(mesh, { name: 'gw-1', tags: ['role:gateway'] });
    gateway = await new ProbedNode(node, live.shows).start(['show_challenge']);
    const got = await mesh.ask('PUT', '/v1/acls', { body: { domain_owners: { '*.example.net': ['scope:*/*/*'] } } });
    assert.equal(got.status, 200, got.text);
  });
  after(async () => {
    await gateway?.stop();
    await mesh?.close();
    await live?.stop();
    await staging?.stop();
  });

  let made = 0;
  const authority = async (over: object = {}) => {
    const body = { name: `pebble-${made++}`, directory: live.directory, roots: live.roots, agree_terms: true, ...over };
    const got = await mesh.ask<OutsideAuthority & Problem>('POST', AUTHORITIES, { body });
    assert.equal(got.status, 201, got.text);
    return got.body;
  };
  const ingress = async (hostname: string, certificate: string, more: object = {}) => {
    const body = {
      name: `web-${made++}`,
      hostname,
      service: 'web',
      gateways: ['tag:role:gateway'],
      tls: { certificate },
    };
    const got = await mesh.ask<Ingress & Problem>('POST', '/v1/ingress', { body: { ...body, ...more } });
    return got;
  };
  const order = async (hostname: string) =>
    (await mesh.ask<CertificateOrder & Problem>('GET', `${ORDERS}/${hostname}`)).body;
  const comes = async (hostname: string, state: CertificateOrder['state']) => {
    await mesh.until(async () => (await order(hostname)).state === state);
    return await order(hostname);
  };
  const kinds = async () => (await mesh.ask<Overview>('GET', '/v1/overview')).body.attention.map(({ kind }) => kind);

  it('come by themselves, staging first, and become given certificates without a key in any answer', async () => {
    // One gateway answers for both, wherever the question comes from.
    gateway.answers = (probe) => {
      staging.shows(probe);
      return live.shows(probe);
    };
    const { id, name } = await authority({ staging_directory: staging.directory, roots: live.roots + staging.roots });
    const { body: shop, status, text } = await ingress('shop.example.net', name);
    assert.equal(status, 201, text);
    assert.equal(shop.tls.certificate, id);
    const done = await comes('shop.example.net', 'issued');
    assert.deepEqual(
      [done.problem, done.step, done.attempts, done.authority, done.ingresses, done.renewal?.by],
      [null, null, 0, { id, name }, [{ id: shop.id, name: shop.name }], 'lifetime'],
    );
    assert.ok(staging.looked > 0 && live.looked > 0, 'both have looked');
    const { body: given } = await mesh.ask<GivenCertificate>('GET', `/v1/given-certificates/${done.id}`);
    assert.deepEqual(
      [given.names, given.authority, given.renew_at],
      [['shop.example.net'], { id, name }, done.renewal?.at],
    );
    assert.match(given.issuer, /Pebble/);
    const [from, to, at] = [given.not_before, given.not_after, done.renewal?.at ?? ''].map((one) => Date.parse(one));
    const over = ((at ?? 0) - (from ?? 0)) / ((to ?? 0) - (from ?? 0));
    assert.ok(over >= 0.66 && over <= 0.72, `renewed after ${over} of its life`);

    await mesh.until(async () => gateway.node.held.given_certificates.some((one) => one.id === done.id));
    const held = gateway.node.held.given_certificates.find((one) => one.id === done.id);
    assert.ok(held !== undefined && new X509Certificate(held.chain).checkHost('shop.example.net') !== undefined);
    const sent = gateway.node.held.ingress.find((one) => one.id === shop.id);
    assert.deepEqual([sent?.tls?.given, sent?.tls?.challenge], [done.id, 'http-01']);

    const { body: seen } = await mesh.ask<OutsideAuthority>('GET', `${AUTHORITIES}/${name}`);
    assert.deepEqual(
      [seen.account.state, seen.staging_account?.state, seen.orders, seen.certificates],
      ['valid', 'valid', 1, 1],
    );
    const secret = held.private_key.split('\n')[1]?.slice(0, 40) ?? 'none';
    for (const path of [
      ORDERS,
      `${ORDERS}/${done.id}`,
      AUTHORITIES,
      `${AUTHORITIES}/${id}`,
      '/v1/given-certificates',
      '/v1/audit?limit=200',
      '/v1/overview',
    ]) {
      const got = await mesh.ask('GET', path, { headers: { accept: 'application/json' } });
      assert.equal(got.status, 200, got.text);
      assert.ok(
        !got.text.includes(secret) && !got.text.includes('PRIVATE KEY') && !/"(?:eab_)?key"/.test(got.text),
        path,
      );
    }
    const trail = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=outside_authorities.register');
    assert.equal(trail.body.items.length, 2, 'one account at each directory');
    gateway.answers = live.shows;
  });

  it('say why they fail, wait longer each time, and succeed once that is mended', async () => {
    const { name } = await authority();
    gateway.answers = ({ show_challenge: asked }) => {
      if (asked !== undefined) live.shown.set(asked.token, 'something else');
      return { show_challenge: {} };
    };
    assert.equal((await ingress('wrong.example.net', name)).status, 201);
    const first = await comes('wrong.example.net', 'failing');
    assert.equal(first.attempts, 1);
    assert.match(first.problem ?? '', /unauthorized|incorrectResponse/);
    const waits_s = (Date.parse(first.next_at ?? '') - mesh.clock.now()) / 1000;
    assert.ok(waits_s > 40 && waits_s < 75, `${waits_s}`);
    assert.ok((await kinds()).includes('certificate_order_failing'));
    const { body: serving } = await mesh.ask<Ingress>('GET', `/v1/ingress/${(first.ingresses[0] ?? { id: '' }).id}`);
    assert.match(serving.assigned_to[0]?.problem ?? '', /has not come from pebble-\d+ yet: /);

    mesh.clock.advance(75);
    await mesh.until(async () => (await order('wrong.example.net')).attempts === 2);
    const second = await comes('wrong.example.net', 'failing');
    assert.ok(Date.parse(second.next_at ?? '') - mesh.clock.now() > 100_000);

    gateway.answers = live.shows;
    const retried = await mesh.ask<CertificateOrder>('POST', `${ORDERS}/wrong.example.net/retry`, { body: undefined });
    assert.deepEqual([retried.status, retried.body.next_at], [200, null], retried.text);
    assert.equal((await comes('wrong.example.net', 'issued')).problem, null);
  });

  it('name the gateway that cannot show the answer, and are not retried while under way', async () => {
    const { name } = await authority();
    gateway.answers = () => undefined; // it says nothing
    assert.equal((await ingress('silent.example.net', name)).status, 201);
    await comes('silent.example.net', 'under_way');
    await mesh.until(async () => (await order('silent.example.net')).step === 'challenge');
    const early = await mesh.ask('POST', `${ORDERS}/silent.example.net/retry`);
    assert.deepEqual([early.status, early.body.code], [409, 'order_under_way']);
    gateway.answers = () => ({ error: 'the port is in use' });
    const failed = await comes('silent.example.net', 'failing');
    assert.equal(failed.problem, 'gw-1: the port is in use');
    gateway.answers = live.shows;
    const codes = [];
    for (let turn = 0; turn < 7; turn++) {
      const got = await mesh.ask('POST', `${ORDERS}/silent.example.net/retry`);
      codes.push(got.status);
      await comes('silent.example.net', 'issued');
    }
    assert.deepEqual([codes.slice(0, 5), codes.slice(5)], [Array(5).fill(200), [429, 429]]);
  });

  it('use an account that the authority binds to a key, and forget that key then', async () => {
    const eab_key = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';
    const bound = await Pebble.start({ eab_keys: { 'kid-1': eab_key } });
    try {
      const without = await authority({ directory: bound.directory, roots: bound.roots });
      await mesh.until(async () => (await shown(without.id)).account.problem !== null);
      assert.match((await shown(without.id)).account.problem ?? '', /eab_key_id/);
      const body = { eab_key_id: 'kid-1', eab_key };
      const got = await mesh.ask<OutsideAuthority>('PATCH', `${AUTHORITIES}/${without.id}`, { body });
      assert.equal(got.status, 200, got.text);
      assert.ok(!got.text.includes(eab_key));
      await mesh.until(async () => (await shown(without.id)).account.state === 'valid');
      const audit = await mesh.ask('GET', '/v1/audit?limit=200', { headers: { accept: 'application/json' } });
      assert.ok(!audit.text.includes(eab_key));
    } finally {
      await bound.stop();
    }
  });
  const shown = async (id: string) => (await mesh.ask<OutsideAuthority>('GET', `${AUTHORITIES}/${id}`)).body;

  it('are of host names alone, and of authorities whose scope covers the ingress', async () => {
    const { name, id } = await authority();
    const wild = await ingress('*.example.net', name);
    assert.equal(wild.status, 422, wild.text);
    const short = await ingress('intranet', name);
    assert.equal(short.status, 422, short.text);
    const narrow = await authority({ scope: { ...ALL, team: 'alpha' } });
    const outside = await ingress('narrow.example.net', narrow.name, { scope: { ...ALL, team: 'beta' } });
    assert.deepEqual([outside.status, outside.body.errors?.[0]?.pointer], [422, '/tls/certificate']);

    const beta = (await mesh.token({ role: 'operator', scope: { team: 'beta' } })).secret;
    const hidden = await mesh.ask('GET', `${AUTHORITIES}/${narrow.id}`, { token: beta });
    assert.equal(hidden.status, 404);
    const wide = await mesh.ask('PATCH', `${AUTHORITIES}/${id}`, { token: beta, body: { challenge: 'tls-alpn-01' } });
    assert.deepEqual([wide.status, wide.body.code], [403, 'exceeds_own_rights']);
    const viewer = (await mesh.token({ role: 'viewer' })).secret;
    for (const [method, path] of [
      ['POST', AUTHORITIES],
      ['DELETE', `${AUTHORITIES}/${id}`],
      ['POST', `${ORDERS}/shop.example.net/retry`],
    ] as const) {
      const got = await mesh.ask(method, path, { token: viewer, ...(path === AUTHORITIES ? { body: {} } : {}) });
      assert.deepEqual([got.status, got.body.code], [403, 'permission_denied'], `${method} ${path}`);
    }
    const unseen = await mesh.ask('GET', `${ORDERS}/shop.example.net`, { token: beta });
    assert.equal(unseen.status, 404);
  });

  it('cannot be replaced or named by hand, and hold their authority while an ingress needs them', async () => {
    const { name, id } = await authority();
    const { body: web } = await ingress('held.example.net', name);
    const done = await comes('held.example.net', 'issued');
    const body = { chain: 'x', private_key: 'x' };
    const replaced = await mesh.ask('PUT', `/v1/given-certificates/${done.id}`, { body });
    assert.deepEqual([replaced.status, replaced.body.code], [409, 'certificate_ordered']);
    const deleted = await mesh.ask('DELETE', `/v1/given-certificates/${done.id}`);
    assert.deepEqual([deleted.status, deleted.body.code], [409, 'certificate_ordered']);
    const named = await ingress('other.example.net', done.id);
    assert.match(named.body.errors?.[0]?.detail ?? named.text, /name the authority/);
    const used = await mesh.ask('DELETE', `${AUTHORITIES}/${id}`);
    assert.deepEqual([used.status, used.body.code], [409, 'outside_authority_in_use']);

    assert.equal((await mesh.ask('DELETE', `/v1/ingress/${web.id}`)).status, 204);
    const kept = await mesh.ask('GET', `/v1/given-certificates/${done.id}`);
    assert.equal(kept.status, 200, 'it stays for some days');
    assert.equal((await mesh.ask('DELETE', `${AUTHORITIES}/${id}`)).status, 204);
    for (const path of [`/v1/given-certificates/${done.id}`, `${ORDERS}/${done.id}`, `${AUTHORITIES}/${id}`]) {
      assert.equal((await mesh.ask('GET', path)).status, 404);
    }
    const ended = async () =>
      (await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=outside_authorities.deactivate')).body.items;
    await mesh.until(async () => (await ended()).length > 0);
    assert.match((await ended())[0]?.detail ?? '', /deactivated$/);
  });

  it('go on with the same account after the master key was turned over', async () => {
    const { name, id } = await authority();
    assert.equal((await ingress('turned.example.net', name)).status, 201);
    const done = await comes('turned.example.net', 'issued');
    const serial = async () =>
      (await mesh.ask<GivenCertificate>('GET', `/v1/given-certificates/${done.id}`)).body.serial;
    const [before, account] = [await serial(), (await shown(id)).account];
    const file = join(mesh.folder, 'master-key');
    const old = (await readFile(file, 'utf8')).trim();
    const fresh = randomBytes(32).toString('base64url');
    await writeFile(file, `${fresh}\n${old}\n`, { mode: 0o600 });
    const turned = await mesh.ask('POST', '/v1/ca/rewrap');
    assert.equal(turned.status, 200, turned.text);
    await gateway.stop();
    await mesh.down();
    await writeFile(file, `${fresh}\n`, { mode: 0o600 });
    await mesh.up();
    await gateway.node.prove();
    await gateway.start(['show_challenge']);
    const retried = await mesh.ask('POST', `${ORDERS}/${done.id}/retry`);
    assert.equal(retried.status, 200, retried.text);
    await mesh.until(async () => (await serial()) !== before);
    assert.deepEqual((await shown(id)).account, account);
  });

  /** The gateway is there before and after. */
  const later = async (seconds: number) => {
    await gateway.stop();
    mesh.clock.advance(seconds);
    await gateway.node.prove();
    await gateway.start(['show_challenge']);
  };

  it('are renewed before their end, and go with their key some days after no ingress needs them', async () => {
    const { name } = await authority();
    const { body: web } = await ingress('renewed.example.net', name);
    const first = await comes('renewed.example.net', 'issued');
    const path = `/v1/given-certificates/${first.id}`;
    const { body: old } = await mesh.ask<GivenCertificate>('GET', path);
    await later((Date.parse(first.renewal?.at ?? '') - mesh.clock.now()) / 1000 + 1);
    await mesh.until(async () => (await mesh.ask<GivenCertificate>('GET', path)).body.serial !== old.serial);
    const { body: renewed } = await mesh.ask<GivenCertificate>('GET', path);
    assert.deepEqual([renewed.id, renewed.name, renewed.created_at], [old.id, old.name, old.created_at]);
    assert.notEqual(renewed.replaced_at, null);
    const next = await order('renewed.example.net');
    assert.ok(Date.parse(next.renewal?.at ?? '') > mesh.clock.now(), 'one that has just come is not renewed at once');

    await mesh.ask('PATCH', `/v1/ingress/${web.id}`, { body: { tls: { certificate: 'none' } } });
    await mesh.until(async () => (await order('renewed.example.net')).revision > next.revision); // it is noted from when
    await later(71 * HOUR_S);
    assert.equal((await mesh.ask('GET', path)).status, 200);
    await later(2 * HOUR_S);
    await mesh.until(async () => (await mesh.ask('GET', path)).status === 404);
    assert.equal((await mesh.ask('GET', `${ORDERS}/${first.id}`)).status, 404);
  });
});

it('an authority on this host or in a private network is not asked unless the operator says so', async () => {
  const mesh = await TestCoordinator.start();
  try {
    const body = { name: 'inside', directory: 'https://127.0.0.1:14000/dir', agree_terms: true };
    const { body: made } = await mesh.ask<OutsideAuthority>('POST', AUTHORITIES, { body });
    const path = `${AUTHORITIES}/${made.id}`;
    await mesh.until(async () => (await mesh.ask<OutsideAuthority>('GET', path)).body.account.problem !== null);
    const { body: seen } = await mesh.ask<OutsideAuthority>('GET', path);
    assert.match(seen.account.problem ?? '', /^127\.0\.0\.1:14000 is not asked: .*MESH_OUTBOUND_NETWORKS/);
    const plain = await mesh.ask('POST', AUTHORITIES, { body: { ...body, directory: 'http://example.net/dir' } });
    assert.equal(plain.status, 422);
    const refused = await mesh.ask('POST', AUTHORITIES, { body: { ...body, agree_terms: false } });
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [422, '/agree_terms']);
  } finally {
    await mesh.close();
  }
});
