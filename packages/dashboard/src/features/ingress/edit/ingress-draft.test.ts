import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, OPERATIONS, type Upstream } from '@meshwork/contract';
import {
  bodyOf,
  changesOf,
  draftOf,
  isComplete,
  newDraft,
  newIngressOf,
  ofKind,
  withCertificate,
  withClients,
  withRoute,
} from './ingress-draft.ts';
import { balanceOf, checkFor, checksFor, EMPTY, partsOfBalance, weightsProblem } from './upstream-draft.ts';

const scope = { team: '*', surface: '*', environment: '*' };
const upstream: Upstream = {
  ...DEFAULT_UPSTREAM,
  balance: 'hash:cookie:session',
  weights: [{ nodes: 'tag:size:large', weight: 5 }],
  canary: { service: 'git-next', percent: 10 },
};
const redirect = { path: '/old', to: '/new', status: 301, keep: true } as const;
const ingress: Ingress = {
  ...OPERATIONS['ingress.show'].example.answer,
  upstream,
  waf: 'waf_01jcqvc37ee3xv9k7d0w8m2b4n',
  routes: [
    { path: '/api', service: 'git-api', upstream: DEFAULT_UPSTREAM, traffic: { compress: true }, waf: null },
    { path: '/raw', service: 'git-raw', upstream: DEFAULT_UPSTREAM, traffic: {} },
  ],
  redirects: [redirect],
  proxies: { networks: ['203.0.113.0/24'], header: 'X-Forwarded-For' },
  mesh_identity: true,
  counted: false,
  sign_in: { session_s: 3600, groups: ['staff'], people: ['ada'], open: ['/hooks'], nodes: false },
  maintenance: { message: 'Back at ten.', retry_after_s: 600, allow: [] },
};
const draft = draftOf(ingress);

describe('a draft of an ingress', () => {
  test('holds all that a person decides, and gives it back as it was', () => {
    const { kind, name, hostname, port, service, routes, tls, gateways, replicas } = ingress;
    const { traffic, redirects, maintenance, proxies, mesh_identity, counted, sign_in, waf } = ingress;
    assert.deepEqual(bodyOf(draft), {
      ...{ kind, name, hostname, port, service, upstream, routes, tls, gateways, replicas },
      ...{ traffic, redirects, maintenance, proxies, mesh_identity, counted, sign_in, waf, scope: ingress.scope },
    });
  });

  test('is complete with a name, a host name, a service and a gateway', () => {
    assert.equal(isComplete(newDraft(scope)), false);
    const least = { ...newDraft(scope), name: 'a', hostname: 'a.example', service: 'web', gateways: ['node:gw-1'] };
    assert.equal(isComplete(least), true);
    assert.equal(isComplete({ ...least, gateways: [] }), false);
    assert.equal(isComplete({ ...least, replicas: EMPTY }), false);
    assert.equal(isComplete(withRoute(least)), false, 'the new route has no path yet');
    assert.equal(isComplete({ ...least, upstream: { ...least.upstream, balance: 'hash:header:' } }), false);
    assert.equal(isComplete({ ...least, upstream: { ...least.upstream, weights: ['node:web-1'] } }), false);
    assert.equal(isComplete({ ...least, upstream: { ...least.upstream, canary: 'next', percent: EMPTY } }), false);
    assert.equal(isComplete({ ...least, traffic: { ...least.traffic, max_body: 'much' } }), false);
  });

  test('needs no service where a redirect sends all elsewhere, and a port where its kind has one', () => {
    const least = { ...newDraft(scope), name: 'a', hostname: 'a.example', gateways: ['node:gw-1'] };
    const to = (path: string, place: string) => ({ ...redirect, key: 0, path, to: place });
    assert.equal(isComplete({ ...least, redirects: [to('/old', '/new')] }), false);
    assert.equal(isComplete({ ...least, redirects: [to('/', 'https://b.example')] }), true);
    assert.equal(isComplete({ ...least, redirects: [to('/', '')] }), false);
    assert.equal(
      isComplete({ ...least, service: 'web', redirects: [to('/', 'https://b.example')] }),
      false,
      'not both',
    );
    const tcp = ofKind({ ...least, service: 'db' }, 'tcp');
    assert.equal(isComplete(tcp), false);
    assert.equal(isComplete({ ...tcp, port: 5432 }), true);
    assert.equal(isComplete(ofKind({ ...tcp, port: 5432 }, 'tls')), true);
  });

  test('sends only what is other than before, and never the scope', () => {
    const before = bodyOf(draft);
    assert.deepEqual(changesOf(before, before), {});
    const now = bodyOf({ ...draft, replicas: 2, upstream: { ...draft.upstream, canary: '' }, scope });
    assert.deepEqual(changesOf(now, before), { replicas: 2, upstream: { canary: null } });
    const inside = bodyOf({ ...draft, traffic: { ...draft.traffic, allow: ['10.0.0.0/8'] } });
    assert.deepEqual(changesOf(inside, before), { traffic: { networks: { allow: ['10.0.0.0/8'] } } });
    assert.deepEqual(changesOf(bodyOf({ ...draft, service: '' }), before), { service: null });
    assert.deepEqual(changesOf(bodyOf({ ...draft, routes: [] }), before), { routes: [] });
  });

  test('of a new one sends what it needs, and nothing that is the default of its kind', () => {
    const filled = { name: 'db', hostname: 'db.example', service: 'postgres', gateways: ['node:gw-1'] };
    const least = { ...newDraft(scope), ...filled };
    assert.deepEqual(newIngressOf(bodyOf(least)), { ...filled, scope });
    const tcp = { ...ofKind(least, 'tcp'), port: 5432 };
    assert.deepEqual(newIngressOf(bodyOf(tcp)), { ...filled, kind: 'tcp', port: 5432, scope });
    const proxied = { ...tcp, upstream: { ...tcp.upstream, proxy_protocol: true } };
    assert.deepEqual(newIngressOf(bodyOf(proxied)).upstream, { proxy_protocol: true });
    const elsewhere = { ...least, service: '', redirects: [{ ...redirect, key: 0, path: '/' }] };
    const sent = newIngressOf(bodyOf(elsewhere));
    assert.deepEqual([sent.redirects, 'service' in sent], [[{ ...redirect, path: '/' }], false]);
  });

  test('of another kind keeps what both have', () => {
    const { kind, name, hostname, service, routes, redirects, gateways, upstream: spoken } = ofKind(draft, 'udp');
    assert.deepEqual([kind, name, hostname, service], ['udp', draft.name, draft.hostname, draft.service]);
    assert.deepEqual([routes, redirects, gateways], [[], [], draft.gateways]);
    assert.deepEqual([spoken.protocol, spoken.check.kind], ['udp', 'none']);
  });

  test('gives each new row a key that no other has', () => {
    const keys = withRoute(withRoute(draft)).routes.map(({ key }) => key);
    assert.equal(new Set(keys).size, 4);
  });
});

