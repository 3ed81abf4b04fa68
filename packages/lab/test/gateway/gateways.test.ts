/** An ingress on two gateways, from the command that makes it to pages that people outside of the mesh get. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Ingress } from '@meshwork/contract';
import { givenAuthority } from '@meshwork/coordinator/testing';
import { until } from '../until.ts';
import { testsFromInside } from './from-inside.ts';
import { testsFromOutside } from './from-outside.ts';
import { API_PORT, GatewayScene, HOST, WEB_PORT } from './gateway-scene.ts';
import { testsOfGivenCertificates } from './given-certificates.ts';
import { commandsOfPage, runAsOperator } from './ingress-page.ts';
import { testsOfOtherKinds } from './other-kinds.ts';
import { testsOfRules } from './passing-rules.ts';
import { testsUnderLoad } from './under-load.ts';
import type { Entrance } from './visitor-calls.ts';
import { testsOfWafPage } from './waf-page.ts';

const isServedBy = (count: number) => (ingress: Ingress) =>
  ingress.served_by.filter(({ draining }) => !draining).length === count;
const states = ({ served_by }: Ingress) =>
  served_by.map(({ upstreams }) => (upstreams ?? []).map(({ state }) => state).join());

describe('an ingress on two gateways', () => {
  let mesh: GatewayScene;
  let entrance: Entrance;
  before(async () => {
    mesh = await GatewayScene.start();
    entrance = await mesh.entrance();
  });
  after(async () => {
    await mesh?.[Symbol.asyncDispose]();
  });

  test('is served by both over TLS of the mesh CA, and spreads requests over the nodes of its service', async () => {
    await mesh.serve({
      name: 'shop',
      hostname: HOST,
      service: 'web',
      gateways: ['tag:role:gateway'],
      replicas: 2,
      upstream: { check: { kind: 'http', path: '/healthz', interval_s: 1, timeout_s: 1, rise: 1, fall: 2 } },
      routes: [{ path: '/api', service: 'api' }],
    });
    for (const name of ['gw-1', 'gw-2']) {
      const by = await mesh.entrance(HOST, [name]);
      const names = new Set<string>();
      for (let count = 0; count < 4; count++) {
        const { status, body } = await mesh.visitors.get(by, '/');
        assert.equal(status, 200, body);
        names.add((JSON.parse(body) as { name: string }).name);
      }
      assert.deepEqual([...names].sort(), ['web-1', 'web-2']);
    }
  });

  testsFromOutside(() => mesh);

  test('leads a path to another service, and streams uploads', async () => {
    const api = await mesh.visitors.get(entrance, '/api/v1?x=1');
    assert.deepEqual(JSON.parse(api.body), { name: 'api-1', path: '/api/v1', received: 0 });
    const other = await mesh.visitors.get(entrance, '/apis');
    assert.match(other.body, /"web-[12]"/);
    const upload = await mesh.visitors.get(entrance, '/upload', { upload: 20_000_000 });
    assert.equal((JSON.parse(upload.body) as { received: number }).received, 20_000_000);
  });

  test('speaks HTTP/2, and sends plain HTTP on to HTTPS', async () => {
    const page = await mesh.visitors.get2(entrance, '/');
    assert.equal(page.status, 200);
    const { ca: _, ...plain } = entrance;
    const moved = await mesh.visitors.get({ ...plain, port: 80 }, '/a?b=c');
    assert.equal(moved.status, 308);
    assert.equal(moved.headers.location, `https://${HOST}/a?b=c`);
  });

  test('tells the service who asks, and believes no visitor about it', async () => {
    const headers = { 'x-forwarded-for': '8.8.8.8', 'x-real-ip': '8.8.8.8', forwarded: 'for=8.8.8.8' };
    await mesh.visitors.get(entrance, '/api/who', { headers });
    const { headers: seen } = await mesh.service('api-1').counts();
    assert.equal(seen['x-forwarded-for'], mesh.scene.lab.node('outside').address);
    assert.equal(seen['x-forwarded-proto'], 'https');
    assert.doesNotMatch(JSON.stringify(seen), /8\.8\.8\.8/);
  });

  test('refuses a host name that is none of its own', async () => {
    await assert.rejects(mesh.visitors.get({ ...entrance, host: 'other.example.net' }, '/'));
    const { ca: _, ...plain } = entrance;
    const { status } = await mesh.visitors.get({ ...plain, port: 80, host: 'other.example.net' }, '/');
    assert.ok([404, 421].includes(status), String(status));
  });

  test('sends nothing to a node whose check fails, and says why; without a reload', async () => {
    const before = await Promise.all(mesh.gateways.map((gateway) => gateway.nginx()));
    await mesh.service('web-1').answerChecks(503);
    const ingress = await mesh.untilIngress(
      'shop',
      (one) => states(one).every((each) => each.includes('down')),
      'down',
    );
    const down = ingress.served_by.flatMap(({ upstreams }) =>
      (upstreams ?? []).filter(({ state }) => state === 'down'),
    );
    assert.equal(down[0]?.why, 'status 503 instead of 200-399');
    const load = await mesh.visitors.load(entrance, '/?ms=10', 4);
    await until(
      async () => (await load.state()).answered > 200,
      () => 'answers',
    );
    const { by, failed } = await load.end();
    assert.deepEqual([Object.keys(by), failed], [['web-2'], []]);
    await mesh.service('web-1').answerChecks(200);
    await mesh.untilIngress('shop', (one) => states(one).every((each) => !each.includes('down')), 'up again');
    assert.deepEqual(await Promise.all(mesh.gateways.map((gateway) => gateway.nginx())), before);
  });

  test('keeps a websocket through changes that do not concern it', async () => {
    const socket = await mesh.visitors.socket(entrance, '/ws');
    for (let count = 0; count < 3; count++) {
      await mesh.scene.client.call('ingress.create', {
        body: {
          name: `other-${count}`,
          hostname: `other-${count}.example.net`,
          service: 'api',
          gateways: ['node:gw-1'],
        },
      });
      await mesh.untilIngress(`other-${count}`, isServedBy(1), 'another ingress');
    }
    const { returned_bytes: before } = await socket.state();
    await until(
      async () => (await socket.state()).returned_bytes > before,
      () => 'the websocket goes on',
    );
    assert.equal((await socket.state()).ended, null);
    await socket.end();
    for (let count = 0; count < 3; count++) {
      await mesh.scene.client.call('ingress.delete', { params: { id: `other-${count}` } });
    }
  });

  test('says which grant is missing', async () => {
    const missing = async () => (await mesh.ingress('shop')).targets.find(({ name }) => name === 'api-1')?.problem;
    await mesh.grant([WEB_PORT]);
    assert.equal(
      await missing(),
      `No grant lets gw-1 and gw-2 reach it on tcp:${API_PORT}: add one from a group with gw-1 and gw-2 to a group with api-1 that allows tcp:${API_PORT}.`,
    );
    // What was on its way when the node stopped taking it gets no answer.
    const status = () =>
      mesh.visitors.get(entrance, '/api').then(
        (page) => page.status,
        (error: unknown) => String(error),
      );
    await until(
      async () => (await status()) === 503,
      () => 'no request goes there',
    );
    await mesh.grant([WEB_PORT, API_PORT]);
    await until(
      async () => (await mesh.visitors.get(entrance, '/api')).status === 200,
      () => 'requests go there again',
    );
    assert.equal(await missing(), null);
  });

  testsFromInside(() => mesh);

  testsOfOtherKinds(() => mesh);

  testsOfRules(() => mesh);

  testsOfGivenCertificates(() => mesh);

  testsUnderLoad(() => mesh);

  test('is made by the commands of its page', async () => {
    await mesh.scene.client.call('ingress.delete', { params: { id: 'shop' } });
    const all = await commandsOfPage('others');
    const isCheck = (line: string) => line.startsWith('mesh ingress check ');
    const commands = all.filter((line) => !isCheck(line)); // it has to be served for that, which takes a moment
    assert.deepEqual([commands.length, all.length], [35, 36], all.join('\n'));
    const { issue } = await givenAuthority();
    const { chain, private_key } = await issue({ names: [`DNS:${HOST}`] });
    const files = { 'fullchain.pem': chain, 'privkey.pem': private_key };
    const printed = await runAsOperator(mesh.scene.mesh, commands, files);
    assert.match(printed[2] ?? '', /shop\.example\.net/);
    await mesh.untilIngress('shop', isServedBy(2), 'two gateways');
    assert.equal((await mesh.visitors.get(entrance, '/api/v1')).status, 200);
    await mesh.names.say(HOST, entrance.addresses);
    const [checked] = await runAsOperator(mesh.scene.mesh, all.filter(isCheck));
    assert.match(checked ?? '', /people outside reach it/);
  });

  testsOfWafPage(() => mesh);
});
