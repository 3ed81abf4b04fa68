/** A certificate of another authority, from the operator who brings it to people who trust that authority. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { GivenCertificate } from '@meshwork/contract';
import { givenAuthority } from '@meshwork/coordinator/testing';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { until } from '../until.ts';
import { type GatewayScene, HOST } from './gateway-scene.ts';

const run = promisify(execFile);

/** The ingress `shop` is served by both gateways. */
export function testsOfGivenCertificates(scene: () => GatewayScene): void {
  test('shows a certificate that an operator brought, and the next one without a request that fails', async () => {
    const mesh = scene();
    const { client, lab } = mesh.scene;
    const { root, issue } = await givenAuthority();
    const pem = async () => {
      const { chain, private_key } = await issue({ names: [`DNS:${HOST}`] });
      return { chain, private_key };
    };
    const first = await pem();
    const params = { id: 'public' };
    await client.call('given_certificates.create', { body: { name: 'public', ...first } });
    await client.call('ingress.update', { params: { id: 'shop' }, body: { tls: { certificate: 'public' } } });
    const shown = async (fingerprint?: string) => {
      let last: GivenCertificate | undefined;
      await until(
        async () => {
          last = (await client.call('given_certificates.show', { params })).body;
          const isOld = fingerprint !== undefined && last.fingerprint !== fingerprint;
          return !isOld && last.shown_by.length === 2 && last.shown_by.every(({ current }) => current);
        },
        () => `both gateways show it: ${JSON.stringify(last)}`,
      );
    };
    await shown();
    await mesh.untilIngress('shop', ({ served_by }) => served_by.length === 2, 'served by both');
    const entrance = { ...(await mesh.entrance()), ca: root.certificate };
    const page = await mesh.visitors.get(entrance, '/api');
    assert.equal(page.status, 200, page.body);

    const load = await mesh.visitors.load(entrance, '/?ms=5', 4);
    const next = await pem();
    const replaced = await client.call('given_certificates.replace', { params, body: next });
    await shown(replaced.body.fingerprint);
    const { answered } = await load.state();
    await until(
      async () => (await load.state()).answered > answered + 50,
      () => 'people go on',
    );
    assert.deepEqual((await load.end()).failed, []);

    const secret = next.private_key.split('\n')[1] ?? assert.fail();
    const holders = async () => {
      const names = ['gw-1', 'gw-2', 'web-1', 'outside'];
      const folders = names.map((name) => join(nodeFolder(lab.plan.name, name), 'state'));
      const shared = mesh.gateways.map(({ folder }) => folder);
      const { stdout } = await run('grep', ['-rlF', '--', secret, ...folders, ...shared]).catch(
        (error: { readonly code: number; readonly stdout: string }) => {
          if (error.code !== 1) throw error;
          return error;
        },
      );
      return stdout.split('\n').filter(Boolean);
    };
    const held = await holders();
    assert.ok(held.length >= 2 && held.every((file) => !/web-1|outside/.test(file)), held.join());

    await assert.rejects(
      client.call('given_certificates.delete', { params }),
      /The ingress "shop" shows the certificate/,
    );
    await client.call('ingress.update', { params: { id: 'shop' }, body: { tls: { certificate: 'mesh' } } });
    await client.call('given_certificates.delete', { params });
    await mesh.untilIngress('shop', ({ served_by }) => served_by.length === 2, 'served with the mesh CA again');
    assert.equal((await mesh.visitors.get(await mesh.entrance(), '/api')).status, 200);
    await until(
      async () => (await holders()).length === 0,
      () => 'no gateway has the key any more',
    );
  });
}
