/** Which requests a real nginx lets through: by network, by number and by size. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { AssignedRoute } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf, trafficOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';

type Rules = Partial<AssignedRoute['traffic']>;

/** Stands for every client: what it says in the header is who it is. */
const PROXIES = { networks: ['127.0.0.0/8'], header: 'X-Forwarded-For' };
const hostOf = (number: number) => `www-${number}.example.com`;
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

describe('a route', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  const held: (() => void)[] = [];
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web', (asked, answer) => {
      asked.resume().on('end', () => {
        if (asked.url === '/hold') held.push(() => answer.end('web'));
        else answer.end('web');
      });
    });
  });
  after(() => scene[Symbol.asyncDispose]());

  /** One ingress for each, in order from 1. */
  const section = (...rules: readonly Rules[]) =>
    rules.map((rule, index) =>
      ingressOf(index + 1, {
        routes: [routeOf({ targets: [web.target(1)], check: { kind: 'none' }, traffic: trafficOf(rule) })],
        proxies: PROXIES,
      }),
    );
  const serve = (...rules: readonly Rules[]) => scene.server.serve({ section: section(...rules), ca: undefined });
  const statusFrom = async (number: number, address: string) => (await scene.ask(hostOf(number), from(address))).status;

  it('is open to networks that are allowed, and shut to those that are denied', async () => {
    await serve(
      { networks: { allow: ['192.0.2.0/24', '2001:db8::/32'], deny: ['192.0.2.128/25', '2001:db8:bad::/48'] } },
      { networks: { allow: [], deny: ['192.0.2.7/32', '::/0'] } },
      { networks: { allow: ['0.0.0.0/0'], deny: [] } },
    );
    const expected = [
      [1, '192.0.2.1', 200],
      [1, '192.0.2.129', 403],
      [1, '198.51.100.1', 403],
      [1, '2001:db8::1', 200],
      [1, '2001:db8:bad::1', 403],
      [1, '2001:db9::1', 403],
      [1, '::ffff:192.0.2.1', 200],
      [2, '192.0.2.7', 403],
      [2, '192.0.2.8', 200],
      [2, '2001:db8::1', 403],
      [3, '192.0.2.7', 200],
      [3, '2001:db8::1', 403],
    ] as const;
    const found = [];
    for (const [number, address] of expected) found.push([number, address, await statusFrom(number, address)]);
    assert.deepEqual(found, expected);
    const { body, headers } = await scene.ask(hostOf(1), { path: '/a.html', ...from('198.51.100.1') });
    assert.equal(body, 'This service is not open to your network.');
    assert.equal(headers['content-type'], 'text/plain');
  });

  it('takes a burst from each address, and not one request more', async () => {
    const limits = { requests: { rate: '1/m', burst: 4 }, connections: null };
    await serve({ limits }, { limits }, { limits: { requests: { rate: '1/m', burst: 0 }, connections: null } }, {});
    const statuses = async (number: number, times: number, address: (time: number) => string) => {
      const found = [];
      for (let time = 0; time < times; time += 1) found.push(await statusFrom(number, address(time)));
      return found;
    };
    const five = [200, 200, 200, 200, 200];
    assert.deepEqual(await statuses(1, 7, () => '192.0.2.1'), [...five, 429, 429]);
    assert.deepEqual(await statuses(1, 6, () => '192.0.2.2'), [...five, 429], 'another address');
    assert.deepEqual(await statuses(2, 6, () => '192.0.2.1'), [...five, 429], 'another ingress with the same rate');
    assert.deepEqual(await statuses(3, 2, () => '192.0.2.1'), [200, 429]);
    const inOne = (time: number) => `2001:db8:0:1:${time}::${time + 1}`;
    assert.deepEqual(await statuses(1, 7, inOne), [...five, 429, 429], 'a /64 counts as one');
    assert.deepEqual(await statuses(1, 1, () => '2001:db8:0:2::1'), [200], 'and the next one by itself');
    assert.deepEqual(await statuses(1, 6, () => '::ffff:192.0.2.3'), [...five, 429]);
    assert.deepEqual(await statuses(1, 1, () => '192.0.2.3'), [429], 'however it is written');
    const { headers, body } = await scene.ask(hostOf(1), from('192.0.2.1'));
    assert.deepEqual([headers['retry-after'], body], ['60', 'You have sent too many requests. Try again later.']);

    await scene.server.serve({ section: [...section({ limits }, { limits }), ingressOf(9)], ca: undefined });
    assert.deepEqual(await statuses(1, 1, () => '192.0.2.1'), [429], 'a reload keeps what was counted');
    await serve({ limits: { requests: { rate: '1/m', burst: 9 }, connections: null } });
    const more = await statuses(1, 6, () => '192.0.2.1');
    assert.deepEqual(more, [...five, 429], 'with a larger burst, it is counted on');
  });

  it('counts a request once, and also while the ingress drains', async () => {
    const limits = { requests: { rate: '1/m', burst: 2 }, connections: null };
    const networks = { allow: [], deny: ['192.0.2.66/32'] };
    const [ingress] = section({ limits, networks });
    assert.ok(ingress !== undefined);
    const id = 'ingress_00000000000000000000000077';
    await scene.server.serve({ section: [{ ...ingress, id, draining: true }], ca: undefined });
    const found = [];
    for (let time = 0; time < 4; time += 1) found.push(await statusFrom(1, '192.0.2.50'));
    assert.deepEqual(found, [200, 200, 200, 429]);
    assert.equal(await statusFrom(1, '192.0.2.66'), 403);
  });

  it('has so many requests of an address open, and no more', async () => {
    const limits = { requests: null, connections: 2 };
    await serve({ limits }, { limits });
    held.length = 0;
    const agent = new Agent({ keepAlive: true });
    const open = [1, 2].map((_) => scene.ask(hostOf(1), { path: '/hold', agent, ...from('2001:db8::1') }));
    await until('both are there', async () => held.length === 2);
    const refused = await scene.ask(hostOf(1), from('2001:db8::2'));
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1']);
    assert.equal(await statusFrom(1, '2001:db8:0:1::1'), 200);
    assert.equal(await statusFrom(2, '2001:db8::1'), 200, 'another ingress');
    for (const end of held) end();
    assert.deepEqual(
      (await Promise.all(open)).map(({ status }) => status),
      [200, 200],
    );
    await until('it may again', async () => (await statusFrom(1, '2001:db8::1')) === 200);
    agent.destroy();
  });

  it('has rules before it has a certificate', async () => {
    const rules = {
      networks: { allow: ['192.0.2.0/24'], deny: [] },
      limits: { requests: { rate: '7/s', burst: 1 }, connections: 3 },
      max_body_bytes: 5,
    };
    const [ingress, other] = section(rules, {});
    assert.ok(ingress !== undefined && other !== undefined);
    const waiting = { ...ingress, tls: { chain: null, redirect: true } };
    await scene.server.serve({ section: [waiting, other], ca: undefined });
    assert.match(scene.server.observed()[0]?.problem ?? '', /it has no certificate yet/);
    assert.equal(await statusFrom(2, '192.0.2.1'), 200);
  });

  it('takes bodies of its size, however they are sent', async () => {
    await serve({ max_body_bytes: 1000 }, { max_body_bytes: 0 }, {});
    const post = async (number: number, bytes: number, headers: Record<string, string | number>) => {
      const { http_port: port } = scene;
      const asked = request({
        host: '127.0.0.1',
        port,
        method: 'POST',
        headers: { host: hostOf(number), ...headers },
        agent: false,
      });
      asked.on('error', () => undefined); // a body that is refused need not be taken to its end
      asked.end(Buffer.alloc(bytes, 'x'));
      const [answer] = await once(asked, 'response');
      let text = '';
      for await (const piece of answer.setEncoding('utf8')) text += piece;
      return [answer.statusCode, text];
    };
    const plain = (number: number, bytes: number) => post(number, bytes, { 'content-length': bytes });
    const chunked = (number: number, bytes: number) => post(number, bytes, { 'transfer-encoding': 'chunked' });
    const refused = [413, 'The body of the request is larger than this service takes.'];
    for (const send of [plain, chunked]) {
      assert.deepEqual(await send(1, 1000), [200, 'web']);
      assert.deepEqual(await send(1, 1001), refused);
      assert.deepEqual(await send(2, 0), [200, 'web']);
      assert.deepEqual(await send(2, 1), refused);
      assert.deepEqual(await send(2, 2), refused);
      assert.deepEqual(await send(3, 5_000_000), [200, 'web']);
    }
    assert.equal((await scene.ask(hostOf(2))).status, 200);
  });
});
