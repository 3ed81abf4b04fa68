/** What each kind of ingress is given, what it needs, and what it cannot have. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DEFAULT_TRAFFIC, DEFAULT_UPSTREAM, type Ingress, type Problem } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';

describe('the kinds of ingresses', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  let made = 0;
  const create = (more: object = {}) => {
    const hostname = `host-${made++}.example.net`;
    const body = { name: 'app', hostname, service: 'app', gateways: ['tag:role:gateway'], ...more };
    return mesh.ask<Ingress & Problem>('POST', '/v1/ingress', { body });
  };
  const patch = ({ id }: Ingress, body: object) => mesh.ask<Ingress & Problem>('PATCH', `/v1/ingress/${id}`, { body });
  const faults = ({ status, body }: { status: number; body: Problem }) => [
    status,
    ...(body.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`),
  ];

  it('decide how gateways speak to a service, check it and show certificates, unless a caller says so', async () => {
    const given = async (more: object) => {
      const { status, body } = await create(more);
      assert.equal(status, 201, JSON.stringify(body));
      const { kind, port, upstream, tls, traffic } = body;
      const idle_timeout_s = kind === 'udp' ? 60 : DEFAULT_TRAFFIC.idle_timeout_s;
      assert.deepEqual(traffic, { ...DEFAULT_TRAFFIC, idle_timeout_s });
      return [kind, port, upstream.protocol, upstream.check.kind, tls.certificate, tls.redirect];
    };
    assert.deepEqual(await given({}), ['http', null, 'http', 'tcp', 'mesh', true]);
    assert.deepEqual(await given({ kind: 'tls' }), ['tls', null, 'tcp', 'tcp', 'none', false]);
    assert.deepEqual(await given({ kind: 'tcp', port: 5432 }), ['tcp', 5432, 'tcp', 'tcp', 'none', false]);
    assert.deepEqual(await given({ kind: 'udp', port: 53 }), ['udp', 53, 'udp', 'none', 'none', false]);
    const upstream = { balance: 'hash:address', proxy_protocol: true, check: { kind: 'none' } };
    const { body } = await create({ kind: 'tcp', port: 5433, upstream });
    assert.deepEqual(body.upstream, {
      ...DEFAULT_UPSTREAM,
      protocol: 'tcp',
      balance: 'hash:address',
      proxy_protocol: true,
      check: { ...DEFAULT_UPSTREAM.check, kind: 'none' },
    });
  });

  it('stay as they are', async () => {
    const ingress = (await create()).body;
    assert.equal((await patch(ingress, { kind: 'tls' })).status, 422);
  });

  it('have a port where they are known by it, and none where they are known by their host name', async () => {
    assert.deepEqual(faults(await create({ kind: 'tcp' })), [
      422,
      '/port is needed: an ingress of kind tcp is known by its port',
    ]);
    for (const port of [80, 443]) {
      assert.deepEqual(faults(await create({ kind: 'tcp', port })), [
        422,
        `/port ${port} is where gateways listen for HTTP and HTTPS; use another port, or the kind http or tls`,
      ]);
      assert.equal((await create({ kind: 'udp', port })).status, 201, 'gateways do not listen there by UDP');
    }
    for (const kind of ['http', 'tls']) {
      assert.deepEqual(faults(await create({ kind, port: 8080 })), [
        422,
        `/port is for the kinds tcp and udp; one of kind ${kind} is known by its host name`,
      ]);
    }
  });

  it('without requests have nothing that is about requests, and every fault is named', async () => {
    const got = await create({
      kind: 'tcp',
      port: 6000,
      upstream: { protocol: 'https', balance: 'hash:path', check: { kind: 'http' } },
      traffic: {
        limits: { requests: { rate: '20/s', burst: 40 } },
        request_headers: [{ name: 'X-Env', value: 'prod' }],
        response_headers: [{ name: 'Server', value: null }],
        max_body_bytes: 1000,
        compress: true,
      },
      redirects: [{ path: '/old', to: '/new', status: 308, keep: true }],
      maintenance: { message: 'Later.', retry_after_s: 300, allow: [] },
      proxies: { networks: ['10.0.0.0/8'], header: 'X-Forwarded-For' },
      routes: [{ path: '/api', service: 'api' }],
      tls: { certificate: 'mesh', redirect: true },
    });
    const why = 'gateways do not look into what passes for the kind tcp';
    assert.deepEqual(faults(got), [
      422,
      '/tls/certificate must be none: gateways end no TLS for the kind tcp',
      '/tls/redirect must be false: only the kind http redirects',
      '/maintenance must be null: gateways show no page to clients of the kind tcp',
      '/proxies must be null: gateways read no headers of the kind tcp',
      '/upstream/protocol must be tcp for the kind tcp',
      '/upstream/balance must be one of round_robin, least_connections, hash:address for the kind tcp',
      '/upstream/check/kind must be one of tcp, none for the kind tcp',
      `/traffic/limits/requests must be null: ${why}; limit connections instead`,
      `/traffic/request_headers must be empty: ${why}`,
      `/traffic/response_headers must be empty: ${why}`,
      `/traffic/max_body_bytes must be null: ${why}`,
      `/traffic/compress must be false: ${why}`,
      '/redirects must be empty: an ingress of kind tcp has no paths',
      '/routes must be empty: an ingress of kind tcp has no paths',
    ]);
    const traffic = {
      networks: { allow: ['10.0.0.0/8'], deny: ['10.1.0.0/16'] },
      limits: { connections: 5 },
      connect_timeout_s: 1,
      idle_timeout_s: 60,
    };
    assert.equal((await create({ kind: 'tcp', port: 6000, traffic })).status, 201);
    assert.equal((await create({ kind: 'udp', port: 6000, traffic })).status, 201);
  });

  it('tell a service the address of the client by the PROXY protocol for tcp and tls only', async () => {
    const upstream = { proxy_protocol: true };
    assert.equal((await create({ kind: 'tls', upstream })).status, 201);
    const fault = '/upstream/proxy_protocol must be false: it is for the kinds tcp and tls';
    assert.deepEqual(faults(await create({ upstream })), [422, fault]);
    assert.deepEqual(faults(await create({ kind: 'udp', port: 5000, upstream })), [422, fault]);
  });

  it('for gRPC need TLS, and only gRPC is checked by its health protocol', async () => {
    const upstream = { protocol: 'grpc', check: { kind: 'grpc', grpc_service: 'shop.v1.Cart' } };
    const ingress = await create({ upstream });
    assert.equal(ingress.status, 201);
    const fault = (at: string) =>
      `${at}/protocol "grpc" needs HTTP/2, which clients speak with TLS only; set tls.certificate to mesh`;
    assert.deepEqual(faults(await patch(ingress.body, { tls: { certificate: 'none' } })), [422, fault('/upstream')]);
    const routes = [{ path: '/api', service: 'api', upstream: { protocol: 'grpc' } }];
    assert.deepEqual(faults(await create({ routes, tls: { certificate: 'none' } })), [
      422,
      fault('/routes/0/upstream'),
    ]);
    assert.deepEqual(faults(await create({ upstream: { check: { kind: 'grpc' } } })), [
      422,
      '/upstream/check/kind "grpc" needs the protocol grpc or grpcs, which is http',
    ]);
    assert.deepEqual(faults(await create({ upstream: { protocol: 'tcp' } })), [
      422,
      '/upstream/protocol must be one of http, https, grpc, grpcs for the kind http',
    ]);
  });

  it('claim a host name for http and tls, and share it for tcp and udp', async () => {
    const hostname = 'shared.example.net';
    const web = await create({ hostname });
    assert.equal(web.status, 201);
    assert.equal((await create({ hostname, kind: 'tls' })).status, 409);
    const db = await create({ hostname, kind: 'tcp', port: 5434 });
    const dns = await create({ hostname, kind: 'udp', port: 5353 });
    assert.deepEqual([db.status, dns.status], [201, 201]);
    const gone = await mesh.ask('DELETE', `/v1/ingress/${db.body.id}`);
    assert.equal(gone.status, 204);
    assert.equal((await patch(dns.body, { hostname: 'other.example.net' })).status, 200);
    assert.equal((await create({ hostname })).status, 409, 'it is still that of the first');
    assert.equal((await patch(dns.body, { hostname })).status, 200);
    assert.equal((await mesh.ask('DELETE', `/v1/ingress/${web.body.id}`)).status, 204);
    assert.equal((await create({ hostname, kind: 'tls' })).status, 201);
  });

  it('need the right to the domain, whatever the kind', async () => {
    const owned = { domain_owners: { 'corp.example': ['scope:shop/*/*'] } };
    assert.equal((await mesh.ask('PUT', '/v1/acls', { body: owned })).status, 200);
    const { secret: token } = await mesh.token({
      role: 'owner',
      scope: { team: 'other', surface: '*', environment: '*' },
    });
    for (const kind of [{ kind: 'tcp', port: 7000 }, { kind: 'udp', port: 7000 }, { kind: 'tls' }, {}]) {
      const body = { name: 'x', hostname: 'db.corp.example', service: 'db', gateways: ['node:gw'], ...kind };
      const got = await mesh.ask('POST', '/v1/ingress', { body, token });
      assert.deepEqual([got.status, got.body.code], [403, 'not_owner'], JSON.stringify(kind));
    }
  });
});
