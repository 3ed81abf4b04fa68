/** What a drain with a deadline ends where nginx looks into requests, and what it leaves alone. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type ClientRequest, request } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { GrpcServer } from '../../../test/grpc-scene.ts';
import { ingressId, ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';

const [WWW, OTHER, CALLS] = ['www-1.example.com', 'www-2.example.com', 'www-3.example.com'];
const AN_HOUR = { at: '2026-11-15T10:00:00Z', after_s: 3600 };

describe('requests through an ingress whose drain has a deadline', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let grpc: GrpcServer;
  let chain: string;
  before(async () => {
    scene = await gatewayScene();
    chain = (await scene.certificate(WWW)).chain;
    grpc = await GrpcServer.start('calls');
    web = await scene.service('web', (asked, answer) => {
      if (asked.url === '/hold') return;
      if (asked.url === '/begin') answer.write('begun');
      else asked.resume().on('end', () => answer.end('web'));
    });
    web.server.on('upgrade', (_asked, socket: Socket) => {
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.pipe(socket);
    });
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
    await grpc[Symbol.asyncDispose]();
  });

  let ahead_s = 0;
  const pass = (seconds: number) => {
    ahead_s += seconds;
    scene.setUptimeAhead(ahead_s);
  };
  const www = (over: Parameters<typeof ingressOf>[1] = {}) =>
    ingressOf(1, { tls: { chain, redirect: false }, routes: [routeOf({ targets: [web.target(1)] })], ...over });
  const other = () =>
    ingressOf(2, { tls: { chain, redirect: false }, routes: [routeOf({ targets: [web.target(1)] })] });
  const calls = (over: Parameters<typeof ingressOf>[1] = {}) =>
    ingressOf(3, {
      tls: { chain, redirect: false },
      routes: [routeOf({ protocol: 'grpc', check: { kind: 'none' }, targets: [grpc.target(3)] })],
      ...over,
    });
  const drained = { draining: true, deadline: AN_HOUR } as const;
  const serve = (...section: readonly ReturnType<typeof ingressOf>[]) => scene.server.serve({ section, ca: undefined });
  const openOf = async (id: string) => (await scene.control.open()).get(id) ?? 0;
  const reported = (number = 1) => scene.server.observed().find(({ id }) => id === ingressId(number));
  const settled = async (number = 1) => {
    await until('nothing is left', async () => {
      await scene.server.look();
      return reported(number)?.connections === 0;
    });
    return reported(number);
  };
  beforeEach(() => serve(www(), other(), calls()));

  async function websocket(host: string) {
    const headers = { host, upgrade: 'websocket', connection: 'Upgrade' };
    const asked = request({ host: '127.0.0.1', port: scene.http_port, headers, agent: false });
    asked.end();
    const [, socket] = (await once(asked, 'upgrade')) as [unknown, Socket];
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.resume();
    const says = async (line: string) => {
      socket.write(line);
      await until(`it says ${line}`, async () => text.includes(line));
    };
    await says('first');
    return { socket, says };
  }

  /** Answers with `ended` once the client knows that it is over. */
  function asked(host: string, path: string) {
    const sent: ClientRequest = request({
      host: '127.0.0.1',
      port: scene.http_port,
      path,
      headers: { host },
      agent: false,
    });
    let over = false;
    const ended = () => {
      over = true;
    };
    sent.on('error', ended).on('close', ended);
    sent.on('response', (response) => response.on('error', ended).on('close', ended).resume());
    sent.end();
    return { sent, over: () => over };
  }

  function session(host: string): ClientHttp2Session {
    const to = `https://127.0.0.1:${scene.https_port}`;
    const made = connectHttp2(to, { servername: host, rejectUnauthorized: false });
    made.on('error', () => undefined);
    return made;
  }

  function stream(on: ClientHttp2Session, host: string, path: string) {
    const sent = on.request({ ':path': path, ':authority': host });
    sent.on('error', () => undefined).resume();
    return sent;
  }

  it('it ends what is open of every kind, counts it, and leaves another ingress alone', async () => {
    const [socket, same] = [await websocket(WWW), await websocket(OTHER)];
    const [held, begun, kept] = [asked(WWW, '/hold'), asked(WWW, '/begin'), asked(OTHER, '/hold')];
    const [http2, http2_other] = [session(WWW), session(OTHER)];
    const [one, two, three] = [
      stream(http2, WWW, '/hold'),
      stream(http2, WWW, '/begin'),
      stream(http2_other, OTHER, '/hold'),
    ];
    await until('all are open', async () => (await openOf(ingressId(1))) === 5 && (await openOf(ingressId(2))) === 3);
    const workers = await scene.workers();
    await serve(www(drained), other(), calls());
    assert.deepEqual([reported()?.deadline, reported()?.cut, reported()?.refuses], [AN_HOUR.at, 0, undefined]);
    pass(3599);
    await scene.server.look();
    assert.deepEqual([reported()?.connections, reported()?.cut], [5, 0]);
    assert.equal((await scene.ask(WWW)).status, 200, 'in the time that clients have to move');
    pass(2);
    const result = await settled();
    assert.deepEqual([result?.cut, result?.refuses], [5, true]);
    await until(
      'the clients know',
      async () => socket.socket.closed && held.over() && begun.over() && one.closed && two.closed,
    );
    assert.equal((await scene.ask(WWW)).status, 503);
    await same.says('still here');
    assert.deepEqual(
      [kept.over(), three.closed, await openOf(ingressId(2)), reported(2)?.cut],
      [false, false, 3, undefined],
    );
    assert.deepEqual(await scene.workers(), workers, 'without a reload');
    await serve(www(), other(), calls());
    assert.equal((await scene.ask(WWW)).status, 200, 'undrained, it serves again');
    assert.equal(reported()?.cut, undefined);
    same.socket.destroy();
    kept.sent.destroy();
    http2_other.destroy();
    await until('the others end', async () => (await openOf(ingressId(2))) === 0);
  });

  it('a connection that carries requests for two names loses only those of the one', async () => {
    const shared = session(WWW);
    const [own, others] = [stream(shared, WWW, '/hold'), stream(shared, OTHER, '/hold')];
    await until('both are open', async () => (await openOf(ingressId(1))) + (await openOf(ingressId(2))) === 2);
    await serve(www({ ...drained, deadline: { ...AN_HOUR, after_s: 0 } }), other(), calls());
    assert.equal((await settled())?.cut, 1);
    await until('the client knows', async () => own.closed);
    assert.deepEqual([others.closed, shared.closed], [false, false]);
    const answered = stream(shared, OTHER, '/');
    const [headers] = await once(answered, 'response');
    assert.equal(headers[':status'], 200);
    shared.destroy();
  });

  it('a call of gRPC that goes on ends', async () => {
    const made = session(CALLS);
    const call = made.request({
      ':method': 'POST',
      ':path': '/test.Echo/Talk',
      ':authority': CALLS,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.on('error', () => undefined).resume();
    call.write('x');
    await until('it is open', async () => (await openOf(ingressId(3))) === 1);
    await serve(www(), other(), calls({ ...drained, deadline: { ...AN_HOUR, after_s: 0 } }));
    assert.equal((await settled(3))?.cut, 1);
    await until('the client knows', async () => call.closed);
    made.destroy();
  });

  it('connections that wait for another request are closed, and count as nothing that was cut', async () => {
    const idle = new Agent({ keepAlive: true, maxSockets: 1 });
    const busy = new Agent({ keepAlive: true, maxSockets: 1 });
    await scene.ask(WWW, { agent: idle });
    await scene.ask(OTHER, { agent: busy });
    const http2 = session(WWW);
    await once(stream(http2, WWW, '/'), 'response');
    const sockets = (agent: Agent) => Object.values(agent.freeSockets).flat().length;
    await until('both wait', async () => sockets(idle) === 1 && sockets(busy) === 1);
    await serve(www({ ...drained, deadline: { ...AN_HOUR, after_s: 0 } }), other(), calls());
    await until('they are closed', async () => {
      await scene.server.look();
      return sockets(idle) === 0 && http2.closed;
    });
    assert.deepEqual([sockets(busy), reported()?.cut], [1, 0]);
    idle.destroy();
    busy.destroy();
  });

  it('what an earlier configuration still holds ends too', async () => {
    const { socket } = await websocket(WWW);
    const same = await websocket(OTHER);
    await serve(www(), other(), calls(), ingressOf(4));
    await serve(www(), other(), calls(), ingressOf(5));
    await serve(www({ ...drained, deadline: { ...AN_HOUR, after_s: 0 } }), other(), calls(), ingressOf(5));
    assert.equal((await settled())?.cut, 1);
    await until('the client knows', async () => socket.closed);
    await same.says('still here');
    same.socket.destroy();
    await until('the old workers go', async () => (await openOf(ingressId(2))) === 0);
  });

  it('an agent that was started anew goes on with the time that is left, whatever the clock says', async () => {
    const { socket } = await websocket(WWW);
    await serve(www(drained), other(), calls());
    pass(3000);
    scene.setAhead(-7 * 24 * 3_600_000);
    const next = scene.another();
    await next.server.serve({ section: [www(drained), other(), calls()], ca: undefined });
    const said = () => next.server.observed().find(({ id }) => id === ingressId(1));
    assert.deepEqual([said()?.deadline, said()?.connections, said()?.cut], [AN_HOUR.at, 1, 0]);
    scene.setAhead(7 * 24 * 3_600_000);
    await next.server.look();
    assert.equal(said()?.connections, 1);
    pass(601);
    await until('it ends', async () => {
      await next.server.look();
      return said()?.connections === 0 && socket.closed;
    });
    assert.equal(said()?.cut, 1);
    const again = scene.another();
    await again.server.serve({ section: [www(drained), other(), calls()], ca: undefined });
    assert.equal(again.server.observed().find(({ id }) => id === ingressId(1))?.cut, 1, 'it is not forgotten');
    next.checks.stop();
    scene.setAhead(0);
    await again.server.serve({ section: [www(), other(), calls()], ca: undefined });
  });
});
