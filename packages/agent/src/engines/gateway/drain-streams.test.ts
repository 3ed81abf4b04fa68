/** What a drain with a deadline ends where nginx does not look into connections, and what it leaves alone. */
import assert from 'node:assert/strict';
import { createSocket, type Socket as Datagrams } from 'node:dgram';
import { once } from 'node:events';
import { connect as connectPlain, createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { DEFAULT_TRAFFIC } from '@meshwork/contract/vocabulary';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';
import { client, clientOn, datagramService, type StreamService, streamService } from '../../../test/stream-service.ts';

const [WWW, VAULT] = ['www-1.example.com', 'www-3.example.com'];
const AT_ONCE = { draining: true, deadline: { at: '2026-11-15T10:00:00Z', after_s: 0 } } as const;
type Over = Parameters<typeof ingressOf>[1];

describe('connections that nginx does not look into, through an ingress whose drain has a deadline', {
  timeout: 160_000,
}, () => {
  let scene: GatewayScene;
  let web: Service;
  let one: StreamService;
  let two: StreamService;
  let vault: StreamService;
  let chain: string;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
    chain = (await scene.certificate(WWW)).chain;
    one = await streamService('one');
    two = await streamService('two');
    vault = await streamService('vault', { tls: await scene.certificate(VAULT) });
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
    for (const service of [one, two, vault]) await service[Symbol.asyncDispose]();
  });

  const route = (service: { target(number: number): ReturnType<StreamService['target']> }, number: number) =>
    routeOf({ protocol: 'tcp', check: { kind: 'none' }, targets: [service.target(number)] });
  const tcp = (service: StreamService = one, over: Over = {}) =>
    ingressOf(1, { kind: 'tcp', port: scene.stream_port, routes: [route(service, 1)], ...over });
  const more = (service: StreamService = two, over: Over = {}) =>
    ingressOf(2, { kind: 'tcp', port: scene.stream_port + 1, routes: [route(service, 2)], ...over });
  const through = (over: Over = {}) => ingressOf(3, { kind: 'tls', routes: [route(vault, 3)], ...over });
  const http = (over: Over = {}) =>
    ingressOf(4, {
      hostname: WWW,
      tls: { chain, redirect: false },
      routes: [routeOf({ targets: [web.target(4)] })],
      ...over,
    });
  const serve = (...section: readonly ReturnType<typeof ingressOf>[]) => scene.server.serve({ section, ca: undefined });
  const reported = (number: number) => scene.server.observed().find(({ id }) => id === ingressId(number));
  const settled = async (number: number) => {
    await until('nothing is left', async () => {
      await scene.server.look();
      return reported(number)?.connections === 0;
    });
    return reported(number);
  };
  const dialTls = async (servername: string) => {
    const to = { host: '127.0.0.1', port: scene.https_port, servername, rejectUnauthorized: false };
    const socket = connectTls(to).on('error', () => undefined);
    await once(socket, 'secureConnect');
    return socket;
  };

  it('of a port, exactly those are ended and counted, and those of another port go on', async () => {
    await serve(tcp(), more());
    const own = [client(scene.stream_port), client(scene.stream_port), client(scene.stream_port)];
    const others = [client(scene.stream_port + 1), client(scene.stream_port + 1)];
    for (const each of own) assert.equal(await each.say('x'), 'one:x');
    for (const each of others) assert.equal(await each.say('x'), 'two:x');
    await serve(tcp(one, AT_ONCE), more());
    const result = await settled(1);
    assert.deepEqual([result?.cut, result?.refuses], [3, true]);
    for (const each of own) await each.ended;
    await until('the service knows', async () => one.open === 0);
    const refused = client(scene.stream_port);
    refused.socket.end('x');
    assert.equal(await refused.ended, '');
    for (const each of others) assert.equal(await each.say('y'), 'two:y');
    await serve(tcp(), more());
    const again = client(scene.stream_port);
    assert.equal(await again.say('x'), 'one:x', 'undrained, it serves again');
    for (const { socket } of [...own, ...others, again]) socket.destroy();
  });

  it('a service that keeps its side open keeps nothing up', async () => {
    const held: Socket[] = [];
    const stubborn = createServer({ allowHalfOpen: true }, (socket) => {
      held.push(socket.on('error', () => undefined));
      socket.resume();
    });
    stubborn.listen(0, '127.0.0.1');
    await once(stubborn, 'listening');
    const { port } = stubborn.address() as { port: number };
    const to = (over: Over = {}) =>
      tcp({ ...one, target: (number: number) => one.target(number, { port }) } as StreamService, over);
    await serve(to(), more());
    const { socket, ended } = client(scene.stream_port);
    await until('it is there', async () => held.length === 1);
    await serve(to(AT_ONCE), more());
    assert.equal((await settled(1))?.cut, 1);
    await ended;
    socket.destroy();
    for (const each of held) each.destroy();
    stubborn.close();
  });

  it('two ports that lead to one node: only those of the one are ended', async () => {
    await serve(tcp(), more(one));
    const [own, other] = [client(scene.stream_port), client(scene.stream_port + 1)];
    await own.say('x');
    await other.say('x');
    await serve(tcp(one, AT_ONCE), more(one));
    assert.equal((await settled(1))?.cut, 1);
    await own.ended;
    assert.equal(await other.say('y'), 'one:y');
    for (const { socket } of [own, other]) socket.destroy();
  });

  it('of TLS that is passed through, those of one name are ended, and requests on the same port go on', async () => {
    await serve(through(), http());
    const vaulted = await dialTls(VAULT);
    assert.equal(await clientOn(vaulted).say('x'), 'vault:x');
    const kept = await dialTls(WWW);
    const get = `GET / HTTP/1.1\r\nHost: ${WWW}\r\n\r\n`;
    assert.match(await clientOn(kept).say(get, /web/), /200 OK/);
    await serve(through(AT_ONCE), http());
    assert.equal((await settled(3))?.cut, 1);
    await until('the client knows', async () => vaulted.closed || vaulted.readableEnded);
    assert.match(await clientOn(kept).say(get, /web/), /200 OK/);
    vaulted.destroy();

    kept.destroy();
  });

  it('requests behind a port that is shared with TLS that is passed through are ended by their name', async () => {
    await serve(through(), http());
    web.server.removeAllListeners('request');
    web.server.on('request', () => undefined); // it never answers
    const [vaulted, own] = [await dialTls(VAULT), await dialTls(WWW)];
    const said = clientOn(vaulted);
    assert.equal(await said.say('x'), 'vault:x');
    own.write(`GET / HTTP/1.1\r\nHost: ${WWW}\r\n\r\n`);
    await until('it is open', async () => ((await scene.control.open()).get(ingressId(4)) ?? 0) === 1);
    await serve(through(), http(AT_ONCE));
    assert.equal((await settled(4))?.cut, 1);
    await until('the client knows', async () => own.closed || own.readableEnded);
    assert.equal(await said.say('y'), 'vault:y');
    for (const socket of [vaulted, own]) socket.destroy();
  });

  it('of datagrams, sessions are ended and counted, and those to another service go on', async () => {
    await using first = await datagramService('first');
    await using second = await datagramService('second');
    const traffic = { ...DEFAULT_TRAFFIC, idle_timeout_s: 60 };
    const udp = (number: number, port: number, service: typeof first, over: Over = {}) =>
      ingressOf(number, {
        kind: 'udp',
        port,
        routes: [routeOf({ protocol: 'udp', check: { kind: 'none' }, traffic, targets: [service.target(number)] })],
        ...over,
      });
    const [one_port, other_port] = [scene.stream_port, scene.stream_port + 1];
    await serve(udp(5, one_port, first), udp(6, other_port, second));
    const sockets: Datagrams[] = [];
    const talker = async (port: number) => {
      const socket = createSocket('udp4');
      sockets.push(socket);
      const heard: string[] = [];
      socket.on('message', (text) => heard.push(text.toString()));
      return {
        heard,
        ask: async (text: string) =>
          await until(`${text} is answered`, async () => {
            socket.send(text, port, '127.0.0.1');
            return heard.some((line) => line.endsWith(`:${text}`));
          }),
        send: (text: string) => socket.send(text, port, '127.0.0.1'),
      };
    };
    const [own, also, others] = [await talker(one_port), await talker(one_port), await talker(other_port)];
    for (const each of [own, also, others]) await each.ask('x');
    await serve(udp(5, one_port, first, AT_ONCE), udp(6, other_port, second));
    assert.equal((await settled(5))?.cut, 2);
    for (let number = 0; number < 20; number += 1) own.send(`late ${number}`);
    await others.ask('y');
    assert.deepEqual(
      own.heard.filter((text) => text.includes('late')),
      [],
    );
    await scene.server.look();
    assert.deepEqual([reported(5)?.cut, reported(5)?.connections, reported(6)?.connections], [2, 0, 1]);
    await serve(udp(5, one_port, first), udp(6, other_port, second));
    await own.ask('again');
    for (const socket of sockets) socket.close();
  });

  it('behind load balancers too, and what an ended nginx had counted is kept', async () => {
    await using behind = await gatewayScene({ proxy_protocol: ['127.0.9.0/24'] });
    const section = (over: Over = {}) => [
      ingressOf(1, { kind: 'tcp', port: behind.stream_port, routes: [route(one, 1)], ...over }),
      ingressOf(2, { kind: 'tcp', port: behind.stream_port + 1, routes: [route(two, 2)] }),
    ];
    const dial = (port: number) => {
      const socket = connectPlain({ host: '127.0.0.1', port, localAddress: '127.0.9.1' });
      socket.write(`PROXY TCP4 203.0.113.9 198.51.100.1 40000 ${port}\r\n`);
      return clientOn(socket);
    };
    await behind.server.serve({ section: section(), ca: undefined });
    const [own, other] = [dial(behind.stream_port), dial(behind.stream_port + 1)];
    await own.say('x');
    await other.say('x');
    await behind.server.serve({ section: section(AT_ONCE), ca: undefined });
    const said = () => behind.server.observed().find(({ id }) => id === ingressId(1));
    await until('it ends', async () => {
      await behind.server.look();
      return said()?.connections === 0;
    });
    assert.equal(said()?.cut, 1);
    await own.ended;
    assert.equal(await other.say('y'), 'two:y');
    const workers = await behind.workers();
    process.kill((await behind.nginx.pid()) ?? assert.fail(), 'SIGKILL');
    for (const pid of workers) process.kill(pid, 'SIGKILL');
    await until('it is gone', async () => (await behind.nginx.pid()) === undefined);
    await behind.server.serve({ section: section(AT_ONCE), ca: undefined });
    await behind.server.look();
    assert.equal(said()?.cut, 1);
    for (const { socket } of [own, other]) socket.destroy();
  });
});
