/** A check from outside whose nodes speak to another coordinator of the same mesh than the one that was asked for it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Ingress, OutsideCheck } from '@meshwork/contract';
import { type PostgresServer, startPostgresServer } from '@meshwork/store/testing';
import { TestCoordinator } from './harness.ts';
import { OUTSIDE, OutsideScene } from './outside-scene.ts';

describe('an ingress that is checked from outside, with two coordinators on one store', () => {
  let server: PostgresServer;
  let first: TestCoordinator;
  let second: TestCoordinator;
  before(async () => {
    server = await startPostgresServer();
    first = await TestCoordinator.start({ MESH_STORE: await server.newDatabase() });
    second = await first.joined();
  });
  after(async () => {
    await second?.close();
    await first?.close();
    await server?.close();
  });

  it('is found to be reached, although a gateway and the node that looks speak to the other one', async () => {
    const scene = await OutsideScene.open(first, { tls: { certificate: 'none' } });
    await second.until(async () => {
      const { body, status } = await second.ask<Ingress>('GET', `/v1/ingress/${scene.ingress.id}`);
      return status === 200 && body.assigned_to.length === 2;
    });
    for (const { node } of [scene.gateways[1], scene.eye]) node.mesh = second;
    scene.sees([OUTSIDE.a, OUTSIDE.b], ({ address }) => scene.proven(address === OUTSIDE.a ? 'a' : 'b'));
    const path = `/v1/ingress/${scene.ingress.id}/check`;
    const { body, text } = await first.ask<OutsideCheck>('POST', path, { body: {}, token: scene.token });
    assert.equal(body.verdict, 'reached', text);
    assert.equal(scene.shown.size, 2);
    assert.deepEqual(
      body.findings.map(({ finding, gateway }) => [finding, gateway]),
      [
        ['served', scene.names[0]],
        ['served', scene.names[1]],
      ],
    );
    await scene.stop();
  });
});
