import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, OPERATIONS } from '@meshwork/contract';
import { addressOf, ingressText, serviceText, targetsUp } from './ingress-text.ts';

const example: Ingress = OPERATIONS['ingress.show'].example.answer;
const [target] = example.targets;
const [serving] = example.served_by;
assert.ok(target !== undefined && serving !== undefined);
const plain = { strong: (text: string) => text };
const textOf = (more: Partial<Ingress>) => ingressText({ ...example, ...more }, plain);

describe('an ingress in a terminal', () => {
  it('has an address with its scheme, and says what TLS does', () => {
    assert.match(textOf({}), /^address +https:\/\/git\.example\.net$/m);
    assert.match(textOf({}), /^TLS +certificate of the mesh CA, plain HTTP is redirected$/m);
    const open = textOf({ tls: { ...example.tls, certificate: 'none', redirect: false } });
    assert.match(open, /^address +http:\/\/git\.example\.net$/m);
    assert.match(open, /^TLS +off: plain HTTP only$/m);
    const served = { ...example, tls: { ...example.tls, redirect: false } };
    assert.equal(addressOf(served), 'https://git.example.net');
  });

  it('says which certificates clients have to show, if any', () => {
    assert.doesNotMatch(textOf({}), /client certificates/);
    const optional = { ...example.tls, clients: 'optional' } as const;
    assert.match(textOf({ tls: optional }), /^client certificates +optional, of the mesh CA$/m);
    const named = { ...example.tls, clients: 'required' as const, client_names: ['a.mesh', 'spiffe://mesh/node/b'] };
    assert.match(textOf({ tls: named }), /^client certificates +required, for a\.mesh, spiffe:\/\/mesh\/node\/b$/m);
  });

  it('of another kind than http has the address that programs connect to, and no TLS of the gateways', () => {
    const tls = { ...example.tls, certificate: 'none', redirect: false } as const;
    const passed = textOf({ kind: 'tls', tls });
    assert.match(passed, /^address +tls:\/\/git\.example\.net:443$/m);
    assert.match(passed, /^TLS +the service ends it$/m);
    for (const [kind, port] of [
      ['tcp', 5432],
      ['udp', 53],
    ] as const) {
      const text = textOf({ kind, port, tls });
      assert.match(text, new RegExp(`^address +${kind}://git\\.example\\.net:${port}$`, 'm'));
      assert.doesNotMatch(text, /^(TLS|PATH)/m);
      assert.match(text, /^git-http \(http\) +round_robin/m);
    }
  });

  it('has a line for each path, with how requests are spread and checked', () => {
    const upstream: Ingress['upstream'] = {
      protocol: 'https',
      balance: 'hash:cookie:session',
      weights: [{ nodes: 'node:web-3', weight: 5 }],
      canary: { service: 'git-next', percent: 5 },
      proxy_protocol: false,
      check: { ...DEFAULT_UPSTREAM.check, kind: 'http', path: '/healthz', body: 'ok' },
    };
    const { check } = DEFAULT_UPSTREAM;
    const grpc = { ...check, kind: 'grpc', grpc_service: 'shop.v1.Cart' } as const;
    const routes = [
      { path: '/api', service: 'api', upstream: DEFAULT_UPSTREAM, traffic: {} },
      {
        path: '/cart',
        service: 'cart',
        upstream: { ...DEFAULT_UPSTREAM, protocol: 'grpc' as const, check: grpc },
        traffic: {},
      },
      {
        path: '/raw',
        service: 'raw',
        upstream: { ...DEFAULT_UPSTREAM, protocol: 'tcp' as const, proxy_protocol: true },
        traffic: {},
      },
    ];
    const text = textOf({ upstream, routes });
    assert.match(text, /^\/cart +cart \(grpc\) .* grpc shop\.v1\.Cart every 5 s/m);
    assert.match(text, /^\/raw +raw \(tcp, PROXY protocol\) /m);
    assert.match(
      text,
      /^\/ +git-http \(https\) +hash:cookie:session +node:web-3=5 +git-next 5% +http \/healthz for 200-399 and "ok" every 5 s, timeout 2 s, up after 2, down after 3$/m,
    );
    assert.match(text, /^\/api +api \(http\) +round_robin +- +- +tcp every 5 s/m);
  });

  it('has no line for a rule that is as everywhere, and one for each that differs', () => {
    const rules = /^(allow|deny|request|connection|largest body|idle timeout|compression|maintenance|trusted|problem)/m;
    assert.doesNotMatch(textOf({}), rules);
    const traffic: Ingress['traffic'] = {
      networks: { allow: ['10.0.0.0/8'], deny: [] },
      limits: { requests: { rate: '20/s', burst: 40 }, connections: 10 },
      request_headers: [
        { name: 'X-Env', value: 'prod' },
        { name: 'X-Powered-By', value: null },
      ],
      response_headers: [],
      max_body_bytes: 50_000_000,
      connect_timeout_s: 3,
      idle_timeout_s: 60,
      compress: true,
    };
    const text = textOf({
      traffic,
      maintenance: { message: 'Back\nsoon.', retry_after_s: 300, allow: ['192.0.2.0/24'] },
      proxies: { networks: ['198.51.100.0/24'], header: 'X-Forwarded-For' },
      problem: 'It has 0 of 1 gateways: gw-1 is stale.',
    });
    assert.match(text, /^problem +It has 0 of 1 gateways: gw-1 is stale\.$/m);
    assert.match(text, /^maintenance +"Back soon\.", try again after 300 s; clients from 192\.0\.2\.0\/24 pass$/m);
    assert.match(text, /^trusted proxies +198\.51\.100\.0\/24 by X-Forwarded-For$/m);
    assert.match(text, /^allow +10\.0\.0\.0\/8$/m);
    assert.match(text, /^request limit +20\/s for each client at each gateway, and 40 more at once$/m);
    assert.match(text, /^connection limit +10 open for each client at each gateway$/m);
    assert.match(text, /^request headers +X-Env: prod, X-Powered-By removed$/m);
    assert.match(text, /^largest body +50\.0 MB$/m);
    assert.match(text, /^idle timeout +60 s$/m);
    assert.match(text, /^compression +gzip$/m);
    assert.doesNotMatch(text, /^(deny|response headers|connect timeout)/m);
  });

  it('has the rules that a route has of its own, also those that take one away', () => {
    const traffic = { networks: { allow: [] }, limits: { requests: null }, max_body_bytes: null, compress: false };
    const text = textOf({ routes: [{ path: '/api', service: 'api', upstream: DEFAULT_UPSTREAM, traffic }] });
    assert.match(text, /^PATH +RULE OF ITS OWN +VALUE$/m);
    assert.match(text, /^\/api +allow +all networks$/m);
    assert.match(text, /^\/api +request limit +none$/m);
    assert.doesNotMatch(text, /connection limit/);
    assert.match(text, /^\/api +largest body +any$/m);
    assert.match(text, /^\/api +compression +off$/m);
  });

  it('that leads to no service says where it redirects, and misses no target', () => {
    const redirects = [{ path: '/', to: 'https://new.example.net', status: 308 as const, keep: true }];
    const text = textOf({ service: null, redirects, targets: [] });
    assert.match(text, /^\/ +https:\/\/new\.example\.net +308 +yes$/m);
    assert.doesNotMatch(text, /^(targets|PATH +SERVICE)/m);
    assert.equal(serviceText({ service: null, routes: [] }), 'redirects');
    assert.equal(targetsUp({ ...example, service: null, targets: [] }), '-');
    assert.equal(serviceText({ ...example, routes: [] }), 'git-http');
  });

  it('says which target has a problem, and what each gateway finds of it', () => {
    const targets = [target, { ...target, name: 'git-2', problem: 'No grant lets gw-1 reach git-http.' }];
    const upstreams = [
      { service: 'git-http', node: target.node, state: 'down' as const, since: example.created_at, why: 'refused' },
    ];
    const assigned_to = [
      ...example.assigned_to,
      { node: 'node_x', name: 'gw-2', draining: true, drain: null, problem: 'It is stale.' },
    ];
    const text = textOf({ targets, assigned_to, served_by: [{ ...serving, upstreams }] });
    assert.match(text, /^git-http +git-2 +\S+:3000 +No grant lets gw-1 reach git-http\.$/m);
    assert.match(text, /^gw-1 +serving +3$/m);
    assert.match(text, /^gw-2 +not serving: It is stale\., draining +not reported$/m);
    assert.match(text, new RegExp(`^gw-1 +git-http +${target.name} +down +.* ago +refused$`, 'm'));
  });

  it('says how a drain goes, and what it cost', () => {
    const since = example.created_at;
    const begun = { since, deadline: '2026-11-15T10:00:00Z', drained_at: null, cut: 0 };
    const drainOf = (drain: Ingress['drain']) => /^drain +(.*)$/m.exec(textOf({ draining: true, drain }))?.[1] ?? '';
    assert.equal(drainOf(null), '');
    assert.equal(drainOf(begun), 'under way, what is open ends at 2026-11-15T10:00:00Z');
    assert.match(drainOf({ ...begun, deadline: null }), /without a deadline/);
    assert.match(drainOf({ ...begun, drained_at: since }), /^drained .*, by itself$/);
    assert.match(drainOf({ ...begun, drained_at: since, cut: 1 }), /^drained .*, at the deadline, 1 connection cut$/);
    const drain = { refuses: true, connections: 2, deadline: begun.deadline, cut: 3, problem: null };
    const assigned_to = example.assigned_to.map((gateway) => ({ ...gateway, draining: true, drain }));
    assert.match(textOf({ assigned_to, served_by: [] }), /^gw-1 +serving, draining +2 \(3 cut\)$/m);
  });

  it('without gateways or targets says so, and has no empty tables', () => {
    const text = textOf({ assigned_to: [], served_by: [], targets: [] });
    assert.match(text, /^served by +no gateway$/m);
    assert.match(text, /^targets +no node reports the service$/m);
    assert.doesNotMatch(text, /^(GATEWAY|SERVICE) /m);
  });

  it('counts a target that a gateway finds up', () => {
    assert.equal(targetsUp(example), '1 of 1 up');
    const barred = { ...target, node: 'node_2', problem: 'No grant.' };
    assert.equal(targetsUp({ ...example, targets: [target, barred] }), '1 of 2 up');
    assert.equal(targetsUp({ ...example, served_by: [{ ...serving, upstreams: null }] }), '0 of 1 up');
  });
});
