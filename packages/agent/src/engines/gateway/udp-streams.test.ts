/** Datagrams to a port of a gateway, which nginx passes on as they are. */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import type { AssignedTarget } from '@meshwork/contract';
import { DEFAULT_TRAFFIC } from '@meshwork/contract/vocabulary';
import { type GatewayScene, gatewayScene } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';
import { datagramService } from '../../../test/stream-service.ts';

/** Sessions end a second after their last datagram. */
const BRIEF = { ...DEFAULT_TRAFFIC, idle_timeout_s: 1 };

describe('a UDP port of a gateway', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let one: Awaited<ReturnType<typeof datagramService>>;
  let two: Awaited<ReturnType<typeof datagramService>>;
  before(async () => {
    scene = await gatewayScene();
    [one, two] = [await datagramService('one'), await datagramService('two')];
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
    await one[Symbol.asyncDispose]();
    await two[Symbol.asyncDispose]();
  });

  type Over = Parameters<typeof routeOf>[0];
  const udp = (targets: AssignedTarget[], over: Over = {}, draining = false) =>
    ingressOf(1, {
      kind: 'udp',
      port: scene.stream_port,
      draining,
      routes: [routeOf({ protocol: 'udp', check: { kind: 'none' }, traffic: BRIEF, targets, ...over })],
    });
  const serve = (...section: readonly ReturnType<typeof ingressOf>[]) => scene.server.serve({ section, ca: undefined });
  const both = () => [one.target(1), two.target(2)];
  const sessions = async () => {
    await scene.server.look();
    return scene.server.observed().find(({ id }) => id === ingressId(1))?.connections;
  };

  /** A client with one socket. */
  async function client(from = '127.0.0.1') {
    const socket = createSocket('udp4');
    const heard: string[] = [];
    socket.on('message', (text) => heard.push(text.toString()));
    socket.on('error', () => undefined);
    socket.bind(0, from);
    await once(socket, 'listening');
    return {
      heard,
      send: (text: string) => socket.send(text, scene.stream_port, '127.0.0.1'),
      /** Who answered. Datagrams may be lost: it is sent until there is an answer. */
      ask: async (text: string) => {
        const answer = () => heard.find((one) => one.endsWith(`:${text}`));
        await until(`${text} is answered`, async () => {
          if (answer() === undefined) socket.send(text, scene.stream_port, '127.0.0.1');
          return answer() !== undefined;
        });
        return answer()?.split(':')[0];
      },
      [Symbol.dispose]: () => {
        socket.close();
      },
    };
  }

  it('leads to the nodes of a service, a client with one socket always to the same', async () => {
    await serve(udp(both()));
    const found = new Set<string | undefined>();
    for (let number = 0; number < 30; number += 1) {
      using asking = await client();
      const first = await asking.ask('a');
      for (const text of 'bcdefgh') assert.equal(await asking.ask(text), first);
      found.add(first);
    }
    assert.deepEqual(found, new Set(['one', 'two']));
    assert.equal(await scene.server.fault(), null);
  });

  it('takes nodes away without a reload, counts sessions, and ends idle ones', async () => {
    await serve(udp([one.target(1)]));
    await until('those before have ended', async () => (await sessions()) === 0);
    const workers = await scene.workers();
    using asking = await client();
    assert.equal(await asking.ask('a'), 'one');
    assert.equal(await sessions(), 1);
    await serve(udp([two.target(2)]));
    using other = await client();
    assert.equal(await other.ask('b'), 'two');
    await until('they end', async () => (await sessions()) === 0);
    assert.deepEqual(await scene.workers(), workers);
  });

  it('answers over a reload: a client goes on with a new session', async () => {
    await serve(udp([one.target(1)]));
    using asking = await client();
    assert.equal(await asking.ask('a'), 'one');
    await serve(udp([one.target(1)]), ingressOf(2));
    assert.equal(await asking.ask('b'), 'one');
    await serve(udp(both(), { balance: 'hash:address' }), ingressOf(3));
    const home = await asking.ask('c');
    await serve(udp(both(), { balance: 'hash:address' }), ingressOf(4));
    assert.equal(await asking.ask('d'), home, 'and by its address to the same node');
  });

  it('drains: no new client gets an answer', async () => {
    await serve(udp([one.target(1)]));
    using known = await client();
    await known.ask('a');
    scene.setAhead(-60_000);
    await serve(udp([one.target(1)], {}, true));
    scene.setAhead(0);
    using late = await client();
    late.send('b');
    assert.equal(await known.ask('c'), 'one');
    assert.deepEqual(late.heard, []);
    assert.equal(scene.server.observed()[0]?.refuses, true);
    await serve(udp([one.target(1)]));
    assert.equal(await late.ask('d'), 'one');
  });

  it('lets in by lists of networks', async () => {
    const networks = { allow: [], deny: ['127.0.5.0/24'] };
    await serve(udp([one.target(1)], { traffic: { ...BRIEF, networks } }));
    using denied = await client('127.0.5.1');
    using allowed = await client('127.0.6.1');
    denied.send('a');
    assert.equal(await allowed.ask('b'), 'one');
    assert.deepEqual(denied.heard, []);
  });

  it('that another program has is left out in words, and beside TCP of the same number it is served', async () => {
    const taker = createSocket('udp4');
    taker.bind(scene.stream_port + 1, '127.0.0.1');
    await once(taker, 'listening');
    const routes = udp(both()).routes;
    const other = ingressOf(2, { kind: 'udp', port: scene.stream_port + 1, routes });
    await serve(udp(both()), other);
    const problems = () => scene.server.observed().flatMap(({ problem }) => problem ?? []);
    assert.deepEqual(problems(), [`another program has UDP port ${scene.stream_port + 1}`]);
    taker.close();
    const tcp = ingressOf(3, { kind: 'tcp', port: scene.stream_port, routes });
    await serve(udp(both()), other, tcp);
    assert.deepEqual([scene.server.observed().length, problems()], [3, []]);
  });
});
