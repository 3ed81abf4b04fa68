/** What passes through an ingress: which rules make sense, and how those of a route lie over those of the ingress. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  DEFAULT_TRAFFIC,
  DEFAULT_UPSTREAM,
  GATEWAY_HEADERS,
  type Ingress,
  type Problem,
  type Traffic,
  type TrafficChange,
} from '@meshwork/contract';
import fc from 'fast-check';
import { TestCoordinator } from '../../../test/harness.ts';
import { IngressWorld } from '../../../test/ingress-world.ts';
import { mergedTraffic } from '../../mesh/whole-ingress.ts';

describe('the traffic of an ingress', () => {
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

  it('is changed by merge patch: networks and limits by their parts, lists whole', async () => {
    const requests = { rate: '20/s', burst: 40 };
    const { body } = await create({
      traffic: { networks: { allow: ['10.0.0.0/8'] }, limits: { requests }, idle_timeout_s: 60 },
    });
    assert.deepEqual(body.traffic, {
      ...DEFAULT_TRAFFIC,
      networks: { allow: ['10.0.0.0/8'], deny: [] },
      limits: { requests, connections: null },
      idle_timeout_s: 60,
    });
    const traffic = { networks: { deny: ['10.1.0.0/16'] }, limits: { connections: 3 }, compress: true };
    const second = (await patch(body, { traffic })).body;
    assert.deepEqual(second.traffic, {
      ...DEFAULT_TRAFFIC,
      networks: { allow: ['10.0.0.0/8'], deny: ['10.1.0.0/16'] },
      limits: { requests, connections: 3 },
      idle_timeout_s: 60,
      compress: true,
    });
    const third = (await patch(body, { traffic: { limits: { requests: null }, networks: { allow: [] } } })).body;
    assert.deepEqual(third.traffic.limits, { requests: null, connections: 3 });
    assert.deepEqual(third.traffic.networks, { allow: [], deny: ['10.1.0.0/16'] });
    assert.equal((await patch(body, { traffic: { compress: true } })).body.revision, third.revision, 'no change');
  });

  it('has networks that are some, in their one spelling', async () => {
    const allow = [
      '10.0.0.1/8',
      '300.0.0.0/8',
      '10.0.0.0/33',
      '2001:db8:0::/32',
      '2001:db8::1/32',
      '::ffff:10.0.0.0/104',
    ];
    assert.deepEqual(faults(await create({ traffic: { networks: { allow, deny: [] } } })), [
      422,
      '/traffic/networks/allow/0 "10.0.0.1/8" has a bit set behind its prefix, or another spelling than the shortest; 10.0.0.0/8 would be right',
      '/traffic/networks/allow/1 "300.0.0.0/8" is not a network such as 10.20.0.0/16 or 2001:db8::/32',
      '/traffic/networks/allow/2 "10.0.0.0/33" is not a network such as 10.20.0.0/16 or 2001:db8::/32',
      '/traffic/networks/allow/3 "2001:db8:0::/32" has a bit set behind its prefix, or another spelling than the shortest; 2001:db8::/32 would be right',
      '/traffic/networks/allow/4 "2001:db8::1/32" has a bit set behind its prefix, or another spelling than the shortest; 2001:db8::/32 would be right',
      '/traffic/networks/allow/5 "::ffff:10.0.0.0/104" is an IPv4 network written as IPv6; write it as IPv4',
    ]);
    const networks = { allow: ['10.0.0.0/8', '2001:db8::/32'], deny: ['10.0.0.0/8'] };
    assert.deepEqual(faults(await create({ traffic: { networks } })), [
      422,
      '/traffic/networks/deny/0 "10.0.0.0/8" is in allow too; name it in one of them',
    ]);
    assert.equal(
      (await create({ traffic: { networks: { allow: ['::/0', '0.0.0.0/0', '192.0.2.7/32'] } } })).status,
      201,
    );
    const maintenance = { message: 'Back soon.', retry_after_s: 300, allow: ['10.0.0.1/8'] };
    const proxies = { networks: [], header: 'X-Forwarded-Proto' };
    assert.deepEqual(faults(await create({ maintenance, proxies })), [
      422,
      '/maintenance/allow/0 "10.0.0.1/8" has a bit set behind its prefix, or another spelling than the shortest; 10.0.0.0/8 would be right',
      '/proxies/header "X-Forwarded-Proto" has no address of a client in it; X-Forwarded-For or X-Real-IP would',
      '/proxies/networks is empty; name the proxies, or set proxies to null',
    ]);
  });

  it('changes headers that are not of the gateways, each once', async () => {
    const rule = (name: string, value: string | null = 'x') => ({ name, value });
    const got = await create({
      traffic: {
        request_headers: [rule('X-Env'), rule('x-env'), rule('Host', null), rule('Connection')],
        response_headers: [rule('Server', null), rule('SERVER'), rule('Host', 'a.example')],
      },
      routes: [{ path: '/api', service: 'api', traffic: { request_headers: [rule('X-Real-IP')] } }],
    });
    assert.deepEqual(faults(got), [
      422,
      '/traffic/request_headers/1/name "x-env" is there twice',
      '/traffic/request_headers/2/value must be a host for "Host", such as app.example.net or app:8080',
      '/traffic/request_headers/3/name "Connection" is made by gateways themselves; no rule changes it',
      '/traffic/response_headers/1/name "SERVER" is there twice',
      '/traffic/response_headers/2/name "Host" is a header of requests only',
      '/routes/0/traffic/request_headers/0/name "X-Real-IP" is made by gateways themselves; no rule changes it',
    ]);
    for (const name of GATEWAY_HEADERS) {
      const { status } = await create({ traffic: { response_headers: [rule(name.toUpperCase())] } });
      assert.equal(status, 422, name);
    }
    const host = async (value: string) =>
      (await create({ traffic: { request_headers: [rule('Host', value)] } })).status;
    for (const value of ['app', 'app.example.net', 'app:8080', '10.0.0.1:80'])
      assert.equal(await host(value), 201, value);
    for (const value of ['', 'a b', 'app:99999', 'app:0', 'http://app', 'app/x', '-a', '$host']) {
      assert.equal(await host(value), 422, value);
    }
  });

  it('of a route is that of the ingress with what the route says, and goes to gateways whole', () => {
    const world = new IngressWorld();
    const gateway = world.node('gw', { tags: ['role:gateway'] });
    const traffic: Traffic = {
      ...DEFAULT_TRAFFIC,
      networks: { allow: ['10.0.0.0/8'], deny: ['10.1.0.0/16'] },
      limits: { requests: { rate: '20/s', burst: 0 }, connections: 7 },
      request_headers: [{ name: 'X-Env', value: 'prod' }],
      compress: true,
    };
    const own: TrafficChange = { networks: { allow: [] }, limits: { requests: null }, request_headers: [] };
    const routes = [{ path: '/api', service: 'api', upstream: DEFAULT_UPSTREAM, traffic: own }];
    world.ingress('ingress_01jcqvc37ee3xv9k7d0w8m2b4n', { traffic, routes }, gateway);
    assert.deepEqual(
      world.sent(gateway)[0]?.routes.map((route) => [route.path, route.traffic]),
      [
        ['/', traffic],
        [
          '/api',
          {
            ...traffic,
            networks: { allow: [], deny: ['10.1.0.0/16'] },
            limits: { requests: null, connections: 7 },
            request_headers: [],
          },
        ],
      ],
    );
  });

  const network = fc.constantFrom('10.0.0.0/8', '192.0.2.0/24', '2001:db8::/32');
  const headers = fc.array(fc.record({ name: fc.constantFrom('X-A', 'X-B'), value: fc.constantFrom('1', null) }), {
    maxLength: 2,
  });
  const change: fc.Arbitrary<TrafficChange> = fc.record(
    {
      networks: fc.record({ allow: fc.array(network), deny: fc.array(network) }, { requiredKeys: [] }),
      limits: fc.record(
        { requests: fc.constantFrom(null, { rate: '5/s', burst: 1 }), connections: fc.constantFrom(null, 4) },
        { requiredKeys: [] },
      ),
      request_headers: headers,
      response_headers: headers,
      max_body_bytes: fc.constantFrom(null, 0, 9),
      connect_timeout_s: fc.integer({ min: 1, max: 60 }),
      idle_timeout_s: fc.integer({ min: 1, max: 60 }),
      compress: fc.boolean(),
    },
    { requiredKeys: [] },
  );

  it('has what was said last of each part, and nothing changes by saying it again', () => {
    fc.assert(
      fc.property(change, change, (first, second) => {
        const under = mergedTraffic(DEFAULT_TRAFFIC, first);
        const merged = mergedTraffic(under, second);
        assert.deepEqual(mergedTraffic(merged, second), merged);
        assert.deepEqual(mergedTraffic(DEFAULT_TRAFFIC, merged), merged);
        assert.deepEqual(mergedTraffic(under, {}), under);
        assert.deepEqual(Object.keys(merged).sort(), Object.keys(DEFAULT_TRAFFIC).sort());
        for (const part of ['networks', 'limits'] as const) {
          assert.deepEqual(merged[part], { ...under[part], ...second[part] });
        }
        for (const key of ['request_headers', 'max_body_bytes', 'idle_timeout_s', 'compress'] as const) {
          assert.deepEqual(merged[key], key in second ? second[key] : under[key]);
        }
      }),
    );
  });
});
