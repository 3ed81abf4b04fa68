/** An authority that wants fewer requests: nothing is ordered from it until the moment that it named, whichever host name it is for. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CertificateOrder, OutsideAuthority } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { Pebble } from '../../../test/pebble.ts';
import { pebbleFront } from '../../../test/pebble-front.ts';
import { ProbedNode } from '../../../test/probed-node.ts';
import { TestNode } from '../../../test/test-node.ts';

const NEW_ORDER = '/order-plz';
const WAITS_S = 7200;

it('an authority that wants fewer requests is left alone for as long as it says', async () => {
  const mesh = await TestCoordinator.start({ MESH_OUTBOUND_NETWORKS: '127.0.0.0/8' });
  const pebble = await Pebble.start();
  const front = await pebbleFront(pebble);
  const node = await TestNode.enroll(mesh, { name: 'gw-1', tags: ['role:gateway'] });
  const gateway = await new ProbedNode(node, pebble.shows).start(['show_challenge']);
  try {
    mesh.owner = (await mesh.token({ role: 'owner' })).secret; // the first one ends within a day
    const authority = { name: 'busy', directory: front.directory, roots: pebble.roots, agree_terms: true };
    assert.equal((await mesh.ask('POST', '/v1/outside-authorities', { body: authority })).status, 201);
    const orders = () => front.asked.filter((one) => one === `POST ${NEW_ORDER}`).length;
    const order = async (hostname: string) =>
      (await mesh.ask<CertificateOrder>('GET', `/v1/certificate-orders/${hostname}`)).body;
    const ingress = async (name: string) => {
      const tls = { certificate: 'busy' };
      const body = { name, hostname: `${name}.example.net`, service: 'web', gateways: ['node:gw-1'], tls };
      const got = await mesh.ask('POST', '/v1/ingress', { body });
      assert.equal(got.status, 201, got.text);
    };
    const problem = { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many new orders' };
    front.answers = (path) =>
      path === NEW_ORDER
        ? { status: 429, headers: { 'retry-after': String(WAITS_S) }, body: JSON.stringify(problem) }
        : undefined;

    await ingress('one');
    await mesh.until(async () => (await order('one.example.net')).state === 'failing');
    const failed = await order('one.example.net');
    assert.match(failed.problem ?? '', /too many new orders/);
    assert.ok(Date.parse(failed.next_at ?? '') - mesh.clock.now() > (WAITS_S - 60) * 1000, failed.next_at ?? 'none');
    const { body: seen } = await mesh.ask<OutsideAuthority>('GET', '/v1/outside-authorities/busy');
    assert.ok(Date.parse(seen.paused_until ?? '') > mesh.clock.now(), 'all of it is paused');

    front.answers = () => undefined;
    await ingress('two');
    await mesh.until(async () => (await order('two.example.net')).state === 'waiting');
    // Time goes on by less than it asked for.
    const later = async (seconds: number) => {
      await gateway.stop();
      mesh.clock.advance(seconds);
      await node.prove();
      await gateway.start(['show_challenge']);
    };
    await later(WAITS_S - 600);
    assert.deepEqual([orders(), (await order('two.example.net')).state], [1, 'waiting']);
    await later(900);
    await mesh.until(async () => (await order('two.example.net')).state === 'issued');
    assert.equal((await order('two.example.net')).attempts, 0);
  } finally {
    await gateway.stop();
    await mesh.close();
    front.close();
    await pebble.stop();
  }
});
