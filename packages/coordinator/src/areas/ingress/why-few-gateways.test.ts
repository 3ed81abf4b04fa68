/** What the record and the overview say of an ingress that has fewer gateways than it asks for. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Ingress, Overview } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const PATIENT = { timeout: 60_000 };

describe('an ingress with too few gateways', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  let made = 0;
  const create = async (team: string, more: object = {}): Promise<Ingress> => {
    const hostname = `host-${made++}.example.net`;
    const scope = { ...PLATFORM, team };
    const body = { name: 'db', hostname, service: 'db', scope, gateways: ['tag:role:gateway'], ...more };
    const got = await mesh.ask<Ingress>('POST', '/v1/ingress', { body });
    assert.equal(got.status, 201, got.text);
    return got.body;
  };
  const show = async ({ id }: Ingress, token = mesh.owner) =>
    (await mesh.ask<Ingress>('GET', `/v1/ingress/${id}`, { token })).body;
  const gateway = async (name: string, team: string, abilities = EVERYTHING): Promise<TestNode> => {
    const tags = ['role:gateway', `team:${team}`, `surface:${PLATFORM.surface}`, `env:${PLATFORM.environment}`];
    const node = await TestNode.enroll(mesh, { name, tags });
    await node.beat({ complete: true, report: { abilities } });
    return node;
  };
  const assigned = async (t: TestContext, ingress: Ingress, ...names: string[]) => {
    await t.waitFor(async () => {
      const taking = (await show(ingress)).assigned_to.filter(({ draining }) => !draining);
      assert.deepEqual(taking.map(({ name }) => name).sort(), names);
    }, PATIENT);
  };

  it('names what keeps each node from it, a few of them, until it has enough', async (t: TestContext) => {
    const older = { sections: ['self', 'peers', 'acl', 'firewall', 'commands'], engines: {} };
    await gateway('outside', 'other');
    const ingress = await create('few', { replicas: 2 });
    assert.equal(ingress.problem, 'It has 0 of 2 gateways: no node inside its scope matches tag:role:gateway.');
    await gateway('gw-a', 'few', older);
    const quarantined = await gateway('gw-b', 'few');
    await assigned(t, ingress, 'gw-b');
    assert.equal((await show(ingress)).problem, 'It has 1 of 2 gateways: the agent of gw-a runs no gateway.');
    await mesh.ask('POST', `/v1/nodes/${quarantined.id}/quarantine`, { body: { reason: 'test' } });
    await assigned(t, ingress);
    const draining = await gateway('gw-c', 'few');
    await assigned(t, ingress, 'gw-c');
    await mesh.ask('POST', `/v1/nodes/${draining.id}/drain`, { body: {} });
    await t.waitFor(async () => {
      const { problem } = await show(ingress);
      assert.equal(
        problem,
        'It has 0 of 2 gateways: the agent of gw-a runs no gateway; gw-b is quarantined; gw-c is draining.',
      );
    }, PATIENT);
    await gateway('gw-d', 'few', older);
    await gateway('gw-e', 'few', older);
    assert.equal(
      (await show(ingress)).problem,
      'It has 0 of 2 gateways: the agent of gw-a runs no gateway; gw-b is quarantined; gw-c is draining; 2 more cannot either.',
    );
    const { attention } = (await mesh.ask<Overview>('GET', '/v1/overview')).body;
    const item = attention.find(({ kind, subject }) => kind === 'ingress_unserved' && subject?.id === ingress.id);
    assert.equal(item?.detail, (await show(ingress)).problem);
    await gateway('gw-f', 'few');
    await gateway('gw-g', 'few');
    await assigned(t, ingress, 'gw-f', 'gw-g');
    assert.equal((await show(ingress)).problem, null);
  });

  it('says who has the port, by name only to who may see that', async (t: TestContext) => {
    await gateway('gw-port', 'port');
    const tcp = { kind: 'tcp', port: 5432 };
    const wide = await create('port', {
      ...tcp,
      name: 'secret',
      scope: { team: 'port', surface: '*', environment: '*' },
    });
    await assigned(t, wide, 'gw-port');
    const ingress = await create('port', tcp);
    assert.equal(ingress.problem, 'It has 0 of 1 gateways: tcp:5432 of gw-port is taken by the ingress secret.');
    const { secret: token } = await mesh.token({ role: 'owner', scope: { ...PLATFORM, team: 'port' } });
    const unnamed = 'It has 0 of 1 gateways: tcp:5432 of gw-port is taken by another ingress.';
    assert.equal((await show(ingress, token)).problem, unnamed);
    const list = await mesh.ask<{ items: Ingress[] }>('GET', '/v1/ingress?limit=200', { token });
    assert.deepEqual(
      list.body.items.map(({ problem }) => problem),
      [unnamed],
    );
    const { attention } = (await mesh.ask<Overview>('GET', '/v1/overview', { token })).body;
    const unserved = attention.filter(({ kind }) => kind === 'ingress_unserved');
    assert.deepEqual(
      unserved.map(({ title, detail, fix }) => [title, detail, fix]),
      [
        [
          `No gateway serves ${ingress.hostname}:5432`,
          unnamed,
          'Run a node with gateway support that matches tag:role:gateway, or change the gateways or the port of db.',
        ],
      ],
    );
    const patch = (port: number) => mesh.ask<Ingress>('PATCH', `/v1/ingress/${ingress.id}`, { body: { port } });
    await patch(5433);
    await assigned(t, ingress, 'gw-port');
    const back = (await patch(5432)).body;
    assert.deepEqual(back.assigned_to, [], 'it leaves the gateway in the same commit');
    await mesh.ask('DELETE', `/v1/ingress/${wide.id}`);
    await assigned(t, ingress, 'gw-port');
  });

  it('that drains lacks none', async () => {
    const ingress = await create('drained');
    assert.notEqual(ingress.problem, null);
    const drained = await mesh.ask<Ingress>('POST', `/v1/ingress/${ingress.id}/drain`, {});
    assert.equal(drained.body.problem, null);
  });
});
