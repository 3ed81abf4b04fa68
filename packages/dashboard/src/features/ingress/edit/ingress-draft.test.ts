import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, OPERATIONS, type Upstream } from '@meshwork/contract';
import { bodyOf, changesOf, draftOf, isComplete, newDraft, withRoute } from './ingress-draft.ts';
import { draftOfText, readText, textOf } from './ingress-text.ts';
import { balanceOf, EMPTY, partsOfBalance, weightsProblem } from './upstream-draft.ts';

const scope = { team: '*', surface: '*', environment: '*' };
const upstream: Upstream = {
  ...DEFAULT_UPSTREAM,
  balance: 'hash:cookie:session',
  weights: [{ nodes: 'tag:size:large', weight: 5 }],
  canary: { service: 'git-next', percent: 10 },
};
const ingress: Ingress = {
  ...OPERATIONS['ingress.show'].example.answer,
  upstream,
  routes: [{ path: '/api', service: 'git-api', upstream: DEFAULT_UPSTREAM }],
};
const draft = draftOf(ingress);

describe('a draft of an ingress', () => {
  test('holds all that a person decides, and gives it back as it was', () => {
    const { name, hostname, service, routes, tls, gateways, replicas } = ingress;
    assert.deepEqual(bodyOf(draft), {
      ...{ name, hostname, service, upstream, routes, tls, gateways, replicas },
      scope: ingress.scope,
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
  });

  test('sends only what is other than before, and never the scope', () => {
    const before = bodyOf(draft);
    assert.deepEqual(changesOf(before, before), {});
    const now = bodyOf({ ...draft, replicas: 2, upstream: { ...draft.upstream, canary: '' }, scope });
    assert.deepEqual(changesOf(now, before), { replicas: 2, upstream: { ...upstream, canary: null } });
    assert.deepEqual(changesOf(bodyOf({ ...draft, routes: [] }), before), { routes: [] });
  });

  test('gives each new row a key that no other has', () => {
    const keys = withRoute(withRoute(draft)).routes.map(({ key }) => key);
    assert.equal(new Set(keys).size, 3);
  });
});

test('balancing has a kind, and a name where that needs one', () => {
  assert.deepEqual(partsOfBalance('hash:cookie:session'), { kind: 'hash:cookie', name: 'session' });
  assert.deepEqual(partsOfBalance('hash:header:'), { kind: 'hash:header', name: '' });
  assert.deepEqual(partsOfBalance('least_connections'), { kind: 'least_connections', name: null });
  assert.equal(balanceOf('hash:header', 'X-Tenant'), 'hash:header:X-Tenant');
  assert.equal(balanceOf('hash:path', 'left over'), 'hash:path');
});

test('weights are typed as a selector and a share', () => {
  assert.equal(weightsProblem(['node:web-3=5', 'tag:size:large=0']), null);
  for (const wrong of ['node:web-3', 'node:web-3=101', '=5']) {
    assert.match(weightsProblem([wrong]) ?? '', /is not a weight/, wrong);
  }
});

describe('an ingress as text', () => {
  const before = bodyOf(draft);
  const read = (text: string) => {
    const got = readText(text, before);
    assert.ok('body' in got, 'problem' in got ? got.problem : '');
    return got.body;
  };

  test('is what the form holds, and comes back the same', () => {
    assert.deepEqual(read(textOf(draft, true)), before);
    assert.deepEqual(draftOfText(read(textOf(draft, true)), draft), draft);
    assert.equal('scope' in JSON.parse(textOf(draft, false)), false, 'which cannot be changed');
  });

  test('names only what differs', () => {
    assert.deepEqual(changesOf(read('{"replicas": 3}'), before), { replicas: 3 });
    const short = read('{"upstream": {"balance": "hash:path"}, "routes": [{"path": "/a", "service": "b"}]}');
    const filled = draftOfText(short, draft);
    assert.deepEqual(filled === null ? null : bodyOf(filled).upstream, { ...upstream, balance: 'hash:path' });
    assert.deepEqual(filled === null ? null : bodyOf(filled).routes[0]?.upstream, DEFAULT_UPSTREAM);
  });

  test('that is not JSON, or not an ingress, says so', () => {
    for (const [text, problem] of [
      ['{', /^Not valid JSON/],
      ['[]', /^An ingress is a JSON object/],
    ] as const) {
      const got = readText(text, before);
      assert.match('problem' in got ? got.problem : '', problem);
    }
    assert.equal(draftOfText(read('{"routes": 5}'), draft), null);
    assert.equal(draftOfText(read('{"upstream": {"weights": 7}}'), draft), null);
  });
});
