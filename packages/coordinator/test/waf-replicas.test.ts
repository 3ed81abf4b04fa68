/** Gateways that speak now to one coordinator, now to another of the same mesh, of what their WAF found. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OPERATIONS, type WafPolicy, type WafTested } from '@meshwork/contract';
import { type PostgresServer, startPostgresServer } from '@meshwork/store/testing';
import { TestCoordinator } from './harness.ts';
import { ProbedNode } from './probed-node.ts';
import { sqlMatch, WafScene } from './waf-scene.ts';

describe('a gateway with a WAF and two coordinators on one store', () => {
  let server: PostgresServer;
  let first: TestCoordinator;
  let second: TestCoordinator;
  before(async () => {
    server = await startPostgresServer();
    first = await TestCoordinator.start({ MESH_STORE: await server.newDatabase() });
    await first.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 10_000, burst: 10_000 } } });
    second = await first.joined();
  });
  after(async () => {
    await second?.close();
    await first?.close();
    await server?.close();
  });

  const known = (scene: WafScene) =>
    second.until(async () => {
      const { body } = await second.ask<WafPolicy>('GET', `/v1/waf/policies/${scene.policy.id}`);
      return body.gateways?.length === 1;
    });

  it('has its events recorded once, whichever they are sent to and however often', async () => {
    const scene = await WafScene.open(first);
    await known(scene);
    const [one, two] = [scene.report({}, 5), scene.report()];
    await scene.send(one);
    scene.gateway.mesh = second;
    await scene.send(one, two);
    for (const mesh of [first, second]) {
      const { body } = await mesh.ask<{ items: { id: string }[] }>('GET', `/v1/waf/events?ingress=${scene.ingress.id}`);
      assert.deepEqual(
        body.items.map(({ id }) => id),
        [two.id, one.id],
      );
    }
  });

  it('tries a request that was asked for at the other one, however long all of it is', async () => {
    const scene = await WafScene.open(first);
    await known(scene);
    const rules = Array.from({ length: 10 }, (_, index) => ({
      name: `rule ${index}`,
      when: [{ part: 'uri', name: null, test: 'contains', values: ['x'.repeat(490)], negated: false, transforms: [] }],
      action: 'block',
      score: 0,
    }));
    await scene.ask('PATCH', `/v1/waf/policies/${scene.policy.id}`, { body: { rules } });
    const { node: _, gateway: __, ...found } = OPERATIONS['waf.test'].example.answer;
    const waf = { ...found, matches: Array.from({ length: 20 }, () => sqlMatch({ fragment: 'x'.repeat(200) })) };
    scene.gateway.mesh = second;
    const probed = await new ProbedNode(scene.gateway, () => ({ waf })).start(['waf']);
    const body = { request: { ...OPERATIONS['waf.test'].example.body.request, body: 'y'.repeat(30_000) } };
    const asked = () => first.ask<WafTested>('POST', `/v1/waf/policies/${scene.policy.id}/test`, { body });
    await first.until(async () => (await asked()).status === 200);
    const got = await asked();
    assert.deepEqual(got.body.matches, waf.matches);
    assert.deepEqual(probed.probes.at(-1)?.waf?.request, body.request);
    assert.equal(probed.probes.at(-1)?.waf?.policy.rules.rules.length, 10);
    await probed.stop();
  });

  it('never has a policy taken away at one that an ingress is given at the other', async () => {
    const scene = await WafScene.open(first);
    for (let round = 0; round < 5; round++) {
      const made = await first.ask<WafPolicy>('POST', '/v1/waf/policies', {
        body: { name: `r-${round}`, scope: scene.scope },
      });
      const path = `/v1/waf/policies/${made.body.id}`;
      await second.until(async () => (await second.ask('GET', path)).status === 200);
      const [given, deleted] = await Promise.all([
        first.ask('PATCH', `/v1/ingress/${scene.ingress.id}`, { body: { waf: made.body.id } }),
        second.ask('DELETE', path),
      ]);
      const outcomes = [given.status, deleted.status];
      assert.ok(outcomes.join() === '200,409' || outcomes.join() === '422,204', outcomes.join());
    }
  });
});
