/** Ingresses whose services learn which node asks: what they may say, and which agents are ever given one. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Abilities, Ingress, Problem } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const PATIENT = { timeout: 60_000 };
const OLDER: Abilities = { ...EVERYTHING, features: ['client_certificates'] };

describe('an ingress that passes on the identity of nodes', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.startWithAuthorities();
  });
  after(() => mesh.close());

  let made = 0;
  const create = (more: object) => {
    const hostname = `host-${made++}.example.net`;
    const body = { name: 'app', hostname, service: 'app', scope: PLATFORM, gateways: ['tag:role:gateway'], ...more };
    return mesh.ask<Ingress & Problem>('POST', '/v1/ingress', { body });
  };
  const show = async ({ id }: Ingress) => (await mesh.ask<Ingress>('GET', `/v1/ingress/${id}`)).body;
  const gateway = async (name: string, abilities: Abilities): Promise<TestNode> => {
    const { team, surface, environment } = PLATFORM;
    const tags = ['role:gateway', `team:${team}`, `surface:${surface}`, `env:${environment}`];
    const node = await TestNode.enroll(mesh, { name, tags });
    await node.beat({ complete: true, report: { abilities } });
    return node;
  };
  const sent = async (node: TestNode) => (await node.beat({ complete: true, revision: 0 })).body.ingress ?? [];

  it('does not by default, and only of the kind http', async () => {
    const { body } = await create({});
    assert.deepEqual([body.mesh_identity, body.traffic.limits.by], [false, undefined]);
    for (const [wrong, at] of [
      [{ mesh_identity: true }, '/mesh_identity'],
      [{ traffic: { limits: { by: 'identity' } } }, '/traffic/limits/by'],
    ] as const) {
      const got = await create({ kind: 'tcp', port: 5432, ...wrong });
      assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, at]);
    }
  });

  it('is given to no agent that would not know who asks, nor are its limits', async (t) => {
    const older = await gateway('gw-older', OLDER);
    const asking = (await create({ mesh_identity: true })).body;
    const limited = (await create({ routes: [{ path: '/a', service: 'a', traffic: { limits: { by: 'identity' } } }] }))
      .body;
    const why = 'the agent of gw-older is too old for the identity of nodes, which the ingress asks for.';
    for (const one of [asking, limited])
      assert.ok((await show(one)).problem?.endsWith(why), (await show(one)).problem ?? '');
    const able = await gateway('gw-able', EVERYTHING);
    for (const one of [asking, limited]) {
      await t.waitFor(async () => assert.equal((await show(one)).assigned_to[0]?.name, 'gw-able'), PATIENT);
    }
    const section = await sent(able);
    const [prefix] = section.flatMap(({ mesh_identity }) => mesh_identity?.spiffe_prefix ?? []);
    assert.match(prefix ?? '', /^spiffe:\/\/[a-z0-9.]+\.mesh\/node\/$/);
    assert.equal(section.find(({ id }) => id === limited.id)?.mesh_identity, undefined);
    const ids = (await sent(older)).map(({ id }) => id);
    assert.ok(!ids.includes(asking.id) && !ids.includes(limited.id));
  });
});
