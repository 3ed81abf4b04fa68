import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_TRAFFIC, type Ingress, UPSTREAM_PROTOCOLS, WHOLE_MESH } from '@meshwork/contract';
import fc from 'fast-check';
import { assertFaultsAreOf, faultsFrom } from '../../../test/faults.ts';
import {
  defaultsOf,
  mergedTraffic,
  ownPort,
  pathsOf,
  type WholeIngress,
  wholeIngress,
} from '../../mesh/whole-ingress.ts';
import { mergedIngress } from './merge-ingress.ts';
import { ensureSoundIngress } from './sound-ingress.ts';

const KINDS = ['http', 'tls', 'tcp', 'udp'] as const;
const some = <T>(...values: T[]) => fc.constantFrom(...values);
const partly = { requiredKeys: [] };

const network = some('10.0.0.0/8', '10.0.0.1/8', '2001:db8::/32', '::1/32', '999.0.0.0/8');
const header = fc.record({ name: some('X-A', 'x-a', 'Host', 'Via'), value: some('a.example', '', null) });
const traffic = fc.record(
  {
    networks: fc.record({ allow: fc.array(network), deny: fc.array(network) }, partly),
    limits: fc.record(
      {
        requests: some(null, { rate: '5/s', burst: 1 }),
        connections: some(null, 4),
        by: some('address' as const, 'identity' as const),
      },
      partly,
    ),
    request_headers: fc.array(header, { maxLength: 3 }),
    response_headers: fc.array(header, { maxLength: 2 }),
    max_body_bytes: some(null, 9),
    compress: fc.boolean(),
  },
  partly,
);
const upstream = fc.record(
  {
    protocol: some(...UPSTREAM_PROTOCOLS),
    balance: some('round_robin', 'hash:address', 'hash:path'),
    canary: some(null, { service: 'app', percent: 5 }, { service: 'next', percent: 5 }),
    proxy_protocol: fc.boolean(),
    check: fc.record({ kind: some('tcp' as const, 'http' as const, 'grpc' as const, 'none' as const) }, partly),
  },
  partly,
);
const path = some('/', '/a', '/a/b');
const tls = fc.record(
  {
    certificate: some('mesh' as const, 'none' as const),
    redirect: fc.boolean(),
    clients: some('none' as const, 'optional' as const, 'required' as const),
    client_names: some([], ['git-1.mesh'], ['*.mesh']),
  },
  partly,
);
const change = fc.record(
  {
    upstream,
    traffic,
    redirects: fc.array(fc.record({ path, to: path, status: some(302 as const), keep: fc.boolean() }), {
      maxLength: 2,
    }),
    maintenance: some(null, { message: 'x', retry_after_s: 1, allow: ['10.0.0.1/8'] }),
    proxies: some(null, { networks: [] as string[], header: 'X-A' }, { networks: ['10.0.0.0/8'], header: 'X-A' }),
    mesh_identity: fc.boolean(),
    routes: fc.array(
      fc.record({ path, service: some('app', 'api'), upstream, traffic }, { requiredKeys: ['path', 'service'] }),
      {
        maxLength: 2,
      },
    ),
    tls,
  },
  partly,
);
/** Few parts at once, or hardly any would be taken. */
const few = fc
  .tuple(
    change,
    fc.subarray(['upstream', 'traffic', 'redirects', 'maintenance', 'proxies', 'mesh_identity', 'routes', 'tls'], {
      maxLength: 2,
    }),
  )
  .map(([all, parts]) => Object.fromEntries(Object.entries(all).filter(([part]) => parts.includes(part))));
const any: fc.Arbitrary<WholeIngress> = fc
  .record({ kind: some(...KINDS), port: some(null, null, 80, 5432), service: some('app', 'app', null), few })
  .map(({ kind, port, service, few: said }) =>
    whole(kind, { port, service, ...mergedIngress(defaultsOf(kind), said) }),
  );
/** Rare among the others. */
const withTls = tls.map((said) => whole('http', mergedIngress(defaultsOf('http'), { tls: said })));
const ingress = fc.oneof({ weight: 4, arbitrary: any }, { weight: 1, arbitrary: withTls });

function whole(kind: Ingress['kind'], more: Partial<WholeIngress>): WholeIngress {
  const base = { name: 'app', hostname: 'app.example.net', service: 'app', scope: WHOLE_MESH, gateways: ['node:gw'] };
  return wholeIngress({ ...base, kind, replicas: 1, draining: false, created_at: '2026-11-15T09:00:00Z', ...more });
}

const faultsOf = (subject: WholeIngress) => faultsFrom(ensureSoundIngress, subject);

describe('an ingress of any kind', () => {
  it('is sound as it is by default, with a port where that is its own', () => {
    for (const kind of KINDS) {
      const port = kind === 'tcp' || kind === 'udp' ? 5432 : null;
      assert.deepEqual(faultsOf(whole(kind, { port })), [], kind);
    }
  });

  it('that is refused is so for something that it has, and each reason is there once', () => {
    fc.assert(
      fc.property(ingress, (subject) => {
        assertFaultsAreOf(subject, faultsOf(subject));
      }),
    );
  });

  it('that is taken has what its gateways need, and nothing that they could not do', () => {
    let [taken, asking] = [0, 0];
    fc.assert(
      fc.property(ingress, (subject) => {
        if (faultsOf(subject).length > 0) return;
        taken++;
        const { kind, redirects, tls } = subject;
        if (tls.clients !== 'none') assert.deepEqual([kind, tls.certificate], ['http', 'mesh']);
        else assert.deepEqual(tls.client_names, []);
        assert.ok(!tls.client_names.includes('*.mesh'));
        if (tls.clients === 'required') assert.ok(tls.redirect, 'no way around it');
        asking += tls.clients === 'required' ? 1 : 0;
        const paths = pathsOf(subject);
        const all = [...paths, ...redirects].map((one) => one.path);
        assert.equal(new Set(all).size, all.length, 'one answer for each path');
        assert.ok(all.includes('/'));
        assert.equal(ownPort(subject) !== null, kind === 'tcp' || kind === 'udp');
        for (const {
          upstream: { protocol },
          traffic: rules,
        } of paths) {
          assert.equal(['tcp', 'udp'].includes(protocol), kind !== 'http');
          if (protocol.startsWith('grpc')) assert.equal(tls.certificate, 'mesh');
          if (kind === 'http') continue;
          const { networks, limits, connect_timeout_s, idle_timeout_s } = rules;
          const blind = { networks, limits: { connections: limits.connections }, connect_timeout_s, idle_timeout_s };
          assert.deepEqual(rules, mergedTraffic(DEFAULT_TRAFFIC, blind));
          assert.deepEqual([paths.length, redirects.length, tls.certificate], [1, 0, 'none']);
        }
      }),
      { numRuns: 1000 },
    );
    assert.ok(taken > 50 && asking > 0, `${taken} were, ${asking} of them with certificates`);
  });
});
