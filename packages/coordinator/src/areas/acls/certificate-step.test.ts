import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { AnswerOf, Certificate, Explanation, Operations } from '@meshwork/contract';
import { makeRequest } from '@meshwork/pki/request';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const DAY_S = 24 * 3600;
let mesh: TestCoordinator;
let client: TestNode;
let server: TestNode;

before(async () => {
  mesh = await TestCoordinator.startWithAuthorities();
  mesh.owner = (await mesh.token({ role: 'owner', days: 300 })).secret;
  // Days pass here within a moment.
  await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { stale_after_s: 3600, unreachable_after_s: 86_400 } } });
  client = await certified('client');
  server = await certified('server');
});
after(() => mesh.close());

async function certified(name: string): Promise<TestNode> {
  const node = await TestNode.enroll(mesh, { name });
  await node.beat({ report: { abilities: EVERYTHING } });
  await renewed(node);
  return node;
}

/** Asks for a certificate, and says that it is in place. */
async function renewed(node: TestNode): Promise<void> {
  const before = node.held.certificate?.chain ?? null;
  await node.beat({ report: { certificate_request: (await makeRequest()).request } });
  await mesh.until(async () => {
    await node.beat();
    const chain = node.held.certificate?.chain ?? null;
    return chain !== null && chain !== before;
  });
  await node.beat({ applied: node.applied() });
}

async function step(port = 'tcp:443'): Promise<string | undefined> {
  const got = await mesh.ask<Explanation>('GET', `/v1/acls/explain?from=client&to=server&port=${port}`);
  assert.equal(got.status, 200, got.text);
  const found = got.body.steps.find(({ check }) => check === 'certificate');
  assert.ok(found === undefined || found.outcome === 'note');
  return found?.detail.replace('TLS with certificates of the mesh CA may fail: ', '');
}
const show = async () => (await mesh.ask<AnswerOf<Operations['ca.show']>>('GET', '/v1/ca')).body;

it('is there only when TLS between the two may fail, and only for TCP', async () => {
  assert.equal(await step(), undefined);
  const path = `/v1/ca/certificates?node=${server.id}&current=true`;
  const [certificate] = (await mesh.ask<{ items: Certificate[] }>('GET', path)).body.items;
  await mesh.ask('POST', `/v1/ca/certificates/${certificate?.id}/revoke`, { body: {} });
  const revoked =
    'the certificate of server was revoked, and it has not confirmed another one. Packets are not affected.';
  assert.equal(await step(), revoked);
  assert.equal(await step('udp:443'), undefined);
  await server.beat();
  await server.beat({ applied: server.applied() });
  assert.equal(await step(), 'server has no certificate. Packets are not affected.');
  await renewed(server);
  assert.equal(await step(), undefined);
});

it('says in a rotation which end does not know the new authority, until that has proven it', async () => {
  await mesh.ask('POST', '/v1/ca/rotate', { body: { deadline_s: 60 } });
  await mesh.until(async () => (await show()).authorities.every(({ revocation_list }) => revocation_list !== null));
  await server.beat();
  await server.beat({ applied: server.applied() });
  mesh.clock.advance(61);
  await mesh.until(async () => (await show()).rotation?.switched_at !== null);
  await client.prove();
  await server.prove();
  await renewed(server);
  const unknown = 'client has not proven that it trusts the new authority that signed the certificate of server';
  assert.match((await step()) ?? '', new RegExp(unknown));
  await renewed(client);
  assert.equal(await step(), undefined);
});

it('says that a certificate has expired, however fresh its node is', async () => {
  mesh.clock.advance(8 * DAY_S);
  for (const node of [client, server]) await node.prove();
  /** Both confirm what they are sent, which changes when a renewal is due, until explain says so. */
  const becomes = (said: RegExp) =>
    mesh.until(async () => {
      for (const node of [client, server]) {
        await node.beat();
        await node.beat({ applied: node.applied() });
      }
      return said.test((await step()) ?? '');
    });
  await becomes(/^the certificate of server has expired, and the certificate of client has expired\./);
  await renewed(server);
  await becomes(/^Mutual the certificate of client has expired\./);
});
