/** What real nginx with ModSecurity and the Core Rule Set makes of requests, as the agent has configured it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { WafAssignment, WafReport } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf, trafficOf } from '../../../../test/ingress-section.ts';
import { until } from '../../../../test/namespaces.ts';
import { policyOf, ruleOf, wafId } from '../../../../test/waf-section.ts';

const WWW = 'www-1.example.com';
const SQLI = "1' or '1'='1";
const sqli = `q=${encodeURIComponent(SQLI)}`;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('a gateway with a WAF', { timeout: 120_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
  });
  after(() => scene[Symbol.asyncDispose]());

  const route = (over = {}) => routeOf({ targets: [web.target(1)], waf: wafId(1), ...over });
  const serve = (policies: readonly WafAssignment[], routes = [route()], over = {}) =>
    scene.server.serve({ section: [ingressOf(1, { routes, ...over })], ca: undefined, policies });
  const status = async (path: string, asked = {}) => (await scene.ask(WWW, { path, ...asked })).status;
  /** As soon as there are so many since it was last asked: the engine writes them behind its answers. */
  const events = async (count = 1) => {
    let found: readonly WafReport[] = [];
    await until('events', async () => {
      await scene.waf.read();
      const observed = scene.server.observedWaf() ?? {};
      found = observed.events ?? [];
      if (found.length >= count) await scene.waf.reported(observed);
      return found.length >= count;
    });
    return found;
  };

  it('blocks an attack, says so with the id of the request, and records it', async () => {
    await serve([policyOf(1)]);
    assert.deepEqual(scene.server.observed()[0]?.problem, undefined);
    assert.equal(await status('/?q=hello'), 200);
    const before = web.requests.length;
    const { status: refused, headers, body } = await scene.ask(WWW, { path: `/?${sqli}` });
    assert.equal(refused, 403);
    assert.match(String(headers['content-type']), /^text\/plain/);
    assert.equal(web.requests.length, before, 'it never reached the service');
    const [event] = await events();
    assert.ok(event !== undefined);
    assert.match(body, new RegExp(`${event.request_id}$`));
    const { matches, ...rest } = event;
    assert.deepEqual(rest, {
      id: event.id,
      policy: wafId(1),
      ingress: ingressId(1),
      route: '/',
      method: 'GET',
      host: WWW,
      path: '/',
      address: '127.0.0.1',
      request_id: event.request_id,
      status: 403,
      verdict: 'blocked',
      score_in: 5,
      score_out: 0,
      matches_left_out: 0,
    });
    assert.deepEqual(
      matches.map(({ rule, score, paranoia, counts, parameter }) => ({ rule, score, paranoia, counts, parameter })),
      [{ rule: 942100, score: 5, paranoia: 1, counts: true, parameter: { part: 'argument', name: 'q' } }],
    );
    assert.equal(await scene.server.fault(), null);
  });

  it('lets everything pass in the mode detect, and says what it would have blocked', async () => {
    await serve([policyOf(1, { mode: 'detect' })]);
    assert.equal(await status(`/?${sqli}`), 200);
    assert.deepEqual(
      (await events()).map(({ verdict }) => verdict),
      ['detected'],
    );
  });

  it('does not load the engine where no policy is used, or all are off', async () => {
    await serve([], [route({ waf: null })]);
    assert.doesNotMatch((await scene.folder.read('nginx.conf')) ?? '', /modsecurity|own_answers/);
    await serve([policyOf(1, { mode: 'off' })]);
    assert.doesNotMatch((await scene.folder.read('nginx.conf')) ?? '', /modsecurity|own_answers/);
    assert.equal(await status(`/?${sqli}`), 200);
  });

  it('serves no route whose policy it was not sent, and all others', async () => {
    await serve([policyOf(1)], [route(), route({ path: '/lost', waf: wafId(2) }), route({ path: '/open', waf: null })]);
    assert.equal(await status('/'), 200);
    assert.equal(await status('/lost'), 503);
    assert.equal(await status(`/open?${sqli}`), 200);
    assert.match(scene.server.observed()[0]?.problem ?? '', /not sent the policy/);
  });

  it('inspects also what is sent while an ingress drains', async () => {
    await serve([policyOf(1)], [route()], { draining: true });
    assert.equal(await status('/'), 200);
    assert.equal(await status(`/?${sqli}`), 403);
    assert.equal(await status('/', { method: 'POST', headers: FORM, body: sqli }), 403);
    assert.equal((await events(2)).length, 2);
  });

  it('answers as other routes do when a service fails, and does not lose what it found', async () => {
    await serve([policyOf(1, { mode: 'detect' })], [routeOf({ waf: wafId(1) })]);
    const answer = await scene.ask(WWW, { path: `/?${sqli}` });
    assert.equal(answer.status, 503);
    assert.equal(answer.body, 'No node of service web answers.');
    const [event] = await events();
    assert.deepEqual([event?.status, event?.verdict], [503, 'detected']);
  });

  it('refuses clients of other networks in words of their own', async () => {
    const traffic = trafficOf({ networks: { allow: ['192.0.2.0/24'], deny: [] } });
    await serve([policyOf(1)], [route({ traffic })]);
    const { status: refused, body } = await scene.ask(WWW);
    assert.equal(refused, 403);
    assert.match(body, /not open to your network/);
  });

  it('passes no body that is larger than the policy says, however it is sent', async () => {
    await serve([policyOf(1, { requests: { body_bytes: 1000 } })]);
    const post = (body: string, headers = {}) =>
      status('/', { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });
    const text = (length: number) => JSON.stringify('a'.repeat(length - 2));
    assert.equal(await post(text(1000)), 200);
    assert.equal(await post(text(1001)), 413);
    assert.equal(await post(text(1001), { 'transfer-encoding': 'chunked' }), 413);
    assert.equal(await post(text(400_000), { 'transfer-encoding': 'chunked' }), 413);
    await serve([policyOf(1, { requests: { body_bytes: 0 } })]);
    assert.equal(await post('1'), 413);
    assert.equal(await status('/'), 200);
    await serve([policyOf(1)]);
    const large = JSON.stringify({ text: 'hello there '.repeat(30_000), end: '<script>alert(1)</script>' });
    assert.equal(await post(large), 403, 'a body that nginx keeps in a file is inspected to its end');
  });

  it('judges by the rules of the operator', async () => {
    const rules = [
      ruleOf({
        name: 'Partners',
        action: 'allow',
        when: [{ part: 'header', name: 'X-Partner', test: 'equals', values: ['a"b%{tx.0}\\'] }],
      }),
      ruleOf({
        name: 'No cats',
        when: [{ name: 'pet', test: 'equals', values: ['cat', 'kitten'], transforms: ['lowercase'] }],
      }),
      ruleOf({
        name: 'Only with a key',
        when: [
          { part: 'path', test: 'begins_with', values: ['/keyed'] },
          { part: 'header', name: 'X-Key', test: 'is_there', negated: true },
        ],
      }),
      ruleOf({
        name: 'Odd',
        action: 'score',
        score: 3,
        when: [{ part: 'query', test: 'matches', values: ['^odd=[0-9]+$', '"%'] }],
      }),
      ruleOf({
        name: 'None is safe',
        when: [
          { name: 'one', test: 'is_there' },
          { name: 'one', test: 'equals', values: ['safe'], negated: true },
        ],
      }),
    ];
    await serve([policyOf(1, { rules, thresholds: { inbound: 6 } })]);
    const partner = { headers: { 'x-partner': 'a"b%{tx.0}\\' } };
    assert.equal(await status('/?pet=CAT'), 403);
    assert.equal(await status('/?pet=cats'), 200);
    assert.equal(await status('/?pet=cat', partner), 200);
    assert.equal(await status('/?pet=cat', { headers: { 'x-partner': 'a' } }), 403);
    assert.equal(await status('/keyed/x'), 403);
    assert.equal(await status('/keyed/x', { headers: { 'x-key': '1' } }), 200);
    assert.equal(await status(`/?${sqli}`), 200, 'a score of 5');
    assert.equal(await status(`/?odd=12`), 200, 'a score of 3');
    assert.equal(await status(`/?one=safe`), 200);
    assert.equal(await status(`/?one=other`), 403);
    assert.equal(await status(`/?one=other&one=safe`), 200, 'negated: none of them is');
    const named = (await events(6)).flatMap(({ matches }) => matches.filter(({ name }) => name !== null));
    assert.deepEqual(
      new Set(named.map(({ name }) => name)),
      new Set(['No cats', 'Only with a key', 'Odd', 'None is safe']),
    );
    assert.equal(named.find(({ name }) => name === 'Odd')?.score, 3);
  });

  it('holds requests to what the policy says of them', async () => {
    const requests = {
      methods: ['GET', 'POST'],
      content_types: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'image/*'],
      arguments_most: 3,
      argument_bytes: 50,
      file_bytes: 100,
      denied_extensions: ['php'],
    };
    await serve([policyOf(1, { requests })]);
    const post = (type: string, body: string, headers = {}) =>
      status('/', { method: 'POST', headers: { 'content-type': type, ...headers }, body });
    assert.equal(await status('/', { method: 'PUT', headers: FORM, body: 'a=b' }), 403);
    assert.equal(await post('text/csv', 'a,b'), 403);
    assert.equal(await post('IMAGE/png', 'x'), 200);
    assert.equal(await post('application/json', '{"a":1}'), 200);
    assert.equal(await post('application/json', '{"a":'), 403, 'not understood');
    assert.equal(await post('application/json', '['.repeat(1000) + ']'.repeat(1000)), 403, 'too deep');
    assert.equal(await post('application/x-www-form-urlencoded', 'a=1', { 'content-encoding': 'gzip' }), 403);
    assert.equal(await status('/?a=1&b=2&c=3'), 200);
    assert.equal(await status('/?a=1&b=2&c=3&d=4'), 403);
    assert.equal(await status(`/?a=${'x'.repeat(50)}`), 200);
    assert.equal(await status(`/?a=${'x'.repeat(51)}`), 403);
    const upload = (name: string, content: string) =>
      post(
        'multipart/form-data; boundary=XX',
        `--XX\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n--XX--\r\n`,
      );
    assert.equal(await upload('a.txt', 'hello'), 200);
    assert.equal(await upload('a.txt', 'h'.repeat(101)), 403);
    for (const name of ['a.php', 'a.PHP', 'a.php.', 'a.pHp ']) assert.equal(await upload(name, 'hello'), 403, name);
    assert.equal(await upload('a.phpx', 'hello'), 200);
  });

  it('judges by networks', async () => {
    await serve([policyOf(1, { clients: { trusted: ['127.0.0.0/8'] } })]);
    assert.equal(await status(`/?${sqli}`), 200);
    await serve([policyOf(1, { clients: { denied: ['127.0.0.0/8'] } })]);
    assert.equal(await status('/'), 403);
    assert.equal((await events(1)).at(-1)?.matches[0]?.message, 'Network is denied');
    await serve([policyOf(1, { clients: { denied: ['192.0.2.0/24'], trusted: ['198.51.100.0/24'] } })]);
    assert.equal(await status('/'), 200);
    assert.equal(await status(`/?${sqli}`), 403);
  });

  it('serves no route by a policy of countries that it cannot tell apart', async () => {
    await serve([policyOf(1, { clients: { allowed_countries: ['DE'] } })]);
    assert.equal(await status('/'), 503);
    assert.match(scene.server.observed()[0]?.problem ?? '', /MESH_WAF_COUNTRIES/);
  });

  it('goes on with the last good form of a policy that the engine does not take, and with all others', async () => {
    const routes = [route(), route({ path: '/b', waf: wafId(2) })];
    const bad = [ruleOf({ when: [{ name: 'x', test: 'matches', values: ['(unclosed'] }] })];
    await serve([policyOf(1), policyOf(2)], routes);
    await serve([policyOf(1, { rules: bad }), policyOf(2)], routes);
    assert.equal(await status('/'), 200);
    assert.equal(await status(`/?${sqli}`), 403, 'as it was before');
    assert.match(scene.server.observed()[0]?.problem ?? '', /goes on as it was before/);
    await serve(
      [policyOf(2), policyOf(3, { rules: bad })],
      [route({ waf: wafId(3) }), route({ path: '/b', waf: wafId(2) })],
    );
    assert.equal(await status('/'), 503);
    assert.equal(await status('/b'), 200);
    assert.equal(await status(`/b?${sqli}`), 403);
  });

  it('inspects answers where that is asked for, and nowhere else', async () => {
    const leak = 'You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version';
    const leaking = await scene.service('leaking', (asked, answer) => {
      asked.resume();
      answer.setHeader('content-type', 'text/html');
      answer.end(`<p>${leak} for the right syntax to use near</p>`);
    });
    const routes = [
      routeOf({ targets: [leaking.target(2)], waf: wafId(1) }),
      routeOf({ path: '/b', targets: [leaking.target(2)], waf: wafId(2) }),
    ];
    await serve([policyOf(1, { inspect_responses: true }), policyOf(2)], routes);
    assert.equal(await status('/b'), 200);
    const answer = await scene.ask(WWW, { path: '/leak' }).catch(() => undefined); // behind its headers, it is cut off
    assert.doesNotMatch(answer?.body ?? '', /SQL syntax/);
    let event: WafReport | undefined;
    await until('its event', async () => {
      event ??= (await events(0)).find(({ path }) => path === '/leak');
      return event !== undefined;
    });
    assert.equal(event?.verdict, 'blocked');
    assert.ok((event?.score_out ?? 0) >= 4);
  });

  it('lets connections be upgraded', async () => {
    const sockets = await scene.service('sockets');
    sockets.server.on('upgrade', (_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.on('data', (piece) => socket.end(piece));
      socket.on('error', () => undefined);
    });
    await serve([policyOf(1)], [route({ targets: [sockets.target(3)] })]);
    const socket = connect(scene.http_port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => {
      if (text === '') socket.write('hello');
      text += piece;
    });
    socket.write(`GET / HTTP/1.1\r\nHost: ${WWW}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    await once(socket, 'close');
    assert.match(text, /^HTTP\/1\.1 101/);
    assert.match(text, /hello$/);
  });

  it('does not pass on connections that it cannot look into, where a policy is named', async () => {
    const tcp = ingressOf(2, { kind: 'tcp', port: scene.stream_port, routes: [route({ protocol: 'tcp' })] });
    const section = [ingressOf(1, { routes: [route()] }), tcp];
    await scene.server.serve({ section, ca: undefined, policies: [policyOf(1)] });
    assert.match(scene.server.observed().find(({ id }) => id === tcp.id)?.problem ?? '', /a WAF inspects HTTP alone/);
    await assert.rejects(once(connect(scene.stream_port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
    assert.equal(await status('/'), 200);
  });
});
