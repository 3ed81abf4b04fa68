import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_TRAFFIC, DEFAULT_UPSTREAM, WHOLE_MESH } from '@meshwork/contract';
import type { IngressDocument, UpstreamDocument } from '../kinds/ingress.ts';
import { ownPort, servicesOf, wholeIngress } from './whole-ingress.ts';

const FIRST: IngressDocument = {
  name: 'web',
  hostname: 'web.example.net',
  service: 'web',
  scope: WHOLE_MESH,
  gateways: ['tag:role:gateway'],
  replicas: 1,
  draining: false,
  created_at: '2026-11-15T09:00:00Z',
};

describe('a whole ingress', () => {
  it('of 0.1.0 is for HTTP, with everything as a new one has it', () => {
    assert.deepEqual(wholeIngress(FIRST), {
      ...FIRST,
      kind: 'http',
      port: null,
      upstream: DEFAULT_UPSTREAM,
      traffic: DEFAULT_TRAFFIC,
      redirects: [],
      maintenance: null,
      mesh_identity: false,
      counted: true,
      sign_in: null,
      proxies: null,
      waf: null,
      routes: [],
      tls: { certificate: 'mesh', redirect: true, clients: 'none', client_names: [] },
    });
    assert.equal(ownPort(FIRST), null);
    assert.deepEqual(servicesOf(FIRST), ['web']);
  });

  it('from before certificates of clients were checked asks for none', () => {
    const tls = { certificate: 'mesh', redirect: false } as const;
    assert.deepEqual(wholeIngress({ ...FIRST, tls }).tls, { ...tls, clients: 'none', client_names: [] });
  });

  it('from before there was gRPC keeps what it says, and has no part of what it could not say', () => {
    const { proxy_protocol: _proxy, check, ...rest } = DEFAULT_UPSTREAM;
    const { grpc_service: _service, ...older } = check;
    const upstream: UpstreamDocument = {
      ...rest,
      balance: 'hash:path',
      check: { ...older, kind: 'http', path: '/up' },
    };
    const whole = wholeIngress({ ...FIRST, upstream, routes: [{ path: '/api', service: 'api', upstream }] });
    const expected = { ...DEFAULT_UPSTREAM, balance: 'hash:path', check: { ...check, kind: 'http', path: '/up' } };
    assert.deepEqual(whole.upstream, expected);
    assert.deepEqual(whole.routes, [{ path: '/api', service: 'api', upstream: expected, traffic: {} }]);
  });

  it('stays what it is', () => {
    const whole = wholeIngress({ ...FIRST, kind: 'udp', port: 53 });
    assert.deepEqual(wholeIngress(whole), whole);
    assert.equal(ownPort(whole), 'udp:53');
  });
});
