/** Requests of a real nginx, counted exactly: under load, over reloads, and over a restart of the agent. */
import assert from 'node:assert/strict';
import { appendFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { IngressAssignment, TrafficCount } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf } from '../../../../test/ingress-section.ts';
import { until } from '../../../../test/namespaces.ts';
import { MAX_UNREAD_BYTES } from '../followed-log.ts';
import { GATEWAY_FILES } from '../gateway-files.ts';

const WWW = 'www-1.example.com';

describe('requests that a gateway counts', { timeout: 120_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web', ({ url = '' }, response) => {
      const [, status] = /[?&]status=(\d+)/.exec(url) ?? [];
      response.writeHead(Number(status ?? 200)).end('x'.repeat(1000));
    });
  });
  after(() => scene[Symbol.asyncDispose]());

  const counted = (over: Partial<IngressAssignment> = {}): IngressAssignment =>
    ingressOf(1, {
      counted: true,
      routes: [routeOf({ targets: [web.target(1)] }), routeOf({ path: '/api', targets: [web.target(1)] })],
      redirects: [{ path: '/old', to: '/new', status: 301, keep: true }],
      ...over,
    });
  const serve = (section: readonly IngressAssignment[], server = scene.server) =>
    server.serve({ section, ca: undefined, lists: undefined });
  const sum = ({ classes }: TrafficCount) => classes.reduce((total, one) => total + one, 0);

  /** By route, once so many were counted; nginx writes what it has answered within a second. */
  async function counts(expected: number, { server, traffic }: Pick<GatewayScene, 'server' | 'traffic'> = scene) {
    for (;;) {
      await traffic.read();
      const found = server.observedTraffic('everything')?.counts ?? [];
      const total = found.reduce((all, one) => all + sum(one), 0);
      assert.ok(total <= expected, `${total} were counted, of ${expected}`);
      if (total === expected) return new Map(found.map((one) => [one.route, one]));
      await pause(50);
    }
  }

  it('are exact by route and status, and hold nothing of what was asked', async () => {
    await serve([counted()]);
    for (let number = 0; number < 20; number++) await scene.ask(WWW, { path: `/secret-${number}?password=hunter2` });
    for (let number = 0; number < 7; number++) await scene.ask(WWW, { path: '/api/x?status=404' });
    await scene.ask(WWW, { path: '/api?status=503', method: 'POST', body: 'y'.repeat(5000) });
    await scene.ask(WWW, { path: '/old/thing' });
    const found = await counts(29);
    assert.deepEqual([...found.keys()].sort(), ['/', '/api', null].sort());
    assert.deepEqual(found.get('/')?.classes, [0, 20, 0, 0, 0, 0]);
    assert.deepEqual(found.get('/api')?.classes, [0, 0, 0, 7, 1, 0]);
    assert.deepEqual(found.get('/api')?.statuses, [
      { status: 404, count: 7 },
      { status: 503, count: 1 },
    ]);
    assert.deepEqual(found.get(null)?.classes, [0, 0, 1, 0, 0, 0], 'a redirect has no route');
    assert.ok((found.get('/')?.bytes_out ?? 0) > 20_000 && (found.get('/api')?.bytes_in ?? 0) > 5000);
    assert.equal(found.get('/')?.upstream_requests, 20);
    assert.equal(found.get(null)?.upstream_requests, 0);
    assert.equal(
      found.get('/')?.times.reduce((all, one) => all + one, 0),
      20,
    );
    const kept = (await scene.folder.read('traffic/counts.json')) ?? '';
    const log = (await scene.folder.read('traffic/requests.log')) ?? '';
    for (const text of [kept, log]) assert.doesNotMatch(text, /secret|hunter2|127\.0\.0\.1/);
  });

  it('are exact over reloads under load, and over a restart of the agent', async () => {
    const before = scene.server.observedTraffic('everything') ?? assert.fail();
    const known = before.counts.reduce((all, one) => all + sum(one), 0);
    let asked = 0;
    let isOver = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { status } = await scene.ask(WWW, { path: '/load' });
        assert.equal(status, 200);
        asked += 1;
      }
    });
    for (let reload = 0; reload < 4; reload++) {
      const extra = routeOf({ path: `/r${reload}`, targets: [web.target(1)] });
      await serve([counted({ routes: [extra, routeOf({ targets: [web.target(1)] })] })]);
      await pause(100);
    }
    scene.traffic.stop();
    const next = scene.another();
    await serve([counted()], next.server);
    await pause(100);
    isOver = true;
    await Promise.all(load);
    assert.ok(asked > 50, String(asked));
    const found = await counts(known + asked, next);
    assert.equal(next.server.observedTraffic('everything')?.epoch, before.epoch);
    assert.equal(sum(found.get('/') ?? assert.fail()), 20 + asked);
    await pause(1500);
    await counts(known + asked, next);
  });

  it('count what no service would answer, and nothing of others', async () => {
    await serve([
      counted(),
      ingressOf(2, { hostname: 'www-2.example.com', routes: [routeOf({ targets: [web.target(1)] })] }),
    ]);
    const before = scene.server.observedTraffic('everything') ?? assert.fail();
    const known = before.counts.reduce((all, one) => all + sum(one), 0);
    const raw = (text: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(scene.http_port, '127.0.0.1', () => socket.write(text));
        let answer = '';
        socket.setEncoding('latin1').on('data', (more: string) => {
          answer += more;
        });
        socket.on('close', () => resolve(answer));
      });
    const host = `Host: ${WWW}\r\nConnection: close\r\n\r\n`;
    await raw(`X|Y"'\`Z / HTTP/1.1\r\n${host}`);
    await raw(`GET /a|b|200|0.001 HTTP/1.1\r\n${host}`);
    await raw(`GET / HTTP/1.1\r\nContent-Length: many\r\n${host}`);
    await scene.ask('www-2.example.com');
    await scene.ask('unknown.example.com');
    await pause(1200);
    await scene.traffic.read();
    const after = scene.server.observedTraffic('everything') ?? assert.fail();
    const more = after.counts.reduce((all, one) => all + sum(one), 0) - known;
    assert.ok(more >= 1 && more <= 3, String(more));
    assert.deepEqual(new Set(after.counts.map(({ ingress }) => ingress)), new Set([ingressId(1)]));
  });

  it('begin anew when the log was emptied that no agent read, and it never grew without an end', async () => {
    await serve([counted()]);
    const { epoch } = scene.server.observedTraffic('everything') ?? assert.fail();
    scene.traffic.stop(); // the agent is gone
    const log = scene.folder.file(GATEWAY_FILES.requests);
    const line = `${ingressId(1)}/|${WWW}|200|0.001|0.001|100|1000|HTTP/1.1\n`;
    await appendFile(log, line.repeat(Math.ceil((MAX_UNREAD_BYTES + 1) / line.length)));
    await until('it is emptied', async () => (await stat(log)).size < 1_000_000);
    for (let number = 0; number < 5; number++) await scene.ask(WWW);
    const next = scene.another();
    await serve([counted()], next.server);
    const found = await counts(5, next);
    assert.equal(sum(found.get('/') ?? assert.fail()), 5, 'what came since is there, and nothing from before');
    assert.notEqual(next.server.observedTraffic('everything')?.epoch, epoch);
    assert.match(scene.warnings.at(-1) ?? '', /counted anew from now on.*emptied/);
    next.traffic.stop();
  });

  it('are turned off and on by ingress, and begin anew for one that comes back', async () => {
    const next = scene.another();
    const off = ingressOf(2, { hostname: 'www-2.example.com', routes: [routeOf({ targets: [web.target(1)] })] });
    const other = { ...off, counted: true } as const;
    await serve([counted(), other], next.server);
    await scene.ask('www-2.example.com');
    const shown = () => next.server.observedTraffic('everything') ?? assert.fail();
    const ofOther = () => shown().counts.filter(({ ingress }) => ingress === ingressId(2));
    await until('it is counted', async () => {
      await next.traffic.read();
      return ofOther().length === 1;
    });
    const { epoch } = shown();
    await serve([counted(), off], next.server);
    await scene.ask('www-2.example.com');
    await scene.ask(WWW);
    await pause(1100); // what was written at all was written by then
    await next.traffic.read();
    assert.deepEqual([ofOther(), shown().epoch], [[], epoch]);
    await serve([counted(), other], next.server);
    assert.notEqual(shown().epoch, epoch, 'counts of one epoch only grow');
    next.traffic.stop();
  });

  it('begin anew where some can be missing, and end with the ingress', async () => {
    await serve([counted()]);
    const { epoch } = scene.server.observedTraffic('everything') ?? assert.fail();
    for (const pid of await scene.workers()) process.kill(pid, 'SIGKILL');
    while (scene.server.observedTraffic('changes')?.epoch === epoch) {
      await pause(50);
      await scene.server.look().catch(() => false);
    }
    await serve([ingressOf(1, { routes: [routeOf({ targets: [web.target(1)] })] })]);
    assert.equal(scene.server.observedTraffic('everything'), undefined);
    assert.equal((await scene.ask(WWW)).status, 200);
  });
});
