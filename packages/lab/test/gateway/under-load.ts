/** What people notice when gateways are changed, drained and killed under them: every request is counted. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Ingress } from '@meshwork/contract';
import { until } from '../until.ts';
import { type GatewayScene, HOST } from './gateway-scene.ts';
import type { Entrance } from './visitor-calls.ts';
import type { RunningLoad } from './visitors.ts';

const VISITORS = 8;
const CHANGES = 50;

const taking = (ingress: Ingress) => ingress.served_by.filter(({ draining }) => !draining).map(({ name }) => name);

/** The ingress `shop` is served by both gateways. */
export function testsUnderLoad(scene: () => GatewayScene): void {
  describe('under load', () => {
    let mesh: GatewayScene;
    let entrance: Entrance;
    before(async () => {
      mesh = scene();
      entrance = await mesh.entrance();
    });

    /** Waits until as many more requests were answered. */
    async function untilAnswered(load: RunningLoad, more: number): Promise<void> {
      const { answered } = await load.state();
      await until(
        async () => (await load.state()).answered >= answered + more,
        () => `${more} more answers`,
      );
    }

    test(`loses no request and no websocket in ${CHANGES} changes`, async () => {
      const sockets = await Promise.all(
        ['gw-1', 'gw-2'].map(async (name) => await mesh.visitors.socket(await mesh.entrance(HOST, [name]), '/ws')),
      );
      const load = await mesh.visitors.load(entrance, '/?ms=10', VISITORS);
      await untilAnswered(load, 100);
      for (let count = 0; count < CHANGES; count++) {
        const body = { routes: [{ path: `/path-${count}`, service: 'api' }] };
        await mesh.scene.client.call('ingress.update', { params: { id: 'shop' }, body });
        const page = async () => {
          const answers = await Promise.all(
            entrance.addresses.map((address) =>
              mesh.visitors.get({ ...entrance, addresses: [address] }, `/path-${count}`),
            ),
          );
          return answers.every((answer) => answer.body.includes('api-1'));
        };
        if (count % 10 === 9) await until(page, () => `change ${count} is served by both`);
      }
      await untilAnswered(load, 100);
      const { failed, answered } = await load.end();
      assert.deepEqual(failed, [], `of ${answered}`);
      for (const socket of sockets) {
        const { returned_bytes } = await socket.state();
        await until(
          async () => (await socket.state()).returned_bytes > returned_bytes,
          () => 'the websocket goes on',
        );
        assert.equal((await socket.state()).ended, null);
        await socket.end();
      }
    });

    test('loses no request while one of its gateways is drained', async () => {
      const load = await mesh.visitors.load(entrance, '/?ms=10', VISITORS);
      await untilAnswered(load, 100);
      const { id } = await mesh.scene.node('gw-1');
      await mesh.scene.client.call('nodes.drain', { params: { id }, body: {} });
      await mesh.untilIngress('shop', (one) => !taking(one).includes('gw-1'), 'gw-1 is draining');
      await load.lead([mesh.scene.lab.node('gw-2').address]); // as DNS follows
      await mesh.untilIngress(
        'shop',
        (one) => one.assigned_to.every(({ name }) => name !== 'gw-1'),
        'gw-1 has no connection left',
      );
      await untilAnswered(load, 100);
      const { failed, answered } = await load.end();
      assert.deepEqual(failed, [], `of ${answered}`);
      await mesh.scene.client.call('nodes.undrain', { params: { id }, body: {} });
      await mesh.untilIngress('shop', (one) => taking(one).length === 2, 'both serve again');
    });

    test('loses only what is in flight when a gateway is killed', async () => {
      const load = await mesh.visitors.load(entrance, '/?ms=10', VISITORS);
      await untilAnswered(load, 200);
      const gateway = mesh.gateway('gw-1');
      await gateway.node.agent.stop('SIGKILL');
      for (const pid of await gateway.nginx()) process.kill(pid, 'SIGKILL');
      await untilAnswered(load, 500);
      const { failed, answered } = await load.end();
      // Every other visitor was at this gateway, with one request each.
      assert.ok(failed.length <= VISITORS / 2, `${failed.length} of ${answered} failed:\n${failed.join('\n')}`);
      await gateway.start();
      await mesh.untilIngress('shop', (one) => taking(one).length === 2, 'it serves again');
    });
  });
}
