import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, OPERATIONS } from '@meshwork/contract';
import { noticesOf } from './ingress-notices.ts';

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
const barred = { ...target, name: 'git-2', node: 'node_2', problem: 'No grant lets gw-1 reach it.' };

describe('the first notice', () => {
  const titleOf = (more: Partial<Ingress>) => noticesOf(ingress(more))[0]?.title;

  test('is the worst that there is, and nothing when all is well', () => {
    assert.deepEqual(noticesOf(example), []);
    assert.equal(titleOf({ state: 'unassigned', targets: [] }), 'No node can be its gateway');
    assert.equal(titleOf({ state: 'assigned' }), 'No gateway serves it');
    assert.equal(titleOf({ targets: [] }), 'No target takes requests');
    assert.equal(titleOf({ targets: [target, barred] }), 'Not all targets are up');
  });

  test('names the paths that nothing answers, and why', () => {
    const textOf = (more: Partial<Ingress>) => noticesOf(ingress(more))[0]?.text;
    const routes = [{ path: '/api', service: 'git-api', upstream: DEFAULT_UPSTREAM, traffic: {} }];
    assert.equal(
      textOf({ routes }),
      '/api (git-api): no node inside its scope reports the service. Requests get an error.',
    );
    const elsewhere = { service: null, targets: [], served_by: [serving] };
    assert.equal(textOf(elsewhere), undefined, 'it leads to no service, and needs no target');
    const tcp = { kind: 'tcp', port: 5432, targets: [] } as const;
    assert.match(textOf({ ...tcp, targets: [] }) ?? '', /^git-http: no node .* Connections are closed\.$/);
    const down = '/ (git-http): every target is down or out of reach. Requests get an error.';
    assert.equal(textOf({ served_by: finds('down') }), down);
    assert.equal(textOf({ targets: [barred] }), down);
    const unreported = { served_by: [{ ...serving, upstreams: null }] };
    assert.equal(textOf(unreported), '1 of 1 target gets no requests.', 'it may still be found up');
  });

  test('counts what is left while it drains', () => {
    const textOf = (connections: number | null) =>
      noticesOf(ingress({ state: 'draining', draining: true, served_by: [{ ...serving, connections }] }))[0]?.text ??
      '';
    assert.match(textOf(3), /3 connections still open/);
    assert.match(textOf(0), /can be deleted/);
    assert.match(textOf(null), /have not reported/);
  });

  test('says what is ended when, and what that cost', () => {
    const begun = { since: '2026-11-15T09:40:00Z', deadline: '2026-11-15T09:45:00Z', drained_at: null, cut: 0 };
    const textOf = (drain: Ingress['drain']) =>
      noticesOf(ingress({ state: 'draining', draining: true, drain }))[0]?.text ?? '';
    assert.match(textOf(begun), /is ended at 2026-11-15T09:45:00Z/);
    const drained = { ...begun, drained_at: begun.deadline };
    assert.match(textOf(drained), /proven .* All ended by themselves\./);
    assert.match(textOf({ ...drained, cut: 2 }), /2 connections cut at the deadline\./);
  });
});

test('fewer gateways than asked for is a notice that says why, and what would help', () => {
  const problem = 'It has 1 of 2 gateways: tcp:5432 of gw-2 is taken by the ingress db';
  const [first] = noticesOf(ingress({ problem, replicas: 2 }));
  assert.equal(first?.title, 'Not enough gateways');
  assert.equal(first?.text, `${problem}. Enrol or tag another node, or lower the replicas.`);
  assert.match(noticesOf(ingress({ kind: 'tcp', port: 5432, problem }))[0]?.text ?? '', /choose another port/);
  const none = noticesOf(ingress({ problem, state: 'unassigned', assigned_to: [], served_by: [] }));
  assert.deepEqual(
    none.map(({ text }) => text),
    [`${problem}. Enrol or tag another node, or edit the gateways.`],
    'it is said once',
  );
});

test('maintenance is a notice with the message, and comes after what is wrong', () => {
  const maintenance = { message: 'Back at ten.', retry_after_s: 600, allow: ['10.0.0.0/8'] };
  const notices = noticesOf(ingress({ maintenance, state: 'assigned' }));
  assert.deepEqual(
    notices.map(({ title }) => title),
    ['No gateway serves it', 'In maintenance'],
  );
  assert.equal(
    notices[1]?.text,
    'Requests get a page with status 503: “Back at ten.” Programs are asked to try again after 10 min. Clients from 10.0.0.0/8 pass as usual.',
  );
});
