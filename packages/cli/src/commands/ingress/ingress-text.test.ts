import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, OPERATIONS } from '@meshwork/contract';
import { addressOf, ingressText, targetsUp } from './ingress-text.ts';

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
    const open = textOf({ tls: { certificate: 'none', redirect: false } });
    assert.match(open, /^address +http:\/\/git\.example\.net$/m);
    assert.match(open, /^TLS +off: plain HTTP only$/m);
    assert.equal(
      addressOf({ hostname: 'a.example', tls: { certificate: 'mesh', redirect: false } }),
      'https://a.example',
    );
  });

  it('has a line for each path, with how requests are spread and checked', () => {
    const upstream: Ingress['upstream'] = {
      protocol: 'https',
      balance: 'hash:cookie:session',
      weights: [{ nodes: 'node:web-3', weight: 5 }],
      canary: { service: 'git-next', percent: 5 },
      check: { ...DEFAULT_UPSTREAM.check, kind: 'http', path: '/healthz', body: 'ok' },
    };
    const text = textOf({ upstream, routes: [{ path: '/api', service: 'api', upstream: DEFAULT_UPSTREAM }] });
    assert.match(
      text,
      /^\/ +git-http \(https\) +hash:cookie:session +node:web-3=5 +git-next 5% +http \/healthz for 200-399 and "ok" every 5 s, timeout 2 s, up after 2, down after 3$/m,
    );
    assert.match(text, /^\/api +api \(http\) +round_robin +- +- +tcp every 5 s/m);
  });

  it('says which target has a problem, and what each gateway finds of it', () => {
    const targets = [target, { ...target, name: 'git-2', problem: 'No grant lets gw-1 reach git-http.' }];
    const upstreams = [
      { service: 'git-http', node: target.node, state: 'down' as const, since: example.created_at, why: 'refused' },
    ];
    const assigned_to = [
      ...example.assigned_to,
      { node: 'node_x', name: 'gw-2', draining: true, problem: 'It is stale.' },
    ];
    const text = textOf({ targets, assigned_to, served_by: [{ ...serving, upstreams }] });
    assert.match(text, /^git-http +git-2 +\S+:3000 +No grant lets gw-1 reach git-http\.$/m);
    assert.match(text, /^gw-1 +serving +3$/m);
    assert.match(text, /^gw-2 +not serving: It is stale\., draining +not reported$/m);
    assert.match(text, new RegExp(`^gw-1 +git-http +${target.name} +down +.* ago +refused$`, 'm'));
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
