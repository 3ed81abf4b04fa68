/** Redirects of an ingress, also of one that leads to no service at all. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, type Problem, WHOLE_MESH } from '@meshwork/contract';
import fc from 'fast-check';
import { TestCoordinator } from '../../../test/harness.ts';
import { IngressWorld, web } from '../../../test/ingress-world.ts';
import { wholeIngress } from '../../mesh/whole-ingress.ts';
import { faultsOfRedirects } from './sound-redirects.ts';

describe('redirects of an ingress', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  let made = 0;
  const create = (more: object = {}) => {
    const hostname = `host-${made++}.example.net`;
    const body = { name: 'app', hostname, gateways: ['tag:role:gateway'], ...more };
    return mesh.ask<Ingress & Problem>('POST', '/v1/ingress', { body });
  };
  const patch = ({ id }: Ingress, body: object) => mesh.ask<Ingress & Problem>('PATCH', `/v1/ingress/${id}`, { body });
  const faults = ({ status, body }: { status: number; body: Problem }) => [
    status,
    ...(body.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`),
  ];
  const to = (path: string, place: string, keep = true) => ({ path, to: place, status: 308, keep });
  const HOME = to('/', 'https://new.example.net');

  it('of / stand in the place of a service, and only then there may be none', async () => {
    const got = await create({ redirects: [HOME], routes: [{ path: '/api', service: 'api' }] });
    assert.equal(got.status, 201);
    assert.deepEqual([got.body.service, got.body.targets, got.body.state], [null, [], 'unassigned']);
    const shown = await mesh.ask<{ items: Ingress[] }>('GET', '/v1/ingress?service=api');
    assert.deepEqual(
      shown.body.items.map(({ id }) => id),
      [got.body.id],
    );
    const needed = '/service is needed, unless a redirect of "/" sends all elsewhere';
    assert.deepEqual(faults(await create()), [422, needed]);
    assert.deepEqual(faults(await patch(got.body, { redirects: [] })), [422, needed]);
    assert.deepEqual(faults(await create({ kind: 'tls' })), [422, '/service is needed: the service that it leads to']);
    assert.deepEqual(faults(await patch(got.body, { service: 'app' })), [
      422,
      '/redirects/0/path "/" is what `service` is for; set that to null, or redirect a longer path',
    ]);
    const back = await patch(got.body, { service: 'app', redirects: [] });
    assert.deepEqual([back.status, back.body.service], [200, 'app']);
    const gone = await patch(got.body, { service: null, redirects: [HOME] });
    assert.deepEqual([gone.status, gone.body.service], [200, null]);
    const same = await patch(got.body, { service: null, redirects: [HOME], maintenance: null, proxies: null });
    assert.equal(same.body.revision, gone.body.revision, 'that is no change');
    const canary = { canary: { service: 'next', percent: 5 } };
    assert.deepEqual(faults(await patch(got.body, { upstream: canary })), [
      422,
      '/upstream/canary must be null: there is no service to take a share from',
    ]);
  });

  it('have a path of their own and a place that exists', async () => {
    const redirects = [
      to('/a', '/x'),
      to('/a', '/y'),
      to('/api', '/x'),
      to('/p', 'https://new.example.net:70000/x'),
      to('/q', '/search?q=1'),
      to('/r', '/search?q=1', false),
    ];
    const got = await create({ service: 'app', redirects, routes: [{ path: '/api', service: 'api' }] });
    assert.deepEqual(faults(got), [
      422,
      '/redirects/1/path "/a" is there twice',
      '/redirects/2/path "/api" is a route too; a path has one of them',
      '/redirects/3/to "https://new.example.net:70000/x" has the port 70000; a port is at most 65535',
      '/redirects/4/to "/search?q=1" has a query, behind which no path can be put; leave the query out, or set keep to false',
    ]);
  });

  it('never lead back to where they began', async () => {
    const round = async (redirects: object[], more: object = {}) => {
      const service = redirects.some((one) => 'path' in one && one.path === '/') ? {} : { service: 'app' };
      const got = await create({ hostname: `round-${made++}.example.net`, ...service, redirects, ...more });
      return faults(got).slice(1);
    };
    assert.deepEqual(await round([to('/old', '/old')]), ['/redirects/0/to "/old" leads back to "/old"']);
    assert.deepEqual(await round([to('/old', '/old/new')]), ['/redirects/0/to "/old/new" leads back to "/old"']);
    assert.deepEqual(await round([to('/old', '/old/new', false)]), ['/redirects/0/to "/old/new" leads back to "/old"']);
    assert.deepEqual(await round([to('/old', '/x/../%6fld')]), ['/redirects/0/to "/x/../%6fld" leads back to "/old"']);
    assert.deepEqual(await round([to('/', '/app')]), ['/redirects/0/to "/app" leads back to "/"']);
    assert.deepEqual(await round([to('/', 'https://Me.example.net/x')], { hostname: 'me.example.net' }), [
      '/redirects/0/to "https://Me.example.net/x" leads back to "/"',
    ]);
    assert.deepEqual(await round([to('/a', '/b'), to('/b', '/c'), to('/c', '/a')]), [
      '/redirects/0/to "/b" leads back to "/a" over other redirects',
      '/redirects/1/to "/c" leads back to "/b" over other redirects',
      '/redirects/2/to "/a" leads back to "/c" over other redirects',
    ]);
    assert.deepEqual(await round([to('/a', '/b'), to('/b/x', '/a/x')]), [
      '/redirects/1/to "/a/x" leads back to "/b/x" over other redirects',
    ]);
    assert.deepEqual(await round([to('/in', '/a'), to('/a', '/a/a')]), [
      '/redirects/0/to "/a" leads to redirects that never end',
      '/redirects/1/to "/a/a" leads back to "/a"',
    ]);
    assert.deepEqual(await round([to('/old', '/older')]), []);
    assert.deepEqual(await round([to('/old/path', '/old')]), []);
    assert.deepEqual(await round([to('/', '/app')], { routes: [{ path: '/app', service: 'app' }] }), []);
    assert.deepEqual(await round([to('/', 'https://me2.example.net:8443')], { hostname: 'me2.example.net' }), []);
  });

  it('of / leave gateways without a route for it, and nothing that they could miss', () => {
    const world = new IngressWorld();
    world.policy({ groups: { all: ['*'] }, grants: [{ from: 'all', to: 'all', allow: ['*'] }] });
    const gateway = world.node('gw', { tags: ['role:gateway'] });
    world.node('web-1', {}, [web()]);
    const id = 'ingress_01jcqvc37ee3xv9k7d0w8m2b4n';
    const redirects = [{ path: '/', to: 'https://new.example.net', status: 308 as const, keep: true }];
    world.ingress(id, { service: null, redirects }, gateway);
    const [sent] = world.sent(gateway);
    assert.deepEqual([sent?.routes, sent?.redirects], [[], redirects]);
    assert.deepEqual(world.targets(id), []);
  });

  const path = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }).map((parts) => `/${parts.join('/')}`);
  const redirects = fc.uniqueArray(
    fc.record({ path, to: path, status: fc.constant(308 as const), keep: fc.boolean() }),
    { selector: (one) => one.path, maxLength: 5 },
  );

  it('that are taken lead every client out', () => {
    fc.assert(
      fc.property(redirects, fc.uniqueArray(path, { maxLength: 2 }), path, (all, routes, start) => {
        const own = routes.filter((one) => one !== '/' && !all.some((redirect) => redirect.path === one));
        const ingress = wholeIngress({
          ...PLAIN,
          service: all.some((one) => one.path === '/') ? null : 'app',
          redirects: all,
          routes: own.map((one) => ({ path: one, service: 'app', upstream: DEFAULT_UPSTREAM })),
        });
        fc.pre(faultsOfRedirects(ingress).length === 0);
        const seen: string[] = [];
        for (let at: string | undefined = start; at !== undefined; at = follow(all, own, at)) {
          seen.push(at);
          assert.ok(seen.length < 50, seen.join(' '));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

const PLAIN = {
  name: 'app',
  hostname: 'app.example.net',
  scope: WHOLE_MESH,
  gateways: ['tag:role:gateway'],
  replicas: 1,
  draining: false,
  created_at: '2026-11-15T09:00:00Z',
};

/** As a client does that is sent on. Undefined: it gets an answer. */
function follow(redirects: Ingress['redirects'], routes: readonly string[], at: string): string | undefined {
  const parts = at.split('/').filter((part) => part !== '');
  for (let length = parts.length; length >= 0; length--) {
    const path = `/${parts.slice(0, length).join('/')}`;
    if (routes.includes(path)) return undefined;
    const found = redirects.find((one) => one.path === path);
    if (found === undefined) continue;
    const rest = found.keep ? parts.slice(length) : [];
    return `/${[...found.to.split('/').filter((part) => part !== ''), ...rest].join('/')}`;
  }
  return undefined;
}
