import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, OPERATIONS } from '@meshwork/contract';
import {
  balanceWords,
  checkWords,
  clientsWords,
  connectionsOf,
  leadWords,
  lossWords,
  questionOf,
  targetWords,
  tlsWords,
} from './ingress-words.ts';

const example: Ingress = OPERATIONS['ingress.show'].example.answer;
const [target] = example.targets;
const [serving] = example.served_by;
assert.ok(target !== undefined && serving !== undefined);
const ingress = (more: Partial<Ingress>): Ingress => ({ ...example, ...more });
const finds = (state: 'up' | 'down') => [
  {
    ...serving,
    upstreams: [{ service: target.service, node: target.node, state, since: example.created_at, why: null }],
  },
];

test('an ingress leads to its service, or sends all elsewhere', () => {
  assert.equal(leadWords(example), 'git-http');
  const redirect = { path: '/', to: 'https://new.example.net', status: 308, keep: true } as const;
  assert.equal(leadWords({ service: null, redirects: [redirect] }), 'Redirects to https://new.example.net');
  assert.equal(leadWords({ service: 'git-http', redirects: [{ ...redirect, path: '/old' }] }), 'git-http');
});

const barred = { ...target, name: 'git-2', node: 'node_2', problem: 'No grant lets gw-1 reach it.' };

test('a target is up where a gateway finds that it answers', () => {
  assert.equal(targetWords(example), '1 of 1 up');
  assert.equal(targetWords(ingress({ served_by: finds('down') })), '0 of 1 up');
  assert.equal(targetWords(ingress({ targets: [target, barred] })), '1 of 2 up');
  const partly = { ...target, problem: 'No grant lets gw-2 reach it.' };
  assert.equal(targetWords(ingress({ targets: [partly] })), '1 of 1 up', 'one gateway reaches it');
  assert.equal(targetWords(ingress({ served_by: [{ ...serving, upstreams: null }] })), '0 of 1 up');
  assert.equal(targetWords(ingress({ targets: [] })), 'None');
});

test('connections are those of all gateways, and unknown when none has reported', () => {
  const other = { ...serving, connections: 4 };
  assert.equal(connectionsOf({ served_by: [serving, other, { ...serving, connections: null }] }), 7);
  assert.equal(connectionsOf({ served_by: [{ ...serving, connections: null }] }), null);
  assert.equal(connectionsOf({ served_by: [] }), null);
});

test('balancing and checks are in words', () => {
  assert.deepEqual(
    ['round_robin', 'hash:address', 'hash:header:X-Tenant', 'hash:cookie:session', 'someday'].map(balanceWords),
    ['Round robin', 'By client address', 'By header X-Tenant', 'By cookie session', 'someday'],
  );
  const { check } = DEFAULT_UPSTREAM;
  assert.equal(checkWords(check), 'TCP every 5 s');
  assert.equal(checkWords({ ...check, kind: 'none' }), 'Not checked');
  const http = { ...check, kind: 'http', path: '/healthz', body: 'ok' } as const;
  assert.equal(checkWords(http), 'GET /healthz every 5 s, expects 200-399 with “ok”');
  assert.equal(checkWords({ ...check, kind: 'grpc' }), 'gRPC health every 5 s');
  const named = { ...check, kind: 'grpc', grpc_service: 'shop.Cart' } as const;
  assert.equal(checkWords(named), 'gRPC health of shop.Cart every 5 s');
});

test('TLS ends at the gateway, at the service, or means nothing', () => {
  assert.equal(tlsWords(example), 'Certificate by the mesh CA, plain HTTP is redirected');
  const given = { ...example.tls, certificate: 'given_01jcqvd51xf1b8x0v4q6k3j9zt', redirect: false };
  assert.equal(tlsWords({ ...example, tls: given }), 'Given certificate, plain HTTP is served too');
  assert.equal(clientsWords(example.tls), null);
  assert.equal(clientsWords({ ...example.tls, clients: 'required' }), 'Required, by the mesh CA');
  const named = { ...example.tls, clients: 'optional' as const, client_names: ['git-1.mesh', 'spiffe://mesh/node/a'] };
  assert.equal(clientsWords(named), 'Optional, for git-1.mesh, spiffe://mesh/node/a');
  assert.equal(tlsWords({ ...example, kind: 'tls' }), 'Passed through to the service, which ends it');
  assert.equal(tlsWords({ ...example, kind: 'udp' }), null);
});

test('deleting says what ends, and offers to drain only where that helps', () => {
  assert.match(lossWords(example), /3 open connections end\. Drain it first/);
  assert.doesNotMatch(lossWords(ingress({ draining: true })), /Drain it first/);
  assert.doesNotMatch(lossWords(ingress({ served_by: [] })), /open connection/);
  assert.match(lossWords(ingress({ kind: 'tcp', port: 5432 })), /^TCP port 5432 of its gateways stops answering/);
  assert.doesNotMatch(lossWords(ingress({ kind: 'tls' })), /certificates/);
});

test('a target that cannot be reached is asked about from the gateway that its problem names', () => {
  const gateways = ['gw-1', 'gw-2'].map((name) => ({
    node: `node_${name}`,
    name,
    draining: false,
    drain: null,
    problem: null,
  }));
  const refused = { ...target, problem: 'No grant lets gw-2 reach it.' };
  const asked = { to: target.name, port: 'tcp:3000' };
  assert.deepEqual(questionOf({ kind: 'http', assigned_to: gateways }, refused), { from: 'gw-2', ...asked });
  assert.deepEqual(questionOf({ kind: 'http', assigned_to: gateways }, target), { from: 'gw-1', ...asked });
  assert.equal(questionOf({ kind: 'udp', assigned_to: gateways }, target)?.port, 'udp:3000');
  assert.equal(questionOf({ kind: 'http', assigned_to: [] }, target), null);
});
