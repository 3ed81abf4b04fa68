import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, OPERATIONS } from '@meshwork/contract';
import {
  addressOf,
  balanceWords,
  checkWords,
  connectionsOf,
  lossWords,
  noticeOf,
  questionOf,
  targetWords,
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

test('an address has the scheme that clients use', () => {
  assert.equal(addressOf(example), 'https://git.example.net');
  assert.equal(addressOf({ ...example, tls: { certificate: 'none', redirect: false } }), 'http://git.example.net');
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
});

describe('the notice on top', () => {
  const titleOf = (more: Partial<Ingress>) => noticeOf(ingress(more))?.title;

  test('is the worst that there is, and nothing when all is well', () => {
    assert.equal(noticeOf(example), null);
    assert.equal(titleOf({ state: 'unassigned', targets: [] }), 'No node can be its gateway');
    assert.equal(titleOf({ state: 'assigned' }), 'No gateway serves it');
    assert.equal(titleOf({ targets: [] }), 'No target takes requests');
    assert.equal(titleOf({ targets: [target, barred] }), 'Not all targets are up');
  });

  test('names the paths that nothing answers, and why', () => {
    const textOf = (more: Partial<Ingress>) => noticeOf(ingress(more))?.text;
    const routes = [{ path: '/api', service: 'git-api', upstream: DEFAULT_UPSTREAM }];
    assert.equal(
      textOf({ routes }),
      '/api (git-api): no node inside its scope reports the service. Requests get an error.',
    );
    const down = '/ (git-http): every target is down or out of reach. Requests get an error.';
    assert.equal(textOf({ served_by: finds('down') }), down);
    assert.equal(textOf({ targets: [barred] }), down);
    const unreported = { served_by: [{ ...serving, upstreams: null }] };
    assert.equal(textOf(unreported), '1 of 1 target gets no requests.', 'it may still be found up');
  });

  test('counts what is left while it drains', () => {
    const textOf = (connections: number | null) =>
      noticeOf(ingress({ state: 'draining', draining: true, served_by: [{ ...serving, connections }] }))?.text ?? '';
    assert.match(textOf(3), /3 connections still open/);
    assert.match(textOf(0), /can be deleted/);
    assert.match(textOf(null), /have not reported/);
  });
});

test('deleting says what ends, and offers to drain only where that helps', () => {
  assert.match(lossWords(example), /3 open connections end\. Drain it first/);
  assert.doesNotMatch(lossWords(ingress({ draining: true })), /Drain it first/);
  assert.doesNotMatch(lossWords(ingress({ served_by: [] })), /open connection/);
});

test('a target that cannot be reached is asked about from the gateway that its problem names', () => {
  const gateways = ['gw-1', 'gw-2'].map((name) => ({ node: `node_${name}`, name, draining: false, problem: null }));
  const refused = { ...target, problem: 'No grant lets gw-2 reach it.' };
  const asked = { to: target.name, port: 'tcp:3000' };
  assert.deepEqual(questionOf({ assigned_to: gateways }, refused), { from: 'gw-2', ...asked });
  assert.deepEqual(questionOf({ assigned_to: gateways }, target), { from: 'gw-1', ...asked });
  assert.equal(questionOf({ assigned_to: [] }, target), null);
});
