/** What an ingress carries that is no website: TCP, UDP, gRPC, and TLS that the service ends. Through both gateways. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Ingress } from '@meshwork/contract';
import { until } from '../until.ts';
import { type GatewayScene, HOST } from './gateway-scene.ts';
import type { Entrance } from './visitor-calls.ts';
import type { RunningSocket } from './visitors.ts';

const TCP_PORT = 9100;
const UDP_PORT = 9101;
const SELECTED = { gateways: ['tag:role:gateway'], replicas: 2 };
const NODES = ['web-1', 'web-2'];

const openOn = ({ served_by }: Ingress, gateway: string) =>
  served_by.find(({ name }) => name === gateway)?.connections ?? null;

/** The ingress `shop` is served by both gateways. */
export function testsOfOtherKinds(scene: () => GatewayScene): void {
  describe('of another kind', () => {
    let mesh: GatewayScene;
    let addresses: readonly string[];
    before(async () => {
      mesh = scene();
      ({ addresses } = await mesh.entrance());
    });

    async function goesOn(socket: RunningSocket): Promise<void> {
      const { returned_bytes } = await socket.state();
      await until(
        async () => (await socket.state()).returned_bytes > returned_bytes,
        () => 'the connection goes on',
      );
      assert.equal((await socket.state()).ended, null);
    }

    test('passes on TCP, counts what is open, and keeps it through changes of others', async () => {
      await mesh.serve({ name: 'echo', kind: 'tcp', hostname: HOST, port: TCP_PORT, service: 'mqtt', ...SELECTED });
      const names = new Set<string>();
      for (const address of addresses) {
        await until(
          async () => {
            const one = await mesh.visitors.connection(address, TCP_PORT);
            names.add((await one.state()).service);
            await one.end();
            return names.size === NODES.length;
          },
          () => `both nodes: ${[...names].join()}`,
        );
      }
      assert.deepEqual([...names].sort(), NODES);
      const kept = await mesh.visitors.connection(addresses[0] ?? '', TCP_PORT);
      await mesh.untilIngress('echo', (one) => openOn(one, 'gw-1') === 1, 'one connection');
      await mesh.serve({ name: 'more', hostname: 'more.example.net', service: 'web', ...SELECTED });
      await goesOn(kept);
      await mesh.scene.client.call('ingress.delete', { params: { id: 'more' } });

      await mesh.scene.client.call('ingress.drain', { params: { id: 'echo' }, body: {} });
      const refused = async (address = addresses[1]) => {
        const next = await mesh.visitors.connection(address ?? '', TCP_PORT).catch(() => undefined);
        await next?.end();
        return next === undefined;
      };
      await until(refused, () => 'no new connection');
      await goesOn(kept);
      await kept.end();
      await mesh.untilIngress('echo', (one) => openOn(one, 'gw-1') === 0, 'none is left');
      await mesh.scene.client.call('ingress.undrain', { params: { id: 'echo' } });
      await until(
        async () => !(await refused()) && !(await refused(addresses[0])),
        () => 'connections again, by both',
      );

      // One that never ends by itself is ended at the deadline, and counted.
      const stays = await mesh.visitors.connection(addresses[0] ?? '', TCP_PORT);
      await mesh.untilIngress('echo', (one) => openOn(one, 'gw-1') === 1, 'one connection again');
      await mesh.scene.client.call('ingress.drain', { params: { id: 'echo' }, body: { deadline_s: 3 } });
      await goesOn(stays);
      const isDone = ({ drain }: Ingress) => drain?.drained_at != null && drain.cut === 1;
      await mesh.untilIngress('echo', isDone, 'it is drained at the deadline, with one connection cut');
      await mesh.scene.client.call('ingress.undrain', { params: { id: 'echo' } });
      await until(
        async () => !(await refused()),
        () => 'connections once more',
      );
    });

    test('says which ingress has a port that another one asks for', async () => {
      const body = {
        name: 'second',
        kind: 'tcp' as const,
        hostname: HOST,
        port: TCP_PORT,
        service: 'mqtt',
        ...SELECTED,
      };
      const { problem } = (await mesh.scene.client.call('ingress.create', { body })).body;
      assert.match(problem ?? '', new RegExp(`${TCP_PORT}.*echo`));
      await mesh.scene.client.call('ingress.delete', { params: { id: 'echo' } });
      await mesh.untilIngress(
        'second',
        (one) => one.served_by.length === 2 && one.problem === null,
        'the port is free',
      );
      await mesh.scene.client.call('ingress.delete', { params: { id: 'second' } });
    });

    test('passes on UDP', async () => {
      const body = {
        name: 'talk',
        kind: 'udp' as const,
        hostname: HOST,
        port: UDP_PORT,
        service: 'game',
        ...SELECTED,
      };
      await mesh.serve(body);
      for (const address of addresses) {
        const answer = await mesh.visitors.datagram(address, UDP_PORT, 'hello');
        assert.match(answer, /^web-[12] hello$/);
      }
      await mesh.scene.client.call('ingress.delete', { params: { id: 'talk' } });
    });

    test('passes on gRPC, both ways at once, and asks its nodes by its health protocol', async () => {
      const host = 'greeter.example.net';
      const upstream = { protocol: 'grpc' as const, check: { kind: 'grpc' as const, interval_s: 1, timeout_s: 1 } };
      await mesh.serve({ name: 'greeter', hostname: host, service: 'greeter', upstream, ...SELECTED });
      for (const name of ['gw-1', 'gw-2']) {
        const messages = ['one', 'two', 'three'];
        const answer = await mesh.visitors.grpc(await mesh.entrance(host, [name]), messages);
        assert.deepEqual([answer.status, answer.returned], ['0', messages]);
        assert.ok(NODES.includes(answer.service), answer.service);
      }
      await mesh.scene.client.call('ingress.delete', { params: { id: 'greeter' } });
    });

    test('leaves TLS to the service, on the port of all others, and none of their requests is lost', async () => {
      const host = 'vault.example.net';
      const shop: Entrance = await mesh.entrance();
      const socket = await mesh.visitors.socket(shop, '/ws');
      const load = await mesh.visitors.load(shop, '/?ms=10', 4);
      await mesh.serve({ name: 'vault', kind: 'tls', hostname: host, service: 'vault', ...SELECTED });
      for (const name of ['gw-1', 'gw-2']) {
        const passed = await mesh.visitors.passThrough(await mesh.entrance(host, [name]));
        assert.match(passed.names, new RegExp(`DNS:${passed.service}\\.mesh`));
        assert.equal((await mesh.visitors.get2(await mesh.entrance(HOST, [name]), '/')).status, 200);
      }
      await mesh.scene.client.call('ingress.delete', { params: { id: 'vault' } });
      await until(
        async () => {
          const entrances = await Promise.all(['gw-1', 'gw-2'].map((name) => mesh.entrance(host, [name])));
          const passed = await Promise.allSettled(entrances.map((one) => mesh.visitors.passThrough(one)));
          return passed.every(({ status }) => status === 'rejected');
        },
        () => 'it is gone',
      );
      const { failed, answered } = await load.end();
      assert.deepEqual(failed, [], `of ${answered}`);
      await goesOn(socket);
      await socket.end();
    });
  });
}