test('balancing has a kind, and a name where that needs one', () => {
  assert.deepEqual(partsOfBalance('hash:cookie:session'), { kind: 'hash:cookie', name: 'session' });
  assert.deepEqual(partsOfBalance('hash:header:'), { kind: 'hash:header', name: '' });
  assert.deepEqual(partsOfBalance('least_connections'), { kind: 'least_connections', name: null });
  assert.equal(balanceOf('hash:header', 'X-Tenant'), 'hash:header:X-Tenant');
  assert.equal(balanceOf('hash:path', 'left over'), 'hash:path');
});

test('where certificates of clients are required, there is no plain HTTP; where none are asked for, none has a name', () => {
  const named = { ...newDraft(scope).tls, redirect: false, client_names: ['git-1.mesh'] };
  assert.deepEqual(withClients(named, 'optional'), { ...named, clients: 'optional' });
  const required = withClients(named, 'required');
  assert.deepEqual(required, { ...named, clients: 'required', redirect: true });
  assert.deepEqual(withClients(required, 'none'), { ...required, clients: 'none', client_names: [] });
  const off = { ...required, certificate: 'none', clients: 'none', client_names: [] };
  assert.deepEqual(withCertificate(required, 'none'), off);
  assert.deepEqual(withCertificate(required, 'mesh'), required);
});

test('weights are typed as a selector and a share', () => {
  assert.equal(weightsProblem(['node:web-3=5', 'tag:size:large=0']), null);
  for (const wrong of ['node:web-3', 'node:web-3=101', '=5']) {
    assert.match(weightsProblem([wrong]) ?? '', /is not a weight/, wrong);
  }
});

test('a check by gRPC is for services that speak it', () => {
  assert.deepEqual(checksFor('http', 'grpcs'), ['tcp', 'http', 'grpc', 'none']);
  assert.equal(checksFor('http', 'https').includes('grpc'), false);
  assert.deepEqual(checksFor('udp', 'udp'), ['tcp', 'none']);
  const check = { ...DEFAULT_UPSTREAM.check, kind: 'grpc' } as const;
  assert.deepEqual([checkFor('grpcs', check).kind, checkFor('http', check).kind], ['grpc', 'tcp']);
});
