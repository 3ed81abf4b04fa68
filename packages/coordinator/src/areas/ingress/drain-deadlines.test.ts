import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Ingress, IngressAssignment, NodeOperation, Observed, Overview } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

/** The duties of ingresses take a moment. */
const PATIENT = { timeout: 60_000 };

type Seen = NonNullable<Observed['ingress']>[number];

describe('drains with a deadline', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PUT', '/v1/acls', { body: { domain_owners: { '*': ['scope:*/*/*'] } } });
  });
  after(() => mesh.close());

  /** An ingress with gateways of its own that serve it. */
  async function served(t: TestContext, team: string, gateways = 1) {
    const scope = { ...PLATFORM, team };
    const { secret: token } = await mesh.token({ role: 'owner', scope });
    const nodes: TestNode[] = [];
    for (let number = 1; number <= gateways; number += 1) {
      const node = await TestNode.enroll(mesh, { name: `${team}-${number}`, tags: ['role:gateway'], token });
      await node.beat({ complete: true, report: { abilities: EVERYTHING } });
      nodes.push(node);
    }
    const hostname = `${team}.example.net`;
    const tls = { certificate: 'none' };
    const body = { name: team, hostname, service: 'web', gateways: ['tag:role:gateway'], replicas: gateways, tls };
    const { id } = (await mesh.ask<Ingress>('POST', '/v1/ingress', { body, token })).body;
    const show = async () => (await mesh.ask<Ingress>('GET', `/v1/ingress/${id}`)).body;
    await t.waitFor(async () => assert.equal((await show()).assigned_to.length, gateways), PATIENT);
    let sent: IngressAssignment | undefined;
    const says = async (seen: Omit<Seen, 'id'>, node = nodes[0]) => {
      assert.ok(node);
      const first = await node.beat();
      sent = (first.body.ingress as IngressAssignment[] | undefined)?.find((one) => one.id === id) ?? sent;
      await node.beat({ applied: node.applied(), observed: { ingress: [{ id, ...seen }] } });
    };
    const drain = async (body: object = {}) => {
      const answer = await mesh.ask<Ingress>('POST', `/v1/ingress/${id}/drain`, { body });
      assert.equal(answer.status, 200);
      return answer.body;
    };
    return { id, nodes, show, says, drain, sent: () => sent };
  }

  it('send the gateway a deadline that stays the same, and are proven only by what it says', async (t) => {
    const one = await served(t, 'alpha');
    await one.says({ connections: 3 });
    const drained = await one.drain({ deadline_s: 30 });
    assert.deepEqual([drained.state, drained.drain?.cut, drained.drain?.drained_at], ['draining', 0, null]);
    const at = drained.drain?.deadline ?? assert.fail();
    const left_s = (Date.parse(at) - mesh.clock.now()) / 1000;
    assert.ok(left_s > 28 && left_s <= 30, `${left_s} s`);
    await one.says({ connections: 3, deadline: at, cut: 0 });
    assert.deepEqual([one.sent()?.draining, one.sent()?.deadline], [true, { at, after_s: 30 }]);
    const before = JSON.stringify(one.sent());
    mesh.clock.advance(10);
    await one.says({ connections: 2, deadline: at, cut: 0 });
    assert.equal(JSON.stringify(one.sent()), before);
    const on = async () => (await one.show()).assigned_to[0]?.drain;
    assert.deepEqual(await on(), { refuses: false, connections: 2, deadline: at, cut: 0, problem: null });
    mesh.clock.advance(21);
    await one.says({ connections: 0, deadline: at, cut: 0 });
    assert.equal((await one.show()).drain?.drained_at, null, 'it may still take connections');
    await one.says({ connections: 0, refuses: true, deadline: at, cut: 2 });
    await t.waitFor(async () => assert.notEqual((await one.show()).drain?.drained_at, null), PATIENT);
    assert.equal((await one.show()).drain?.cut, 2);
    const undrained = await mesh.ask<Ingress>('POST', `/v1/ingress/${one.id}/undrain`);
    assert.deepEqual([undrained.body.draining, undrained.body.drain], [false, null]);
    await one.says({ connections: 0 });
    assert.equal(one.sent()?.deadline, undefined);
  });

  it('end at another deadline when they are asked again, and at none when that is asked', async (t) => {
    const one = await served(t, 'beta');
    const first = (await one.drain({ deadline_s: 30 })).drain;
    mesh.clock.advance(5);
    const second = (await one.drain({ deadline_s: 600 })).drain;
    assert.equal(second?.since, first?.since);
    assert.notEqual(second?.deadline, first?.deadline);
    await one.says({ connections: 1 });
    assert.equal(one.sent()?.deadline?.after_s, 600);
    assert.equal((await one.drain()).drain?.deadline, null);
    await one.says({ connections: 1 });
    assert.equal(one.sent()?.deadline, undefined);
    for (const deadline_s of [0, 86_401, 'soon']) {
      const answer = await mesh.ask('POST', `/v1/ingress/${one.id}/drain`, { body: { deadline_s } });
      assert.equal(answer.status, 422);
    }
  });

  it('say of an agent that does not keep deadlines that it does not', async (t) => {
    const one = await served(t, 'gamma');
    await one.drain({ deadline_s: 30 });
    const problem = async () => (await one.show()).assigned_to[0]?.drain?.problem;
    assert.match((await problem()) ?? '', /not confirmed/);
    await one.says({ connections: 1, refuses: true });
    assert.match((await problem()) ?? '', /older/);
    mesh.clock.advance(31);
    await one.says({ connections: 1, refuses: true });
    assert.equal((await one.show()).drain?.drained_at, null);
    await one.says({ connections: 0, refuses: true });
    await t.waitFor(async () => assert.notEqual((await one.show()).drain?.drained_at, null), PATIENT);
    assert.equal((await one.show()).drain?.cut, 0);
  });

  it('need attention when a gateway has not proven them long after the deadline', async (t) => {
    const two = await served(t, 'zeta', 2);
    const at = (await two.drain({ deadline_s: 30 })).drain?.deadline ?? assert.fail();
    const stuck = async () => {
      const { attention } = (await mesh.ask<Overview>('GET', '/v1/overview')).body;
      return attention.find(({ kind, subject }) => kind === 'ingress_drain_stuck' && subject.id === two.id);
    };
    const both = async (second: Omit<Seen, 'id'>) => {
      await two.says({ connections: 0, refuses: true, deadline: at, cut: 1 }, two.nodes[0]);
      await two.says(second, two.nodes[1]);
    };
    await both({ connections: 1, refuses: true, deadline: at, cut: 0 });
    mesh.clock.advance(60);
    await both({ connections: 1, refuses: true, deadline: at, cut: 0 });
    assert.equal(await stuck(), undefined, 'not yet');
    mesh.clock.advance(100);
    await both({ connections: 1, refuses: true, deadline: at, cut: 0 });
    const found = await stuck();
    assert.equal(found?.detail, 'zeta-2 still has 1 connection after the deadline.');
    assert.deepEqual([found?.since, found?.severity], [at, 'warning']);
    await both({ connections: 0, refuses: true, deadline: at, cut: 1 });
    assert.equal(await stuck(), undefined);
  });

  it('wait for every gateway, and add up what they ended', async (t) => {
    const two = await served(t, 'delta', 2);
    const at = (await two.drain({ deadline_s: 30 })).drain?.deadline ?? assert.fail();
    const done = { connections: 0, refuses: true as const, deadline: at };
    await two.says({ ...done, cut: 1 }, two.nodes[0]);
    await two.says({ connections: 4, deadline: at, cut: 0 }, two.nodes[1]);
    assert.equal((await two.show()).drain?.drained_at, null);
    await two.says({ ...done, cut: 4 }, two.nodes[1]);
    await t.waitFor(async () => assert.notEqual((await two.show()).drain?.drained_at, null), PATIENT);
    assert.equal((await two.show()).drain?.cut, 5);
  });

  it('of a node concern all its ingresses, and its operation says what was ended', async (t) => {
    const one = await served(t, 'epsilon');
    const [node] = one.nodes;
    assert.ok(node);
    const more = { name: 'more', hostname: 'more.example.net', service: 'web', gateways: ['tag:role:gateway'] };
    const body = { ...more, scope: { ...PLATFORM, team: 'epsilon' }, tls: { certificate: 'none' } };
    const other = (await mesh.ask<Ingress>('POST', '/v1/ingress', { body })).body;
    const both = (first: Omit<Seen, 'id'>, second: Omit<Seen, 'id'>) =>
      node.beat({
        applied: node.applied(),
        observed: {
          ingress: [
            { id: one.id, ...first },
            { id: other.id, ...second },
          ],
        },
      });
    const isPlaced = async () =>
      (await mesh.ask<Ingress>('GET', `/v1/ingress/${other.id}`)).body.assigned_to.length === 1;
    await t.waitFor(async () => assert.ok(await isPlaced()), PATIENT);
    await node.beat();
    await both({ connections: 3 }, { connections: 2 });
    const asked = await mesh.ask<NodeOperation>('POST', `/v1/nodes/${node.id}/drain`, { body: { deadline_s: 30 } });
    assert.equal(asked.status, 202);
    const at = asked.body.detail.ends_connections_at as string;
    const operation = async () => (await mesh.ask<NodeOperation>('GET', `/v1/operations/${asked.body.id}`)).body;
    await t.waitFor(async () => assert.equal((await one.show()).assigned_to[0]?.draining, true), PATIENT);
    const sent = (await node.beat()).body.ingress as IngressAssignment[];
    assert.deepEqual(
      sent.map(({ deadline }) => deadline),
      [1, 2].map(() => ({ at, after_s: 30 })),
    );
    await both({ connections: 3, deadline: at, cut: 0 }, { connections: 2, deadline: at, cut: 0 });
    mesh.clock.advance(31);
    await both(
      { connections: 0, refuses: true, deadline: at, cut: 3 },
      { connections: 1, refuses: true, deadline: at, cut: 1 },
    );
    await t.waitFor(async () => assert.deepEqual((await one.show()).assigned_to, []), PATIENT);
    await t.waitFor(async () => assert.equal((await operation()).detail.cut, 3), PATIENT);
    await t.waitFor(async () => {
      await node.beat();
      const ingress = [{ id: other.id, connections: 0, refuses: true as const, deadline: at, cut: 2 }];
      await node.beat({ applied: node.applied(), observed: { ingress } });
      assert.equal((await operation()).state, 'verified');
    }, PATIENT);
    const { reason, detail } = await operation();
    assert.deepEqual([reason, detail.cut], ['drained at the deadline: 5 connections cut', 5]);
  });
});
