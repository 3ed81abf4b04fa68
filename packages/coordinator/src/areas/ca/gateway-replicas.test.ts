/** Several coordinators on one PostgreSQL issue each certificate of a gateway once. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Certificate, Ingress } from '@meshwork/contract';
import { makeRequest } from '@meshwork/pki/request';
import { type PostgresServer, startPostgresServer } from '@meshwork/store/testing';
import { certifyDomain } from '../../../test/certify-domain.ts';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const DOMAIN = 'corp.example.org';

describe('the certificates of a gateway at two coordinators', { timeout: 170_000 }, () => {
  let server: PostgresServer;
  let first: TestCoordinator;
  let second: TestCoordinator;

  before(async () => {
    server = await startPostgresServer();
    first = await TestCoordinator.startWithAuthorities({ MESH_STORE: await server.newDatabase() });
    second = await first.joined();
    await first.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
    await certifyDomain(first, DOMAIN);
  });
  after(async () => {
    await second?.close();
    await first?.close();
    await server?.close();
  });

  it('are issued once each, also when the other one begins to lead meanwhile', async () => {
    const node = await TestNode.enroll(first, { name: 'gw-1', tags: ['role:gateway'] });
    const gateway_request = (await makeRequest()).request;
    await node.beat({ complete: true, report: { abilities: EVERYTHING, gateway_request } });
    const ids: string[] = [];
    for (const [index, at] of [first, second, first, second].entries()) {
      const body = { name: 'web', hostname: `web-${index}.${DOMAIN}`, service: 'web', gateways: ['node:gw-1'] };
      const got = await at.ask<Ingress>('POST', '/v1/ingress', { body });
      assert.equal(got.status, 201, got.text);
      ids.push(got.body.id);
    }
    await first.down();
    await second.until(async () => (await second.ask('GET', `/v1/nodes/${node.id}`)).status === 200);
    node.mesh = second;
    await node.prove();
    const chains = () => node.held.ingress.map(({ tls }) => tls?.chain ?? null);
    await second.until(async () => {
      await node.beat();
      return chains().length === ids.length && !chains().includes(null);
    });
    const held = chains();
    await first.up();
    await first.until(async () => (await first.ask('GET', `/v1/nodes/${node.id}`)).status === 200);
    const all = await first.ask<{ items: Certificate[] }>('GET', `/v1/ca/certificates?node=${node.id}`);
    assert.deepEqual(all.body.items.flatMap(({ ingresses }) => ingresses).sort(), ids.sort());
    // Both send it the same, so that it need not be sent anything when it goes to the other one.
    node.mesh = first;
    await node.prove();
    node.revision = 0;
    await node.beat();
    assert.deepEqual(chains(), held);
  });
});
