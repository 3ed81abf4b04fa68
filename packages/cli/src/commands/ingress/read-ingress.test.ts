import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { burstOf, canary, header, redirect, route, weight } from './read-ingress.ts';

describe('what people type for an ingress', () => {
  it('is a path and a service for a route, or JSON when it has an upstream of its own', () => {
    assert.deepEqual(route('/api/v1=api-http'), { path: '/api/v1', service: 'api-http' });
    const whole = { path: '/api', service: 'api', upstream: { balance: 'hash:cookie:session' } };
    assert.deepEqual(route(JSON.stringify(whole)), whole);
    for (const wrong of ['api', '/api', '/api=', '=api', 'api=web']) assert.throws(() => route(wrong), /PATH=SERVICE/);
    assert.throws(() => route('{"path":'), /not valid JSON/);
  });

  it('is a selector and a share for a weight', () => {
    assert.deepEqual(weight('node:web-3=5'), { nodes: 'node:web-3', weight: 5 });
    assert.deepEqual(weight('tag:size:large=0'), { nodes: 'tag:size:large', weight: 0 });
    for (const wrong of ['node:web-3', 'node:web-3=', 'node:web-3=101', 'node:web-3=-1', 'node:web-3=1.5']) {
      assert.throws(() => weight(wrong), /SELECTOR=WEIGHT/);
    }
  });

  it('is a service and a percentage for a canary', () => {
    assert.deepEqual(canary('web-next=5'), { service: 'web-next', percent: 5 });
    assert.deepEqual(canary('web-next=50%'), { service: 'web-next', percent: 50 });
    for (const wrong of ['web-next', 'web-next=0', 'web-next=100', '=5']) {
      assert.throws(() => canary(wrong), /SERVICE=PERCENT/);
    }
  });

  it('is a path and a place for a redirect, for good and with what follows the path unless JSON says otherwise', () => {
    assert.deepEqual(redirect('/old=/new?a=b'), { path: '/old', to: '/new?a=b', status: 308, keep: true });
    assert.deepEqual(redirect('/=https://new.example.net'), {
      path: '/',
      to: 'https://new.example.net',
      status: 308,
      keep: true,
    });
    assert.deepEqual(redirect('{"path":"/a","to":"/b","status":302}'), {
      path: '/a',
      to: '/b',
      status: 302,
      keep: true,
    });
    for (const wrong of ['/old', '/old=', 'old=/new', '=x']) assert.throws(() => redirect(wrong), /PATH=PLACE/);
    assert.throws(() => redirect('{'), /not valid JSON/);
  });

  it('is a header as curl takes it', () => {
    assert.deepEqual(header('X-Env: prod'), { name: 'X-Env', value: 'prod' });
    assert.deepEqual(header('X-Url:http://a:1; b'), { name: 'X-Url', value: 'http://a:1; b' });
    assert.deepEqual(header('X-Powered-By:'), { name: 'X-Powered-By', value: null });
    assert.deepEqual(header('X-Empty;'), { name: 'X-Empty', value: '' });
    for (const wrong of ['X-Env', ': x', 'X Env: x', 'X-Env; x', '']) assert.throws(() => header(wrong), /X-Env: prod/);
  });

  it('is a rate, which may come at once unless a burst is given', () => {
    assert.equal(burstOf({ rate: '20/s' }), 20);
    assert.equal(burstOf({ rate: '900000/m' }), 10_000);
  });
});
