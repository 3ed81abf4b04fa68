/** What is reported of a request: fragments of what matched, and no secret. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { WafReport } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf } from '../../../../test/ingress-section.ts';
import { until } from '../../../../test/namespaces.ts';
import { policyOf, wafId } from '../../../../test/waf-section.ts';
import { readRecord } from './audit-record.ts';
import { RuleInventory } from './rule-inventory.ts';

const WWW = 'www-1.example.com';
const XSS = '<script>alert(1)</script>';

describe('a report of the WAF', { timeout: 60_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
    const routes = [routeOf({ targets: [web.target(1)], waf: wafId(1) })];
    await scene.server.serve({
      section: [ingressOf(1, { routes })],
      ca: undefined,
      policies: [policyOf(1, { mode: 'detect' })],
    });
  });
  after(() => scene[Symbol.asyncDispose]());

  const reported = async (path: string, asked = {}): Promise<WafReport> => {
    await scene.ask(WWW, { path, ...asked });
    let found: WafReport | undefined;
    await until('an event', async () => {
      await scene.waf.read();
      const observed = scene.waf.observed() ?? {};
      [found] = observed.events ?? [];
      await scene.waf.reported(observed);
      return found !== undefined;
    });
    return found ?? assert.fail();
  };

  it('has a fragment of what matched, and where', async () => {
    const { matches, path } = await reported(`/search?q=${encodeURIComponent(XSS)}&other=private-value`);
    assert.equal(path, '/search', 'no query');
    const match = matches.find(({ rule }) => rule === 941110);
    assert.deepEqual(match?.parameter, { part: 'argument', name: 'q' });
    assert.match(match?.fragment ?? '', /<script/);
    assert.ok(match?.tags.includes('attack-xss'));
    assert.doesNotMatch(JSON.stringify(matches), /private-value/);
  });

  it('has no value of what may be a secret', async () => {
    const bad = encodeURIComponent(`hunter2${XSS}`);
    for (const name of [
      'password',
      'user[pwd]',
      'api_key',
      'access_token',
      'Session',
      'otp',
      'creditCard',
      'client.secret',
    ]) {
      const report = await reported(`/?${encodeURIComponent(name)}=${bad}`);
      assert.ok(report.matches.length > 0, name);
      assert.deepEqual(new Set(report.matches.map(({ fragment }) => fragment)), new Set([null]), name);
      assert.doesNotMatch(JSON.stringify(report), /hunter2/, name);
    }
    const headers = { cookie: `a=hunter2${XSS}`, authorization: `Bearer hunter2${XSS}` };
    const report = await reported('/', { headers });
    assert.ok(report.matches.length > 0);
    assert.doesNotMatch(JSON.stringify(report), /hunter2/);
    const posted = await reported('/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: { password: `hunter2${XSS}` } }),
    });
    assert.ok(posted.matches.length > 0);
    assert.doesNotMatch(JSON.stringify(posted), /hunter2/);
  });

  it('says nothing of a value that pretends to be a report', async () => {
    const report = await reported(`/?password=${encodeURIComponent(`hunter2 ${XSS} found within ARGS:q: hunter2`)}`);
    assert.doesNotMatch(JSON.stringify(report), /hunter2/);
    const named = await reported(`/?${encodeURIComponent("q' (Value: `hunter2")}=${encodeURIComponent(XSS)}`);
    assert.doesNotMatch(JSON.stringify(named), /hunter2/);
  });
});

it('a line that is no whole record, or is of no policy, is no event', () => {
  const inventory = new RuleInventory([]);
  const line = (unique_id: string, over = {}) =>
    JSON.stringify({
      transaction: {
        client_ip: '192.0.2.1',
        unique_id,
        request: { method: 'GET', uri: '/a?b' },
        response: { http_code: 403 },
        messages: [],
        ...over,
      },
    });
  const id = `${wafId(1)}|1||||block|1|${WWW}|${ingressId(1)}|/|1795051791.748|abc`.replace('||||', '|||');
  const report = readRecord(line(id), inventory);
  assert.deepEqual([report?.path, report?.route, report?.verdict], ['/a', '/', 'scored']);
  assert.equal(readRecord(line(id), inventory)?.id, report?.id, 'the same record is the same event');
  assert.equal(readRecord(line('123'), inventory), null);
  for (const broken of [
    '',
    '{',
    '{}',
    'null',
    line(id, { messages: 1 }),
    line(id, { request: {} }),
    line(id).slice(0, -3),
  ]) {
    assert.equal(readRecord(broken, inventory), undefined, broken);
  }
});
