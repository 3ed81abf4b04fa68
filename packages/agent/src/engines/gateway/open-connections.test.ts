/** Connections that last: websockets, uploads, and what becomes of them when the gateway changes or drains. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';

const WWW = 'www-1.example.com';

describe('connections through a gateway', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
    web.server.on('upgrade', (asked, socket: Socket) => {
      const { upgrade, connection } = asked.headers;
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.write(`${upgrade} ${connection}\n`);
      socket.pipe(socket);
    });
  });
  after(() => scene[Symbol.asyncDispose]());

  const routes = () => [routeOf({ targets: [web.target(1)] })];
  const serve = (...section: readonly ReturnType<typeof ingressOf>[]) => scene.server.serve({ section, ca: undefined });
  const openOf = async (id: string) => (await scene.control.open()).get(id) ?? 0;

  async function websocket(port = scene.http_port) {
    const asked = request({
      host: '127.0.0.1',
      port,
      headers: { host: WWW, upgrade: 'websocket', connection: 'Upgrade' },
      agent: false,
    });
    asked.end();
    const [, socket, head] = (await once(asked, 'upgrade')) as [unknown, Socket, Buffer];
    let text = head.toString();
    socket.on('data', (piece) => {
      text += piece;
    });
    const says = (expected: string) => until(`it says ${expected}`, async () => text.includes(expected));
    await says('websocket upgrade\n');
    return { socket, says };
  }

  it('a websocket outlives twenty reloads, and is counted as long as it is there', async () => {
    await serve(ingressOf(1, { routes: routes() }));
    const { socket, says } = await websocket();
    await until('it is counted', async () => (await openOf(ingressId(1))) === 1);
    const master = await scene.nginx.pid();
    for (let number = 1; number <= 20; number += 1) {
      await serve(ingressOf(1, { routes: routes() }), ingressOf(number + 1));
      socket.write(`after ${number}\n`);
      await says(`after ${number}\n`);
    }
    assert.equal(await scene.nginx.pid(), master);
    assert.equal(await openOf(ingressId(1)), 1, 'a worker of an earlier configuration counts');
    await scene.server.look();
    assert.equal(scene.server.observed().find(({ id }) => id === ingressId(1))?.connections, 1);
    socket.destroy();
    await until('it is not counted any more', async () => (await openOf(ingressId(1))) === 0);
  });

  it('no request fails while configurations and nodes change', async () => {
    const [one, other] = [await scene.service('one'), await scene.service('other')];
    const routesOf = (...services: readonly Service[]) => [
      routeOf({ targets: services.map((service, index) => service.target(index + 1)), check: { kind: 'none' } }),
    ];
    await serve(ingressOf(1, { routes: routesOf(one, other) }));
    let isOver = false;
    const counts: Record<string, number> = {};
    const client = async () => {
      while (!isOver) {
        const { status } = await scene.ask(WWW, { method: 'POST', body: 'x' });
        counts[status] = (counts[status] ?? 0) + 1;
      }
    };
    const clients = [client(), client(), client()];
    for (let number = 2; number <= 5; number += 1) {
      await serve(ingressOf(1, { routes: routesOf(one) }), ingressOf(number));
      await serve(ingressOf(1, { routes: routesOf(one, other) }), ingressOf(number));
    }
    isOver = true;
    await Promise.all(clients);
    assert.deepEqual(Object.keys(counts), ['200']);
    assert.ok((counts[200] ?? 0) > 100, `${counts[200]} requests`);
  });

  it('a websocket whose ingress is gone is still counted', async () => {
    await serve(ingressOf(1, { routes: routes() }));
    const { socket, says } = await websocket();
    await serve(ingressOf(2, { routes: routes() }));
    socket.write('still here\n');
    await says('still here\n');
    await scene.server.look();
    assert.deepEqual(
      scene.server.observed().map(({ id, connections }) => [id, connections]),
      [
        [ingressId(2), 0],
        [ingressId(1), 1],
      ],
    );
    socket.destroy();
    await until('it ends', async () => (await openOf(ingressId(1))) === 0);
  });

  it('of workers with old connections there are only so many: the oldest end', async () => {
    await using crowded = await gatewayScene({ max_old_workers: 1 });
    const [echo] = web.server.listeners('upgrade');
    const far = await crowded.service('far');
    far.server.on('upgrade', echo as (...args: unknown[]) => void);
    const section = (number: number) => [
      ingressOf(1, { routes: [routeOf({ targets: [far.target(1)] })] }),
      ...(number === 0 ? [] : [ingressOf(number + 1)]),
    ];
    const open: Socket[] = [];
    for (let number = 0; number < 5; number += 1) {
      await crowded.server.serve({ section: section(number), ca: undefined });
      open.push((await websocket(crowded.http_port)).socket);
    }
    const taking = (await crowded.nginx.workers()).length;
    await crowded.server.look();
    const gone = Math.max(0, 4 - Math.max(1, taking));
    await until('the oldest end', async () => open.filter((socket) => socket.closed).length >= gone);
    const states = open.map((socket) => socket.closed);
    assert.deepEqual(
      states,
      states.toSorted((a, b) => Number(b) - Number(a)),
      'those that came first',
    );
    assert.equal(states.filter((closed) => closed).length, gone);
    for (const socket of open) socket.destroy();
  });

  it('requests that fail, and clients that leave, leave no count behind', async () => {
    const held: (() => void)[] = [];
    const slow = await scene.service('slow', (asked, answer) => {
      if (asked.url === '/cut') asked.socket.destroy();
      else held.push(() => answer.end('slow'));
    });
    const targets = [slow.target(2)];
    await serve(ingressOf(1, { routes: [routeOf({ targets })] }));
    assert.equal((await scene.ask(WWW, { path: '/cut' })).status, 502);
    const asked = request({ host: '127.0.0.1', port: scene.http_port, headers: { host: WWW }, agent: false });
    asked.on('error', () => undefined).end();
    await until('it is counted', async () => (await openOf(ingressId(1))) === 1);
    asked.destroy();
    await until('the client is gone', async () => (await openOf(ingressId(1))) === 0);
    await serve(ingressOf(1, { routes: [routeOf({ targets: [] })] }));
    assert.equal((await scene.ask(WWW)).status, 503);
    assert.equal(await openOf(ingressId(1)), 0);
  });

  it('the count of a worker that was killed is left out', async () => {
    await serve(ingressOf(1, { routes: routes() }));
    const { socket } = await websocket();
    await until('it is counted', async () => (await openOf(ingressId(1))) === 1);
    const closed = once(socket, 'close');
    for (const pid of await scene.workers()) process.kill(pid, 'SIGKILL');
    await closed;
    await until('another worker says so', async () => (await openOf(ingressId(1))) === 0);
    assert.deepEqual(await scene.tally(WWW, 2), { web: 2 });
  });

  it('an upload reaches the service while it is sent', async () => {
    const pieces: string[] = [];
    const sink = await scene.service('sink', (asked, answer) => {
      asked.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece));
      asked.on('end', () => answer.end('done'));
    });
    await serve(ingressOf(1, { routes: [routeOf({ targets: [sink.target(3)] })] }));
    const asked = request({
      host: '127.0.0.1',
      port: scene.http_port,
      method: 'POST',
      headers: { host: WWW, 'content-length': 11 },
      agent: false,
    });
    asked.write('first ');
    await until('the first piece is there', async () => pieces.join('') === 'first ');
    asked.end('piece');
    const [answer] = await once(asked, 'response');
    assert.equal(answer.statusCode, 200);
    assert.equal(pieces.join(''), 'first piece');
  });

  it('an ingress that drains lets connections end, and refuses new ones once clients had time to move', async () => {
    await serve(ingressOf(1, { routes: routes() }));
    const { socket, says } = await websocket();
    const workers = await scene.workers();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    assert.equal((await scene.ask(WWW, { agent })).headers.connection, 'keep-alive');
    await serve(ingressOf(1, { routes: routes(), draining: true }));
    await until('clients are asked to leave', async () => {
      const last = await scene.ask(WWW, { agent });
      assert.equal(last.status, 200);
      return last.headers.connection === 'close';
    });
    assert.equal((await scene.ask(WWW)).status, 200, 'in the time that clients have');
    const posted = await scene.ask(WWW, { method: 'POST', body: 'x'.repeat(100_000) });
    assert.equal(posted.status, 200);

    // As if that had been a minute ago.
    scene.setAhead(-60_000);
    await serve(ingressOf(1, { routes: routes(), draining: false }));
    await serve(ingressOf(1, { routes: routes(), draining: true }));
    scene.setAhead(0);
    const drained = () => scene.ask(WWW).then(({ status }) => status);
    assert.equal(await drained(), 503);
    await serve(ingressOf(1, { routes: routes(), draining: true }));
    assert.equal(await drained(), 503, 'it drains since then, however often it is said');
    const refused = await scene.ask(WWW);
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1']);
    assert.equal(refused.headers.connection, 'close');
    socket.write('still here\n');
    await says('still here\n');
    assert.deepEqual(await scene.workers(), workers, 'without a reload');
    await serve(ingressOf(1, { routes: routes() }));
    assert.equal((await scene.ask(WWW)).status, 200);
    socket.destroy();
    agent.destroy();
  });
});
