/** An ingress that a third node checks from outside: by real DNS, at real addresses, with servers that are none of ours. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { OutsideCheck } from '@meshwork/contract';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { type GatewayScene, HOST } from './gateway-scene.ts';
import { runAsOperator } from './ingress-page.ts';
import { WebService } from './web-service.ts';

const CHECKER = 'outside';
/** Addresses of that node that look public, and are no gateway's. */
const FOREIGN = '203.0.113.9';
const CLOSED = '203.0.113.10';

/** The ingress `shop` is served by both gateways. */
export function testsFromOutside(scene: () => GatewayScene): void {
  test('is reached from outside where DNS leads to its gateways, and says what is wrong where it does not', async () => {
    const mesh = scene();
    const outside = mesh.scene.lab.node(CHECKER);
    const [a, b] = ['gw-1', 'gw-2'].map((name) => mesh.scene.lab.node(name).address) as [string, string];
    const { client } = mesh.scene;
    const check = async (...addresses: readonly string[]): Promise<OutsideCheck> => {
      await mesh.names.say(HOST, addresses);
      return (await client.call('ingress.check', { params: { id: 'shop' }, body: { node: CHECKER } })).body;
    };
    const foundIn = ({ findings }: OutsideCheck, level: string) =>
      findings.filter((one) => one.level === level).map(({ finding, address, gateway }) => [finding, address, gateway]);

    const good = await check(a, b);
    assert.equal(good.verdict, 'reached', JSON.stringify(good));
    assert.deepEqual([good.addresses, good.resolvers, good.name], [[a, b], [outside.address], CHECKER]);
    for (const [address, gateway] of [
      [a, 'gw-1'],
      [b, 'gw-2'],
    ]) {
      const served = good.findings.filter((one) => one.finding === 'served' && one.address === address);
      assert.deepEqual(new Set(served.map(({ port }) => port)), new Set([443, 80]), 'by HTTPS, and by HTTP');
      assert.ok(served.every((one) => one.gateway === gateway && /generation [0-9a-f]{8}/.test(one.summary)));
    }
    assert.deepEqual(foundIn(good, 'notice').at(-1), ['mesh_certificate', null, null]);
    const [printed] = await runAsOperator(mesh.scene.mesh, [`mesh ingress check shop --node ${CHECKER}`]);
    assert.match(printed ?? '', /people outside reach it/);

    const none = await check();
    assert.equal(none.verdict, 'unreached');
    assert.ok(foundIn(none, 'problem').some(([kind]) => kind === 'no_record'));

    const wrong = await check(a, mesh.scene.lab.node('web-2').address);
    assert.equal(wrong.verdict, 'partly');
    assert.deepEqual(foundIn(wrong, 'problem'), [['private_address', mesh.scene.lab.node('web-2').address, null]]);

    for (const address of [FOREIGN, CLOSED]) await outside.exec('ip', ['address', 'add', `${address}/32`, 'dev', 'lo']);
    const closed = await check(a, CLOSED);
    assert.deepEqual(foundIn(closed, 'problem'), [['unreachable', CLOSED, null]]);
    assert.match(closed.findings[0]?.summary ?? '', /refused/);

    const folder = join(nodeFolder(mesh.scene.lab.plan.name, CHECKER), 'state', 'tls', 'current');
    {
      await using _pretends = await WebService.start(outside, 443, { folder });
      const foreign = await check(FOREIGN, a);
      assert.equal(foreign.verdict, 'partly');
      assert.deepEqual(foundIn(foreign, 'problem'), [['other_server', FOREIGN, null]]);
      const only = foreign.findings.find((one) => one.finding === 'not_reached' || one.finding === 'not_in_dns');
      assert.equal(only?.gateway, 'gw-2', JSON.stringify(foreign.findings));
    }
    for (const address of [FOREIGN, CLOSED]) await outside.exec('ip', ['address', 'del', `${address}/32`, 'dev', 'lo']);
    await mesh.names.say(HOST, []);
  });
}
