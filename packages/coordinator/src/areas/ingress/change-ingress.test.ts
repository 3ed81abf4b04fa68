import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, type Problem } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';

describe('what an ingress leads to', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  let made = 0;
  const create = (more: object = {}) => {
    const body = {
      name: 'web',
      hostname: `host-${made++}.example.net`,
      service: 'web',
      gateways: ['tag:role:gateway'],
    };
    return mesh.ask<Ingress & Problem>('POST', '/v1/ingress', { body: { ...body, ...more } });
  };
  const patch = ({ id }: Ingress, body: object) => mesh.ask<Ingress & Problem>('PATCH', `/v1/ingress/${id}`, { body });
  const faults = ({ status, body }: { status: number; body: Problem }) => [
    status,
    ...(body.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`),
  ];

  it('is filled in where a caller names only what differs', async () => {
    const { status, body } = await create({
      upstream: { balance: 'hash:cookie:session', check: { kind: 'http', path: '/healthz' } },
      routes: [{ path: '/api', service: 'api', upstream: { protocol: 'https' } }],
      tls: { redirect: false },
    });
    assert.equal(status, 201);
    const check = { ...DEFAULT_UPSTREAM.check, kind: 'http', path: '/healthz' };
    assert.deepEqual(body.upstream, { ...DEFAULT_UPSTREAM, balance: 'hash:cookie:session', check });
    const upstream = { ...DEFAULT_UPSTREAM, protocol: 'https' };
    assert.deepEqual(body.routes, [{ path: '/api', service: 'api', upstream, traffic: {} }]);
    assert.deepEqual(body.tls, { certificate: 'mesh', redirect: false, clients: 'none', client_names: [] });
  });

  it('is changed by merge patch: fields below fields stay, lists are replaced, null takes the canary away', async () => {
    const ingress = (
      await create({
        upstream: {
          weights: [{ nodes: 'node:web-1', weight: 5 }],
          canary: { service: 'web-next', percent: 10 },
          check: { kind: 'http', status: '200' },
        },
        routes: [{ path: '/api', service: 'api' }],
      })
    ).body;
    const first = (await patch(ingress, { upstream: { check: { path: '/ready' } }, tls: { redirect: false } })).body;
    assert.deepEqual(first.upstream.check, { ...DEFAULT_UPSTREAM.check, kind: 'http', status: '200', path: '/ready' });
    assert.deepEqual(first.upstream.canary, { service: 'web-next', percent: 10 });
    assert.deepEqual(
      [first.routes, first.tls],
      [ingress.routes, { certificate: 'mesh', redirect: false, clients: 'none', client_names: [] }],
    );
    const weights = [{ nodes: 'tag:size:large', weight: 2 }];
    const second = (await patch(ingress, { upstream: { weights, canary: null }, routes: [] })).body;
    assert.deepEqual([second.upstream.weights, second.upstream.canary, second.routes], [weights, null, []]);
    assert.equal(second.upstream.check.path, '/ready');
    const same = (await patch(ingress, { upstream: { check: { path: '/ready' } }, routes: [], tls: {} })).body;
    assert.equal(same.revision, second.revision, 'that is no change');
  });

  it('is refused where it makes no sense, with every fault at its place', async () => {
    const got = await create({
      upstream: {
        canary: { service: 'web', percent: 5 },
        check: { status: '399-200', interval_s: 2, timeout_s: 3 },
        weights: [
          { nodes: 'node:web-1', weight: 1 },
          { nodes: 'node:web-1', weight: 2 },
        ],
      },
      routes: [
        { path: '/', service: 'api' },
        { path: '/api', service: 'api', upstream: { canary: { service: 'api', percent: 5 } } },
        { path: '/api', service: 'other' },
      ],
    });
    assert.deepEqual(faults(got), [
      422,
      '/upstream/canary/service "web" must be another service than the first',
      '/upstream/check/status "399-200" ends below its start',
      '/upstream/check/timeout_s must be at most interval_s, which is 2',
      '/upstream/weights/1/nodes "node:web-1" is there twice',
      '/routes/0/path "/" is what `service` is for',
      '/routes/1/upstream/canary/service "api" must be another service than the first',
      '/routes/2/path "/api" is there twice',
    ]);
    assert.equal(got.body.code, 'invalid');
  });

  it('is refused where a patch and what was there make no sense together', async () => {
    const ingress = (await create({ upstream: { canary: { service: 'web-next', percent: 5 } } })).body;
    assert.deepEqual(faults(await patch(ingress, { service: 'web-next' })), [
      422,
      '/upstream/canary/service "web-next" must be another service than the first',
    ]);
    const slow = faults(await patch(ingress, { upstream: { check: { timeout_s: 6 } } }));
    assert.deepEqual(slow, [422, '/upstream/check/timeout_s must be at most interval_s, which is 5']);
    const shown = await mesh.ask<Ingress>('GET', `/v1/ingress/${ingress.id}`);
    assert.equal(shown.body.revision, ingress.revision);
  });

  it('has paths that a server cannot take for something else', async () => {
    for (const path of [
      'api',
      '/api/',
      '//api',
      '/a/../b',
      '/.git',
      '/a b',
      '/a;b',
      '/a{',
      '/a"',
      '/a$x',
      '/%2e',
      '',
    ]) {
      assert.equal((await create({ routes: [{ path, service: 'api' }] })).status, 422, path);
    }
    assert.equal((await create({ routes: [{ path: '/api/v1.2/_x', service: 'api' }] })).status, 201);
  });

  it('has one spelling of a host name, so that no two ingresses can have it', async () => {
    assert.equal((await create({ hostname: 'one.example.net' })).status, 201);
    for (const hostname of ['One.example.net', 'ONE.EXAMPLE.NET', 'one.example.net.']) {
      assert.equal((await create({ hostname })).status, 422, hostname);
    }
  });

  it('is found by every service of it', async () => {
    const { id } = (
      await create({
        service: 'shop',
        upstream: { canary: { service: 'shop-next', percent: 1 } },
        routes: [{ path: '/pay', service: 'payments', upstream: { canary: { service: 'payments-next', percent: 1 } } }],
      })
    ).body;
    for (const service of ['shop', 'shop-next', 'payments', 'payments-next']) {
      const { items } = (await mesh.ask<{ items: Ingress[] }>('GET', `/v1/ingress?service=${service}`)).body;
      assert.deepEqual(
        items.map((ingress) => ingress.id),
        [id],
        service,
      );
    }
  });
});
