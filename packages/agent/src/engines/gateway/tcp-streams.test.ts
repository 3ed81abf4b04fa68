/** Connections to a port of a gateway that nginx passes on as they are. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { AssignedRoute, AssignedTarget } from '@meshwork/contract';
import { DEFAULT_TRAFFIC } from '@meshwork/contract/vocabulary';
import { type GatewayScene, gatewayScene } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';
import { client, type StreamService, streamService, whoAnswers } from '../../../test/stream-service.ts';

type Over = Parameters<typeof routeOf>[0];

describe('a port of a gateway', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let one: StreamService;
  let two: StreamService;
  before(async () => {
    scene = await gatewayScene();
    [one, two] = [await streamService('one'), await streamService('two')];
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
    await one[Symbol.asyncDispose]();
    await two[Symbol.asyncDispose]();
  });

  const route = (targets: readonly AssignedTarget[], over: Over = {}): AssignedRoute =>
    routeOf({ protocol: 'tcp', check: { kind: 'none' }, targets: [...targets], ...over });
  const tcp = (targets: readonly AssignedTarget[], over: Over = {}, draining = false) =>
    ingressOf(1, { kind: 'tcp', port: scene.stream_port, draining, routes: [route(targets, over)] });
  const serve = (...section: readonly ReturnType<typeof ingressOf>[]) => scene.server.serve({ section, ca: undefined });
  const both = () => [one.target(1), two.target(2)];
  const who = (times: number, from?: (number: number) => string) => whoAnswers(scene.stream_port, times, from);
  const connections = async () => {
    await scene.server.look();
    return scene.server.observed().find(({ id }) => id === ingressId(1))?.connections;
  };

  it('leads to the nodes of a service, over IPv4 and IPv6', async () => {
    await serve(tcp(both()));
    assert.deepEqual(Object.keys(await who(30)).sort(), ['one', 'two']);
    const over6 = client(scene.stream_port, '::1', '::1');
    over6.socket.end('x');
    assert.match(await over6.ended, /^(?:one|two):x\.$/, 'what is sent after the client has ended arrives');
    assert.equal(await scene.server.fault(), null);
  });

  it('adds, removes and weighs nodes without a reload', async () => {
    await serve(tcp([one.target(1)]));
    const workers = await scene.workers();
    assert.deepEqual(await who(10), { one: 10 });
    await serve(tcp(both()));
    assert.deepEqual(Object.keys(await who(30)).sort(), ['one', 'two']);
    await serve(tcp([one.target(1), two.target(2, { weight: 0 })]));
    assert.deepEqual(await who(10), { one: 10 });
    await serve(tcp([one.target(1, { weight: 1 }), two.target(2, { weight: 50 })]));
    const { one: few = 0, two: many = 0 } = await who(100);
    assert.ok(many > 80 && few < 20, `${few} and ${many}`);
    await serve(tcp([]));
    assert.deepEqual(await who(2), { '-': 2 });
    assert.deepEqual(await scene.workers(), workers);
  });

  it('leaves out a node whose check fails, without a reload', async () => {
    const dying = await streamService('dying');
    const check = { kind: 'tcp', interval_s: 1, rise: 1, fall: 1 } as const;
    await serve(tcp([one.target(1), dying.target(3)], { check }));
    const workers = await scene.workers();
    assert.deepEqual(Object.keys(await who(30)).sort(), ['dying', 'one']);
    await dying[Symbol.asyncDispose]();
    const upstreams = () => scene.server.observed()[0]?.upstreams ?? [];
    await until('it is down', async () => upstreams().some(({ state }) => state === 'down'));
    await until('it gets no connection', async () => (await who(10)).one === 10);
    await using _again = await streamService('dying', { port: dying.port });
    await until('it is up', async () => upstreams().every(({ state }) => state === 'up'));
    await until('it gets connections again', async () => (await who(5)).dying !== undefined);
    assert.deepEqual(await scene.workers(), workers);
  });

  it('goes on to another node when one refuses, also without its check', async () => {
    const dead = await streamService('dead');
    const target = dead.target(3);
    await serve(ingressOf(9), tcp([...both(), target]));
    await dead[Symbol.asyncDispose]();
    const { one: first = 0, two: second = 0, ...others } = await who(60);
    assert.deepEqual(others, {});
    assert.ok(first > 0 && second > 0);
    const also = await streamService('also');
    await serve(ingressOf(7), tcp([one.target(1), target, also.target(4)]));
    await also[Symbol.asyncDispose]();
    assert.deepEqual(await who(40), { one: 40 }, 'and from that one to the next');
  });

  it('sends no connection to a node that is gone, whatever it stood in for', async () => {
    await using gone = await streamService('gone');
    const dead = await streamService('dead');
    await serve(ingressOf(8), tcp([dead.target(3), gone.target(4)]));
    await dead[Symbol.asyncDispose]();
    assert.deepEqual(await who(10), { gone: 10 });
    await serve(ingressOf(8), tcp([dead.target(3)]));
    assert.deepEqual(await who(3), { '-': 3 });
  });

  it('leads an address to the same node, and moves only the share of one that goes', async () => {
    await using three = await streamService('three');
    const all = [...both(), three.target(3)];
    const hash = { balance: 'hash:address' };
    const homes = async () => {
      const found: string[] = [];
      for (let number = 1; number <= 30; number += 1) {
        const [name = ''] = Object.keys(await who(1, () => `127.0.7.${number}`));
        found.push(name);
      }
      return found;
    };
    await serve(tcp(all, hash));
    const before = await homes();
    assert.equal(new Set(before).size, 3);
    assert.deepEqual(await homes(), before);
    await serve(tcp(both(), hash));
    const moved = await homes();
    assert.ok(before.every((name, index) => name === 'three' || moved[index] === name));
    assert.ok(!moved.includes('three'));
  });

  it('gives a canary its share, and all to the other one when a service has no node', async () => {
    const pools = (percent: number, canary: AssignedTarget[]) => [
      { service: 'db', percent: 100 - percent, targets: [one.target(1)] },
      { service: 'db-next', percent, targets: canary },
    ];
    await serve(tcp([], { pools: pools(50, [two.target(2)]) }));
    assert.deepEqual(Object.keys(await who(40)).sort(), ['one', 'two']);
    await serve(tcp([], { pools: pools(50, []) }));
    assert.deepEqual(await who(10), { one: 10 });
  });

  it('prefers nodes with fewer connections, as they were last counted', async () => {
    await serve(tcp([one.target(1)], { balance: 'least_connections' }));
    const busy = Array.from({ length: 30 }, () => client(scene.stream_port));
    for (const each of busy) await each.say('x');
    await serve(tcp(both(), { balance: 'least_connections' }));
    assert.equal(await connections(), 30);
    await scene.server.look();
    await until('the count is known to nginx', async () => {
      const written = JSON.parse((await scene.folder.read(`streams/${ingressId(1)}.json`)) ?? '{}');
      return written.pools[0].peers.some((peer: number[]) => peer[4] === 30);
    });
    const { two: many = 0 } = await who(30);
    assert.ok(many > 20, `${many}`);
    for (const { socket } of busy) socket.destroy();
    await until('none is left', async () => (await connections()) === 0);
  });

  it('drains: connections go on, new ones are refused once clients had time to move, and undrains', async () => {
    await serve(tcp(both()));
    const held = client(scene.stream_port);
    await held.say('x');
    const workers = await scene.workers();
    await serve(tcp(both(), {}, true));
    assert.notDeepEqual(await who(1), { '-': 1 }, 'in the time that clients have');
    assert.equal(scene.server.observed()[0]?.refuses, undefined);
    scene.setAhead(-60_000);
    await serve(tcp(both()));
    await serve(tcp(both(), {}, true));
    scene.setAhead(0);
    assert.deepEqual(await who(3), { '-': 3 });
    assert.match(await held.say('y'), /:y$/);
    assert.equal(await connections(), 1);
    assert.equal(scene.server.observed()[0]?.refuses, true);
    await serve(tcp(both()));
    assert.notDeepEqual(await who(1), { '-': 1 });
    assert.deepEqual(await scene.workers(), workers, 'without a reload');
    held.socket.destroy();
    await until('none is left', async () => (await connections()) === 0);
  });

  it('keeps connections over reloads, counts them, and also when the ingress is gone', async () => {
    await serve(tcp(both()));
    const held = client(scene.stream_port);
    await held.say('x');
    for (let number = 2; number <= 4; number += 1) {
      await serve(tcp(both()), ingressOf(number));
      assert.match(await held.say('y'), /:y$/);
      assert.equal(await connections(), 1);
    }
    await serve(ingressOf(2));
    assert.match(await held.say('z'), /:z$/);
    assert.equal(await connections(), 1);
    assert.deepEqual(await scene.folder.names('streams'), []);
    held.socket.destroy();
    await until('it ends', async () => (await connections()) === undefined);
  });

  it('is taken over by the next agent with its connections, and what was changed in its files is found', async () => {
    await serve(tcp(both()));
    const held = client(scene.stream_port);
    await held.say('x');
    const workers = await scene.workers();
    const next = scene.another();
    await next.server.serve({ section: [tcp([one.target(1)])], ca: undefined });
    assert.deepEqual(await next.nginx.workers(), workers);
    assert.equal(next.server.observed()[0]?.connections, 1);
    assert.deepEqual(await who(10), { one: 10 });
    assert.match(await held.say('y'), /:y$/);
    held.socket.destroy();
    await next.folder.write(`streams/${ingressId(1)}.json`, '{');
    assert.deepEqual(await who(1), { '-': 1 });
    assert.match((await next.server.fault()) ?? '', /streams\/ingress_\w+\.json was changed$/);
    await next.server.serve({ section: [tcp([one.target(1)])], ca: undefined });
    assert.deepEqual(await who(1), { one: 1 });
    await serve(tcp(both()));
  });

  it('is had again after its nginx was killed, whose workers still have it', async () => {
    await serve(tcp(both()));
    const master = (await scene.nginx.pid()) ?? assert.fail();
    const held = client(scene.stream_port);
    await held.say('x');
    process.kill(master, 'SIGKILL');
    await until('it is gone', async () => (await scene.nginx.pid()) === undefined);
    await serve(tcp(both()));
    assert.notDeepEqual(await who(1), { '-': 1 });
    assert.match(await held.say('y'), /:y$/);
    held.socket.destroy();
  });

  it('lets in by lists of networks, first by those that are denied', async () => {
    const networks = { allow: ['127.0.5.0/24'], deny: ['127.0.5.7/32'] };
    await serve(tcp(both(), { traffic: { ...DEFAULT_TRAFFIC, networks } }));
    const from = async (address: string) => Object.keys(await who(1, () => address))[0] !== '-';
    assert.deepEqual(await Promise.all(['127.0.5.1', '127.0.5.7', '127.0.0.1'].map(from)), [true, false, false]);
    await serve(tcp(both(), { traffic: { ...DEFAULT_TRAFFIC, networks: { allow: [], deny: ['127.0.5.7/32'] } } }));
    assert.deepEqual(await Promise.all(['127.0.5.1', '127.0.5.7', '127.0.0.1'].map(from)), [true, false, true]);
  });

  it('takes only so many connections of one address', async () => {
    const limits = { requests: null, connections: 2 };
    await serve(tcp(both(), { traffic: { ...DEFAULT_TRAFFIC, limits } }));
    const held = [client(scene.stream_port), client(scene.stream_port)];
    for (const each of held) await each.say('x');
    assert.deepEqual(await who(1), { '-': 1 });
    assert.notDeepEqual(await who(1, () => '127.0.0.9'), { '-': 1 });
    for (const { socket } of held) socket.destroy();
    await until('there is room again', async () => (await who(1))['-'] === undefined);
  });

  it('ends connections without a byte for too long', async () => {
    await serve(tcp(both(), { traffic: { ...DEFAULT_TRAFFIC, idle_timeout_s: 1 } }));
    const idle = client(scene.stream_port);
    await idle.say('x');
    await idle.ended;
    idle.socket.destroy();
  });

  it('says to the service who connects, by the PROXY protocol', async () => {
    await serve(tcp([one.target(1)], { proxy_protocol: true }));
    const said = client(scene.stream_port, '127.0.0.9');
    said.socket.end('x');
    // Its name stands before each piece that the service got: the header may come by itself.
    const text = await said.ended;
    assert.match(text, /^one:/);
    assert.match(
      text.replaceAll('one:', ''),
      new RegExp(`^PROXY TCP4 127\\.0\\.0\\.9 127\\.0\\.0\\.1 \\d+ ${scene.stream_port}\r\nx`),
    );
    said.socket.destroy();
  });

  it('that another program has is left out in words, and the rest is served; then it is tried again', async () => {
    const taker = createServer();
    taker.listen(scene.stream_port + 1, '127.0.0.1');
    await once(taker, 'listening');
    const other = ingressOf(2, { kind: 'tcp', port: scene.stream_port + 1, routes: [route(both())] });
    await serve(tcp(both()), other);
    assert.notDeepEqual(await who(1), { '-': 1 });
    assert.deepEqual(
      scene.server.observed().map(({ id, problem }) => [id, problem]),
      [
        [ingressId(1), undefined],
        [ingressId(2), `another program has TCP port ${scene.stream_port + 1}`],
      ],
    );
    assert.equal(await scene.server.hasMorePlaces(), false);
    const closed = once(taker, 'close');
    taker.close();
    await closed;
    assert.equal(await scene.server.hasMorePlaces(), true);
    await serve(tcp(both()), other);
    assert.deepEqual(
      scene.server.observed().map(({ problem }) => problem),
      [undefined, undefined],
    );
    await serve(tcp(both()), other, ingressOf(3));
  });
});
