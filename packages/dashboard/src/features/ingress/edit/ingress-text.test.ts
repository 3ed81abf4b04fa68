import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, OPERATIONS, type Upstream } from '@meshwork/contract';
import { bodyOf, changesOf, draftOf, newDraft, newIngressOf } from './ingress-draft.ts';
import { draftOfText, readText, textOf } from './ingress-text.ts';

const upstream: Upstream = { ...DEFAULT_UPSTREAM, canary: { service: 'git-next', percent: 10 } };
const example: Ingress = OPERATIONS['ingress.show'].example.answer;
const ingress: Ingress = {
  ...example,
  upstream,
  traffic: {
    ...example.traffic,
    networks: { allow: ['10.0.0.0/8'], deny: [] },
    response_headers: [{ name: 'Server', value: null }],
    max_body_bytes: 1_234_567,
  },
  redirects: [{ path: '/old', to: 'https://new.example.net', status: 301, keep: false }],
  maintenance: { message: 'Back at ten.', retry_after_s: 600, allow: [] },
  proxies: { networks: ['203.0.113.0/24'], header: 'CF-Connecting-IP' },
  routes: [{ path: '/api', service: 'git-api', upstream: DEFAULT_UPSTREAM, traffic: { max_body_bytes: null } }],
};
const draft = draftOf(ingress);
const before = bodyOf(draft);
const read = (text: string, base = before) => {
  const got = readText(text, base);
  assert.ok('body' in got, 'problem' in got ? got.problem : '');
  return got.body;
};

describe('an ingress as text', () => {
  test('is what the form holds, and comes back the same', () => {
    assert.deepEqual(read(textOf(draft, true)), before);
    assert.deepEqual(draftOfText(read(textOf(draft, true)), draft), draft);
    const shown = JSON.parse(textOf(draft, false));
    assert.deepEqual(['scope' in shown, 'kind' in shown], [false, false], 'which cannot be changed');
    assert.deepEqual(changesOf(read(textOf(draft, false)), before), {});
  });

  test('has what its kind can have', () => {
    const tcp = draftOf({ ...example, kind: 'tcp', port: 5432 });
    const shown = JSON.parse(textOf(tcp, false));
    assert.deepEqual(
      [shown.port, 'tls' in shown, 'routes' in shown, 'redirects' in shown],
      [5432, false, false, false],
    );
    assert.equal('port' in JSON.parse(textOf(draft, false)), false);
  });

  test('names only what differs', () => {
    assert.deepEqual(changesOf(read('{"replicas": 3}'), before), { replicas: 3 });
    assert.deepEqual(changesOf(read('{"traffic": {"compress": true, "max_body_bytes": 1234567}}'), before), {
      traffic: { compress: true },
    });
    const short = read('{"upstream": {"balance": "hash:path"}, "routes": [{"path": "/a", "service": "b"}]}');
    const filled = draftOfText(short, draft);
    assert.deepEqual(filled === null ? null : bodyOf(filled).upstream, { ...upstream, balance: 'hash:path' });
    assert.deepEqual(filled === null ? null : bodyOf(filled).routes[0]?.upstream, DEFAULT_UPSTREAM);
    const limited = draftOfText(read('{"traffic": {"limits": {"connections": 8}}}'), draft);
    assert.deepEqual([limited?.traffic.connections, limited?.traffic.allow], [8, ['10.0.0.0/8']]);
  });

  test('of another kind has the defaults of that kind', () => {
    const fresh = newDraft(ingress.scope);
    const said =
      '{"kind": "udp", "name": "dns", "hostname": "dns.example", "port": 53, "service": "dns", "gateways": ["node:gw-1"]}';
    const body = read(said, bodyOf(fresh));
    assert.deepEqual(newIngressOf(body), { ...JSON.parse(said), scope: ingress.scope });
    const shown = draftOfText(body, fresh);
    assert.deepEqual([shown?.kind, shown?.port, shown?.upstream.protocol], ['udp', 53, 'udp']);
  });

  test('that is not JSON, or not an ingress, says so', () => {
    for (const [text, problem] of [
      ['{', /^Not valid JSON/],
      ['[]', /^An ingress is a JSON object/],
    ] as const) {
      const got = readText(text, before);
      assert.match('problem' in got ? got.problem : '', problem);
    }
  });

  test('that the form cannot show whole is not shown by it', () => {
    for (const text of [
      '{"routes": 5}',
      '{"upstream": {"weights": 7}}',
      '{"traffic": {"networks": {"allow": "10.0.0.0/8"}}}',
      '{"traffic": {"max_body_bytes": "much"}}',
      '{"proxies": "all"}',
      '{"kind": "ftp"}',
      '{"colour": "red"}',
    ]) {
      assert.equal(draftOfText(read(text), draft), null, text);
    }
    const other = '{"redirects": [{"keep": false, "to": "/b", "status": 302, "path": "/a"}]}';
    assert.equal(draftOfText(read(other), draft)?.redirects[0]?.to, '/b', 'the order of members does not matter');
  });
});
