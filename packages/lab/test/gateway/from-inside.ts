/** Nodes of the mesh that use an ingress: they find gateways inside the mesh, if they may reach them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../until.ts';
import { type GatewayScene, HOST } from './gateway-scene.ts';
import { Visitors } from './visitors.ts';

const INSIDE = 'web-2';

/** The ingress `shop` is served by both gateways. */
export function testsFromInside(scene: () => GatewayScene): void {
  test('is found by nodes that may reach its gateways, inside the mesh', async () => {
    const mesh = scene();
    const node = mesh.scene.lab.node(INSIDE);
    await node.agent.stop();
    await node.agent.start({ MESH_NAMES: 'dns' });
    /** As any program of the node looks it up. */
    const found = async () => {
      const text = await node.exec('getent', ['ahostsv4', HOST]).catch(() => '');
      return [...new Set(text.split('\n').map((line) => line.split(' ', 1)[0] ?? ''))].filter((one) => one !== '');
    };
    const addresses = await Promise.all(['gw-1', 'gw-2'].map((name) => mesh.scene.addressOf(name)));
    const untilFound = async (expected: readonly string[], what: string) => {
      let last: readonly string[] = [];
      await until(
        async () => {
          last = await found();
          return last.toSorted().join() === expected.toSorted().join();
        },
        () => `${what}: ${last.join()}`,
      );
    };
    await until(
      async () => (await node.exec('getent', ['ahostsv4', 'gw-1.mesh']).catch(() => '')) !== '',
      () => 'the agent answers for names of the mesh',
    );
    assert.deepEqual(await found(), [], 'no grant leads to the gateways');

    await mesh.grantInside(true);
    await untilFound(addresses, 'both gateways');
    await using visitors = new Visitors(mesh.scene.lab.place(INSIDE));
    const { ca } = await mesh.entrance();
    assert.ok(ca !== undefined);
    const page = await visitors.get({ addresses, port: 443, host: HOST, ca }, '/api');
    assert.equal(page.status, 200, page.body);
    const { headers } = await mesh.service('api-1').counts();
    assert.equal(headers['x-forwarded-for'], await mesh.scene.addressOf(INSIDE), 'known by its address in the mesh');
    await mesh.scene.client.call('ingress.update', { params: { id: 'shop' }, body: { mesh_identity: true } });
    const learned = async () => {
      await visitors.get({ addresses, port: 443, host: HOST, ca }, '/api');
      return (await mesh.service('api-1').counts()).headers;
    };
    await until(
      async () => (await learned())['x-mesh-node'] === INSIDE,
      () => 'known by its name',
    );
    assert.match(String((await learned())['x-mesh-node-spiffe-id']), new RegExp(`^spiffe://.+/node/${INSIDE}$`));

    // People have to sign in, and nodes need not, until they have to as well.
    const signIn = (sign_in: { readonly nodes?: boolean } | null) =>
      mesh.scene.client.call('ingress.update', { params: { id: 'shop' }, body: { sign_in } });
    const outside = await mesh.entrance();
    const untilStatuses = async (expected: readonly [from_outside: number, from_inside: number]) => {
      let last: readonly number[] = [];
      await until(
        async () => {
          const from_outside = (await mesh.visitors.get(outside, '/api')).status;
          last = [from_outside, (await visitors.get({ addresses, port: 443, host: HOST, ca }, '/api')).status];
          return last.join() === expected.join();
        },
        () => `${expected.join()} outside and inside: ${last.join()}`,
      );
    };
    await signIn({});
    await untilStatuses([401, 200]);
    assert.equal((await mesh.service('api-1').counts()).headers['x-mesh-node'], INSIDE);
    await signIn({ nodes: false });
    await untilStatuses([401, 401]);
    await signIn(null);
    await untilStatuses([200, 200]);

    await mesh.scene.client.call('ingress.drain', { params: { id: 'shop' }, body: {} });
    await untilFound([], 'a drained ingress');
    await mesh.scene.client.call('ingress.undrain', { params: { id: 'shop' } });
    await untilFound(addresses, 'both again');
    await mesh.grantInside(false);
    await untilFound([], 'without the grant');
  });
}
