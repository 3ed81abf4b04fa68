import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canary, route, weight } from './read-ingress.ts';

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
});
