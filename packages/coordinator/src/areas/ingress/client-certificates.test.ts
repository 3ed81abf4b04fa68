/** Ingresses that ask clients for certificates: what they may say, and which agents are ever given one. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Abilities, Ingress, Problem } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const PATIENT = { timeout: 60_000 };
const { features: _, ...OLDER } = EVERYTHING;

describe('an ingress that asks clients for certificates', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  let made = 0;
  const create = (more: object) => {
    const hostname = `host-${made++}.example.net`;
    const scope = { ...PLATFORM, team: 'none' };
    const body = { name: 'app', hostname, service: 'app', scope, gateways: ['tag:role:gateway'], ...more };
    return mesh.ask<Ingress & Problem>('POST', '/v1/ingress', { body });
  };
  const patch = ({ id }: Ingress, body: object) => mesh.ask<Ingress & Problem>('PATCH', `/v1/ingress/${id}`, { body });
  const show = async ({ id }: Ingress) => (await mesh.ask<Ingress>('GET', `/v1/ingress/${id}`)).body;
  const faults = ({ status, body }: { status: number; body: Problem }) => [
    status,
    ...(body.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`),
  ];
  const gateway = async (name: string, team: string, abilities: Abilities): Promise<TestNode> => {
    const tags = ['role:gateway', `team:${team}`, `surface:${PLATFORM.surface}`, `env:${PLATFORM.environment}`];
    const node = await TestNode.enroll(mesh, { name, tags });
    await node.beat({ complete: true, report: { abilities } });
    return node;
  };
  const assigned = async (t: TestContext, ingress: Ingress, ...names: string[]) => {
    await t.waitFor(async () => {
      const { assigned_to } = await show(ingress);
      assert.deepEqual(
        assigned_to.map(({ name }) => name),
        names,
      );
    }, PATIENT);
  };
  const sent = async (node: TestNode) => {
    const { body } = await node.beat({ complete: true });
    return body.ingress ?? (await node.beat({ complete: true, revision: 0 })).body.ingress ?? [];
  };

  it('asks for none by default, and is changed part by part', async () => {
    const { body } = await create({});
    assert.deepEqual([body.tls.clients, body.tls.client_names], ['none', []]);
    const names = ['git-1.mesh', 'spiffe://mesh/node/git-1'];
    const asked = (await patch(body, { tls: { clients: 'required', client_names: names } })).body;
    assert.deepEqual(asked.tls, { certificate: 'mesh', redirect: true, clients: 'required', client_names: names });
    const without = (await patch(body, { tls: { client_names: [] } })).body;
    assert.deepEqual([without.tls.clients, without.tls.client_names], ['required', []]);
  });

  it('leaves no way around a certificate that is required', async () => {
    const { body } = await create({ tls: { clients: 'required' } });
    const around = '/tls/redirect must be true where certificates are required: by plain HTTP no client shows one';
    assert.deepEqual(faults(await patch(body, { tls: { redirect: false } })), [422, around]);
    const without = '/tls/clients must be none: without TLS no client shows a certificate';
    assert.deepEqual(faults(await patch(body, { tls: { certificate: 'none' } })), [422, without]);
    assert.equal((await patch(body, { tls: { clients: 'optional', redirect: false } })).status, 200);
    const unasked = '/tls/client_names must be empty while clients is none';
    assert.deepEqual(faults(await create({ tls: { client_names: ['git-1.mesh'] } })), [422, unasked]);
    for (const kind of [{ kind: 'tls' }, { kind: 'tcp', port: 5432 }]) {
      const blind = `/tls/clients must be none: gateways end no TLS for the kind ${kind.kind}`;
      assert.deepEqual(faults(await create({ ...kind, tls: { clients: 'optional' } })), [422, blind]);
    }
  });

  it('takes names that a certificate can have, and no patterns', async () => {
    for (const name of [
      '*.mesh',
      'Git-1.mesh',
      'spiffe://mesh',
      'spiffe://mesh/a b',
      'a;b',
      '',
      'git.mesh ',
      '$host',
    ]) {
      const made = faults(await create({ tls: { clients: 'required', client_names: ['a.mesh', name] } }));
      assert.equal(made[0], 422, name);
      assert.match(
        String(made[1]),
        name === '' ? /client_names/ : /^\/tls\/client_names\/1 .* is neither a DNS name/,
        name,
      );
    }
  });

  it('is given to no agent that cannot check them', async (t: TestContext) => {
    const scope = { ...PLATFORM, team: 'older' };
    const older = await gateway('gw-older', 'older', OLDER);
    const { body } = await create({ scope, tls: { clients: 'required', client_names: ['git-1.mesh'] } });
    const why = 'It has 0 of 1 gateways: the agent of gw-older is too old for client certificates.';
    assert.equal((await show(body)).problem, why);
    const able = await gateway('gw-able', 'older', EVERYTHING);
    await assigned(t, body, 'gw-able');
    const [one] = await sent(able);
    assert.deepEqual([one?.tls?.clients, one?.tls?.client_names], ['required', ['git-1.mesh']]);
    assert.deepEqual(await sent(older), []);
  });

  it('leaves a gateway at once whose agent went back to a version that cannot', async (t: TestContext) => {
    const scope = { ...PLATFORM, team: 'back' };
    const node = await gateway('gw-back', 'back', EVERYTHING);
    const open = (await create({ scope })).body;
    const asking = (await create({ scope, tls: { clients: 'optional' } })).body;
    await assigned(t, asking, 'gw-back');
    const before = await sent(node);
    assert.deepEqual(before.map(({ tls }) => tls?.clients).sort(), ['optional', undefined]);
    const { body } = await node.beat({ complete: true, report: { abilities: OLDER } });
    const left = body.ingress ?? (await sent(node));
    assert.deepEqual(
      left.map(({ id }) => id),
      [open.id],
      'with the answer to the very heartbeat that says so',
    );
    await assigned(t, asking);
    await node.beat({ complete: true, report: { abilities: EVERYTHING } });
    await assigned(t, asking, 'gw-back');
  });

  it('leaves a gateway that cannot, when it begins to ask for them', async (t: TestContext) => {
    const scope = { ...PLATFORM, team: 'later' };
    const older = await gateway('gw-later', 'later', OLDER);
    const { body } = await create({ scope });
    await assigned(t, body, 'gw-later');
    assert.equal((await sent(older)).length, 1);
    await patch(body, { tls: { clients: 'required' } });
    assert.deepEqual(await sent(older), [], 'before it is placed elsewhere');
    await assigned(t, body);
  });
});
